/** One screen that a support person can read out: what happened, when, what can be done now, what to tell the customer. */

import { codeInfo } from '../../contract/codes.ts';
import type { Awaited, Possible } from '../../desk/cases/standing.ts';
import { whoMustAct } from '../../desk/cases/standing.ts';
import type { Story } from '../../desk/cases/story.ts';
import { money } from '../../desk/words/amount.ts';
import { accountOf, fullName } from '../../desk/words/person.ts';
import { reasonOf } from '../../desk/words/reason.ts';
import { span } from '../../desk/words/spans.ts';
import { commandOf } from '../output/spell.ts';
import type { DetailLine, View } from '../terminal/view.ts';
import { recipientView } from './recipient.ts';

export const storyView: View<Story> = {
  ...recipientView,
  members: () => [...(recipientView.members?.() ?? []), 'standing'],
  details(row) {
    const details = row.payout_method?.details ?? {};
    return [
      ['recipient', row.id],
      [
        'payment',
        [row.transaction_external_id ?? row.external_id, row.transaction_id].filter(Boolean).join('  '),
      ],
      ['to', fullName(details)],
      ['payout to', [row.payout_method?.type, accountOf(details)].filter(Boolean).join('  ')],
      ['receives', money(row.output_amount, row.output_currency)],
      ['costs', money(row.input_amount, row.input_currency)],
      ['rate', row.exchange_rate ?? null],
      '',
      ['state', row.state, { state: true }],
      ['what happened', row.standing.because, { wrap: true }],
      ...doneLines(row),
      ['reason', explainedReason(row), { wrap: true }],
      ['created', [row.created_at, ageOf(row)].filter(Boolean).join(', ')],
      ['automatic refund', refundText(row)],
      '',
      ['who must act', whoMustAct(row, row.standing)],
      ...many('you can', commandsFor(row)),
      ['tell the customer', row.standing.tell_the_customer, { wrap: true }],
    ];
  },
};

/** `the account number is wrong (416): Invalid account number`. */
function explainedReason(row: Story): string | null {
  const said = reasonOf(row);
  const code = row.state_reason_details?.code ?? '';
  const meaning = codeInfo(code)?.description;
  if (said === null || meaning === undefined) return said;
  const message = said.replace(` (${code})`, '').trim();
  return `${meaning} (${code})${message === '' ? '' : `: ${message}`}`;
}

const many = (label: string, texts: readonly string[]): DetailLine[] =>
  texts.map((text, index) => [index === 0 ? label : '', text]);

const ageOf = ({ standing }: Story): string | null =>
  standing.age_seconds === null ? null : `${span(standing.age_seconds * 1000)} ago`;

const HOUR_S = 3_600;

/** Between 24 hours from the creation and 24 hours from the latest moment at which it can have been funded. */
export function refundText({ standing }: Story): string | null {
  const left = standing.refund_in_seconds;
  if (left === null) return null;
  if (left.latest === 0) return 'due now if still unpaid';
  if (left.earliest >= HOUR_S) return `in about ${Math.round(left.earliest / HOUR_S)} h if still unpaid`;
  return `within ${span(left.latest * 1000)} if still unpaid`;
}

/** What was asked for it from here, and is not said by what happened. */
function doneLines({ standing }: Story): DetailLine[] {
  const { edited_seconds: edited, cancel_requested_seconds: requested } = standing.done_before;
  const line = (seconds: number | null, what: Awaited, word: string): DetailLine[] =>
    seconds === null || standing.awaiting === what
      ? []
      : [['done before', `${word} ${span(seconds * 1000)} ago`]];
  return [...line(edited, 'edit', 'edited'), ...line(requested, 'cancel', 'cancellation requested')];
}

/** What to type for each thing that can be done. */
function commandsFor({ id, standing }: Story): string[] {
  const ids = [id ?? ''];
  const words: Readonly<Record<Possible, string>> = {
    edit: commandOf({ do: 'edit_recipient', id: id ?? '' }),
    cancel: commandOf({ do: 'cancel_recipients', ids, wait: true }),
    request_cancel: commandOf({ do: 'cancel_recipients', ids, request: true, wait: true }),
  };
  return standing.can.map((possible) => words[possible]);
}
