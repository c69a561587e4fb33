/** One screen that a support person can read out: what happened, when, what can be done now, what to tell the customer. */

import { codeInfo } from '../../contract/codes.ts';
import { isBack, isPaidOut } from '../../contract/states/money.ts';
import { recipientStateInfo } from '../../contract/states/recipient.ts';
import type { Awaited, Possible } from '../../desk/cases/standing.ts';
import { whoMustAct } from '../../desk/cases/standing.ts';
import type { Story } from '../../desk/cases/story.ts';
import type { CaseFacts, LookAlike } from '../../desk/shapes/payments.ts';
import { money, span } from '../../desk/words/amount.ts';
import { lastFour, looksMasked, MASK } from '../../desk/words/mask.ts';
import { accountOf, fullName } from '../../desk/words/person.ts';
import { reasonOf } from '../../desk/words/reason.ts';
import { commandOf } from '../output/spell.ts';
import type { DetailLine, View } from '../terminal/view.ts';
import { recipientView } from './recipient.ts';

/** A recipient as it is told. For a case all is told that a caller may ask; for a story, what a change made of it. */
type Told = Story & Partial<CaseFacts>;

export const storyView: View<Told> = {
  ...recipientView,
  also: ['standing', 'sender', 'paid_at', 'refunded_at', 'changed_at', 'fund_until', 'pickup', 'look_alikes'],
  details(row) {
    const details = row.payout_method?.details ?? {};
    return [
      ['recipient', row.id],
      [
        'payment',
        [row.transaction_external_id ?? row.external_id, row.transaction_id].filter(Boolean).join('  '),
      ],
      ['sender', senderText(row.sender), { wrap: true }],
      ['to', fullName(details)],
      ['payout to', [row.payout_method?.type, accountOf(details)].filter(Boolean).join('  ')],
      ['receives', money(row.output_amount, row.output_currency)],
      ['costs', money(row.input_amount, row.input_currency)],
      ['rate', row.exchange_rate ?? null],
      ['pick-up code', row.pickup?.code],
      ['picked up', row.pickup?.where],
      '',
      ['state', row.state, { state: true }],
      ['what happened', row.standing.because, { wrap: true }],
      ...doneLines(row),
      ['reason', explainedReason(row), { wrap: true }],
      ['created', [row.created_at, ageOf(row)].filter(Boolean).join(', ')],
      ['fund until', row.fund_until],
      ['paid', whenText(row, isPaidOut, row.paid_at)],
      ['refunded', whenText(row, isBack, row.refunded_at)],
      ['automatic refund', refundText(row)],
      ...alikeLines(row.look_alikes ?? []),
      '',
      ['who must act', whoMustAct(row, row.standing)],
      ...many('you can', commandsFor(row)),
      ['tell the customer', row.standing.tell_the_customer, { wrap: true }],
      ...many('did not arrive?', notArrived(row)),
    ];
  },
};

/** Name, and the ends of phone and e-mail, by which a caller is known again. */
function senderText(sender: Told['sender']): string | null {
  if (!sender) return null;
  const { phone_number: phone, email, external_id: externalId } = sender;
  return [
    fullName(sender) || sender.id,
    externalId,
    phone ? `phone ${endOf(phone)}` : null,
    email ? `e-mail ${endOfEmail(email)}` : null,
  ]
    .filter(Boolean)
    .join(', ');
}

const endOf = (text: string): string => (looksMasked(text) ? text : lastFour(text));

/** `••••es@example.com`: enough to compare with what a caller says, and not enough to write to. */
function endOfEmail(email: string): string {
  const [name = '', host] = email.split('@');
  return looksMasked(email) || host === undefined ? email : `${MASK.repeat(4)}${name.slice(-2)}@${host}`;
}

/** The books know it as nearly as they were read; the service says only when the payment last changed. */
function whenText(
  row: Told,
  happened: (state: Told['state']) => boolean,
  at: Told['paid_at'],
): string | null {
  if (!happened(row.state)) return null;
  if (at != null) return at;
  return row.changed_at == null ? null : `${row.changed_at}, at the latest`;
}

const MOST_ALIKE = 3;

/** Paid twice, perhaps, or the one that the caller means. */
function alikeLines(alike: readonly LookAlike[]): DetailLine[] {
  const shown = alike.slice(0, MOST_ALIKE).map((one) => {
    const { external_id: name, transaction_id: id, state, created_at: at } = one;
    const words = recipientStateInfo(state)?.words ?? state;
    const day = at?.slice(0, 10);
    return [name ?? id, money(one.output_amount, one.output_currency), words, day].filter(Boolean).join(', ');
  });
  const more = alike.length - shown.length;
  return many('same account', more > 0 ? [...shown, `and ${more} more of these days`] : shown);
}

/** A payout that is paid is the operator's to look for, with a proof in hand. */
const notArrived = ({ id, state }: Told): string[] =>
  isPaidOut(state)
    ? [
        commandOf({ do: 'list_proofs', id: id ?? '' }),
        'then ask the operator, with the proof and the ids above',
      ]
    : [];

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

/** Returns the requests that were made for it from here, and that the events do not tell. */
function doneLines({ standing }: Story): DetailLine[] {
  const { edited_seconds: edited, cancel_requested_seconds: requested } = standing.done_before;
  const line = (seconds: number | null, what: Awaited, word: string): DetailLine[] =>
    seconds === null || standing.awaiting === what
      ? []
      : [['done before', `${word} ${span(seconds * 1000)} ago`]];
  return [...line(edited, 'edit', 'edited'), ...line(requested, 'cancel', 'cancellation requested')];
}

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
