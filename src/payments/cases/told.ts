/** Tells of one payout in lines: who, what, when and why. The command line and the page show the same ones. */

import { codeInfo } from '../../contract/codes.ts';
import { isBack, isPaidOut } from '../../contract/states/money.ts';
import { recipientStateInfo } from '../../contract/states/recipient.ts';
import { money, span } from '../../core/amount-words.ts';
import { isoTime, utcDay } from '../../core/clock.ts';
import type { CaseFacts, LookAlike } from '../shapes/payments.ts';
import { lastFour, looksMasked, MASK } from '../words/mask.ts';
import { fullName, payoutAccountOf } from '../words/person.ts';
import { reasonOf } from '../words/reason.ts';
import type { Awaited } from './standing.ts';
import type { Story } from './story.ts';

/** A recipient as it is told. For a case all is told that a caller may ask; for a story, what a change made of it. */
export type RecipientOutput = Story & Partial<CaseFacts>;

/** A label and its text; nothing is said where the text is null or empty. */
export type ToldLine = readonly [label: string, text: string | null | undefined];

export const NO_PROOF =
  'no proof of payment: there are files only once the payout is made, and not for every payout';

/** Tells who is paid by whom, with what and where to. */
export function factLines(row: RecipientOutput): ToldLine[] {
  const details = row.payout_method?.details ?? {};
  return [
    ['recipient', row.id],
    [
      'payment',
      [row.transaction_external_id ?? row.external_id, row.transaction_id].filter(Boolean).join('  '),
    ],
    ['sender', senderText(row.sender)],
    ['to', fullName(details)],
    ['payout to', [row.payout_method?.type, payoutAccountOf(details)].filter(Boolean).join('  ')],
    ['receives', money(row.output_amount, row.output_currency)],
    ['costs', money(row.input_amount, row.input_currency)],
    ['rate', row.exchange_rate ?? null],
    ['pick-up code', row.pickup?.code],
    ['picked up', row.pickup?.where],
  ];
}

/** Its fate, the reason, and the times. @param refund the words for its automatic refund */
export const happenedLines = (row: RecipientOutput, refund = refundText(row)): ToldLine[] => [
  ['what happened', row.standing.because],
  ...doneLines(row),
  ['reason', explainedReason(row)],
  ['created', [row.created_at, ageOf(row)].filter(Boolean).join(', ')],
  ['fund until', row.fund_until],
  ['paid', whenText(row, isPaidOut, row.paid_at)],
  ['refunded', whenText(row, isBack, row.refunded_at)],
  ['automatic refund', refund],
  ...alikeLines(row.look_alikes ?? []),
];

/** Name, and the ends of phone and e-mail, by which a caller is known again. */
function senderText(sender: RecipientOutput['sender']): string | null {
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
  row: RecipientOutput,
  happened: (state: RecipientOutput['state']) => boolean,
  at: RecipientOutput['paid_at'],
): string | null {
  if (!happened(row.state)) return null;
  if (at != null) return at;
  return row.changed_at == null ? null : `${row.changed_at}, at the latest`;
}

const MOST_ALIKE = 3;

/** Paid twice, perhaps, or the one that the caller means. */
function alikeLines(alike: readonly LookAlike[]): ToldLine[] {
  const shown = alike.slice(0, MOST_ALIKE).map((one) => {
    const { external_id: name, transaction_id: id, state, created_at: at } = one;
    const words = recipientStateInfo(state)?.words ?? state;
    const day = utcDay(at ?? '');
    return [name ?? id, money(one.output_amount, one.output_currency), words, day].filter(Boolean).join(', ');
  });
  const more = alike.length - shown.length;
  const texts = more > 0 ? [...shown, `and ${more} more of these days`] : shown;
  return texts.map((text, index) => [index === 0 ? 'same account' : '', text]);
}

/** `the account number is wrong (416): Invalid account number`. */
function explainedReason(row: Story): string | null {
  const said = reasonOf(row);
  const code = row.state_reason_details?.code ?? '';
  const meaning = codeInfo(code)?.description;
  if (said === null || meaning === undefined) return said;
  const message = said.replace(` (${code})`, '').trim();
  return `${meaning} (${code})${message === '' ? '' : `: ${message}`}`;
}

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

/** The same by the clock, for a text that stays while time passes. */
export function refundByTheClock(row: Story): string | null {
  const { refund_in_seconds: left, age_seconds: age } = row.standing;
  if (left === null || age === null || !row.created_at) return refundText(row);
  const at = isoTime(Date.parse(row.created_at) + (age + left.earliest) * 1000);
  return `${at} at the earliest, if it is still unpaid`;
}

/** Returns the requests that were made for it from here, and that the events do not tell. */
function doneLines({ standing }: Story): ToldLine[] {
  const { edited_seconds: edited, cancel_requested_seconds: requested } = standing.done_before;
  const line = (seconds: number | null, what: Awaited, word: string): ToldLine[] =>
    seconds === null || standing.awaiting === what
      ? []
      : [['done before', `${word} ${span(seconds * 1000)} ago`]];
  return [...line(edited, 'edit', 'edited'), ...line(requested, 'cancel', 'cancellation requested')];
}

/** A text for the operator, with all that identifies the payout and nothing that identifies a person in full. */
export function handOverText(row: RecipientOutput): string {
  const lines: ToldLine[] = [
    ...factLines(row).filter(([label]) => !NOT_HANDED_OVER.has(label)),
    ['state', [row.state, recipientStateInfo(row.state)?.words].filter(Boolean).join(', ')],
    ['reason', explainedReason(row)],
    ['created', row.created_at],
    ['last changed', row.changed_at],
  ];
  return lines.flatMap(([label, text]) => (text ? [`${label}: ${text}`] : [])).join('\n');
}

/** Tells who sent it is between us and our customer; a code is as good as the cash. */
const NOT_HANDED_OVER: ReadonlySet<string> = new Set(['sender', 'pick-up code', 'costs', 'rate']);
