/** One screen that a support person can read out: what happened, when, what can be done now, what to tell the customer. */

import { isPaidOut } from '../../../contract/states/money.ts';
import { commandOf } from '../../../frame/output/spell.ts';
import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import { type Possible, whoMustAct } from '../../cases/standing.ts';
import type { Story } from '../../cases/story.ts';
import { factLines, happenedLines, type RecipientOutput, type ToldLine } from '../../cases/told.ts';
import { lookOf } from '../../words/looks.ts';
import { recipientView } from './recipient.ts';

export const storyView: View<RecipientOutput> = {
  ...recipientView,
  also: ['standing', 'sender', 'paid_at', 'refunded_at', 'changed_at', 'fund_until', 'pickup', 'look_alikes'],
  details: (row) => [
    ...factLines(row).map(asDetail),
    '',
    ['state', row.state, { state: lookOf }],
    ...happenedLines(row).map(asDetail),
    '',
    ['who must act', whoMustAct(row, row.standing)],
    ...many('you can', commandsFor(row)),
    ['tell the customer', row.standing.tell_the_customer, { wrap: true }],
    ...many('did not arrive?', notArrived(row)),
  ],
};

/** Sentences, which are longer than a line. */
const WRAPPED = ['sender', 'what happened', 'reason'];
const asDetail = ([label, text]: ToldLine): DetailLine =>
  WRAPPED.includes(label) ? [label, text, { wrap: true }] : [label, text];

/** A payout that is paid is the operator's to look for, with a proof in hand. */
const notArrived = ({ id, state }: RecipientOutput): string[] =>
  isPaidOut(state)
    ? [
        commandOf({ do: 'list_proofs', id: id ?? '' }),
        'then ask the operator, with the proof and the ids above',
      ]
    : [];

const many = (label: string, texts: readonly string[]): DetailLine[] =>
  texts.map((text, index) => [index === 0 ? label : '', text]);

/** Returns a command to type for each thing that can be done. */
function commandsFor({ id, standing }: Story): string[] {
  const ids = [id ?? ''];
  const words: Readonly<Record<Possible, string>> = {
    edit: commandOf({ do: 'edit_recipient', id: id ?? '' }),
    cancel: commandOf({ do: 'cancel_recipients', ids, wait: true }),
    request_cancel: commandOf({ do: 'cancel_recipients', ids, request: true, wait: true }),
  };
  return standing.can.map((possible) => words[possible]);
}
