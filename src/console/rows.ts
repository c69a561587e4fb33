/** Records as the page shows them: masked, in the words of the desk, with a digest of what was shown. */
import { createHmac } from 'node:crypto';
import type { Sender } from '../contract/resources/sender.ts';
import type { Recipient } from '../contract/resources/transaction.ts';
import { recipientStateInfo } from '../contract/states/recipient.ts';
import { transactionStateInfo } from '../contract/states/transaction.ts';
import { span } from '../core/amount-words.ts';
import { actWords } from '../payments/cases/standing.ts';
import { refundText } from '../payments/cases/told.ts';
import type { Troubled } from '../payments/cases/triage.ts';
import type { LookAlike } from '../payments/shapes/payments.ts';
import { type MaskLevel, maskData } from '../payments/words/mask.ts';
import { fullName, payoutAccountOf } from '../payments/words/person.ts';
import { spoken } from '../payments/words/questions.ts';
import { reasonOf } from '../payments/words/reason.ts';
import type { PayoutRow, TroubledRow } from './wire.ts';

/** How records may be shown to the caller. */
export interface Showing {
  mask: MaskLevel;
  /** Keys the digests of this process: without it a digest says nothing of an account that is masked. */
  secret: string;
}

type Known = Recipient & { sender?: Sender | null | undefined };

/** A recipient in a list. `by` says what it was found by. */
export function payoutRowOf(record: Known, showing: Showing, by = ''): PayoutRow {
  const shown = maskData(record, showing.mask);
  const details = shown.payout_method?.details;
  return {
    id: shown.id ?? '',
    digest: rowDigest(record, showing.secret),
    payment: shown.transaction_id ?? null,
    from: fullName(shown.sender) || null,
    to: fullName(details),
    account: payoutAccountOf(details),
    amount: spokenOf(shown.output_amount, shown.output_currency),
    state: stateOf(shown),
    at: shown.created_at ?? null,
    reference: shown.transaction_external_id ?? shown.external_id ?? null,
    by,
  };
}

/** Labels with their texts; those without a text are left out. */
export const labelledLines = (
  lines: readonly (readonly [label: string, text: string | null | undefined, ...how: unknown[]])[],
): { label: string; text: string }[] => lines.flatMap(([label, text]) => (text ? [{ label, text }] : []));

/** `64,000 NGN`; empty where a payment has no recipient, and so no amount that arrives. */
const spokenOf = (amount: string | null | undefined, currency: string | null | undefined): string =>
  amount == null ? '' : spoken(amount, currency);

/** A state that the contract does not know is shown as the service wrote it. */
function stateOf({ state }: Pick<Recipient, 'state'>): PayoutRow['state'] {
  const info = recipientStateInfo(state);
  if (info !== undefined) return { word: info.words, look: info.look };
  // A payment without recipients stands with its own state.
  return { word: state ?? 'not known', look: transactionStateInfo(state)?.look ?? 'plain' };
}

export function troubledRow(record: Troubled, showing: Showing): TroubledRow | undefined {
  const { act, age_seconds: age } = record.standing;
  if (act === null) return undefined;
  return {
    ...payoutRowOf(record, showing),
    heading: actWords[act],
    can: [...record.standing.can],
    reason: reasonOf(record),
    age: age === null ? null : span(age * 1000),
    refund: refundText(record),
  };
}

/** A look-alike is known by less: its name and account are those of the payout that it looks like. */
export const alikeRow = ({ recipient_id: id, ...one }: LookAlike, showing: Showing): PayoutRow =>
  payoutRowOf({ ...one, id } as Known, showing);

/** The digest of what a row shows of a recipient, unmasked: an act on what has changed since is refused. */
export function rowDigest(one: Recipient, secret: string): string {
  const details = one.payout_method?.details ?? {};
  const names = Object.keys(details).sort();
  const shown = [
    one.id,
    one.state,
    one.output_amount,
    one.output_currency,
    one.state_reason_details?.code ?? null,
    names.map((name) => [name, details[name]]),
  ];
  return createHmac('sha256', secret).update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
}

/** How an ending looks, by its category. */
export const endingLook = (ending: string): 'good' | 'waiting' | 'bad' =>
  ending === 'done' ? 'good' : ending === 'pending' ? 'waiting' : 'bad';
