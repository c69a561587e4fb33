/** The life of a payout as a picture in text: time on the left, what happened along a line, and how long it took between. */

import { isCalledOff, isPaidOut } from '../../../contract/states/money.ts';
import { recipientStateInfo } from '../../../contract/states/recipient.ts';
import { span } from '../../../core/amount-words.ts';
import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import type { TimelineMoment } from '../../cases/timeline.ts';
import { timelineShape } from '../../shapes/payments.ts';

export const momentView: View<TimelineMoment> = {
  shape: timelineShape,
  empty: 'nothing is logged',
  columns: [
    { name: 'at', head: 'TIME', get: (row) => row.at },
    { name: 'by', get: (row) => row.by },
    { name: 'name', head: 'WHAT', get: (row) => row.name },
    { name: 'event', get: (row) => row.event },
    { name: 'code', get: (row) => row.code },
    { name: 'reason', get: (row) => row.reason },
    { name: 'status', get: (row) => row.status },
  ],
};

export interface Drawn {
  moments: readonly TimelineMoment[];
}

export const drawnView: View<Drawn> = {
  shape: timelineShape,
  columns: [{ name: 'moments', get: ({ moments }) => String(moments.length) }],
  details: ({ moments }) => moments.flatMap((one, index) => linesOf(one, moments[index - 1])),
};

function linesOf(moment: TimelineMoment, before: TimelineMoment | undefined): DetailLine[] {
  const own: DetailLine = [labelOf(moment), `${signOf(moment)} ${wordsOf(moment)}`, { wrap: true }];
  if (before === undefined) return [own];
  if (moment.at === '' || before.at === '') return [['', '│'], own];
  const passed = Date.parse(moment.at) - Date.parse(before.at);
  return [['', passed >= 1_000 ? `│ ${span(passed)}` : '│'], own];
}

const labelOf = ({ what, at }: TimelineMoment): string => (what === 'gap' ? '…' : at === '' ? 'now' : at);

function signOf({ what, name }: TimelineMoment): string {
  if (what === 'request') return '▸';
  if (what === 'gap') return '┆';
  if (recipientStateInfo(name)?.look === 'bad') return '✗';
  if (isPaidOut(name)) return '✓';
  return isCalledOff(name) ? '■' : '○';
}

function wordsOf({ what, name, event, code, reason, status }: TimelineMoment): string {
  if (what === 'request') return `you: ${name}${status === null ? '' : `, answered ${status}`}`;
  const said = [reason, code === null ? null : `(${code})`].filter(Boolean).join(' ');
  // The reason is that of the last try. Where people must act, the state says so first.
  const info = what === 'state' ? recipientStateInfo(name) : undefined;
  const why = [info?.turn === 'operator' ? info.meaning : '', said].filter((text) => text !== '').join('; ');
  const parts = [name, why, event === null ? '' : `[${event}]`];
  return parts.filter((part) => part !== '').join('  ');
}
