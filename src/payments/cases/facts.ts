/**
 * The facts that a caller asks for about one payout, beside where it stands: who sent it, when it was paid or
 * came back, until when it can be funded, where cash is picked up, and which payments of the same days look
 * like it.
 */

import { listRecipients } from '../../contract/operations/recipients.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isBack, isPaidOut } from '../../contract/states/money.ts';
import { isoTime } from '../../core/clock.ts';
import { booksOf, type Desk, type OpenBooks } from '../desk.ts';
import { accountTexts, isAccount, ownFindsOf } from '../finds.ts';
import type { FoundRecipient } from '../lookup/recipient.ts';
import type { CaseFacts, LookAlike } from '../shapes/payments.ts';
import { type Story, storyNow } from './story.ts';

export type RecipientCase = Story & CaseFacts;

export async function caseNow(desk: Desk, found: FoundRecipient): Promise<RecipientCase> {
  const { recipient, transaction } = found;
  const [story, books, pickup] = await Promise.all([
    storyNow(desk, found),
    booksOf(desk).catch(() => undefined),
    pickupOf(recipient),
  ]);
  const [times, alike] = await Promise.all([
    timesOf(books, recipient, transaction),
    lookAlikes(desk, books, found).catch(() => null),
  ]);
  const { state, expires_at: expires, updated_at: changed, sender } = transaction;
  return {
    ...story,
    sender: sender ?? null,
    ...times,
    changed_at: changed ?? null,
    fund_until: state === 'initial' || state === 'approved' ? (expires ?? null) : null,
    pickup,
    look_alikes: alike,
  };
}

async function timesOf(
  opened: OpenBooks | undefined,
  { id, state }: Recipient,
  { id: transactionId }: Transaction,
): Promise<Pick<CaseFacts, 'paid_at' | 'refunded_at'>> {
  const of = (transactionId ?? '').toLowerCase();
  const marks = (await opened?.books.marks([of]).catch(() => undefined))?.get(of) ?? [];
  const at = (...kinds: string[]): string | null => {
    const mark = marks.find((one) => one.of === id && kinds.includes(one.kind));
    return mark === undefined ? null : isoTime(mark.at);
  };
  return {
    paid_at: isPaidOut(state) ? at('paid', 'collection') : null,
    refunded_at: isBack(state) ? at('refund') : null,
  };
}

/** The code comes with the payout once it is with the provider, or is the partner's own where that was agreed. */
async function pickupOf({ payout_method: method, metadata }: Recipient): Promise<CaseFacts['pickup']> {
  const { loadCorridor, loadOptionsOf } = await import('../../contract/corridors/index.ts');
  const corridor = await loadCorridor(method?.type ?? '');
  if (!corridor?.cash) return null;
  const details = method?.details ?? {};
  const optionsOf = await loadOptionsOf(corridor);
  const label = (name: string): string | undefined => {
    const given = details[name];
    const field = corridor.recipientKinds.person.find((one) => one.name === name);
    const value = typeof given === 'string' && given !== '' ? given : field?.default;
    if (value === undefined) return undefined;
    const options = typeof field?.options === 'string' ? optionsOf(field.options) : field?.options;
    return String((options as Readonly<Record<string, string>> | undefined)?.[String(value)] ?? value);
  };
  const code = metadata?.payment_reference ?? details.reference;
  const place = [label('cash_provider'), label('country')].filter(Boolean).join(', ');
  return {
    code: typeof code === 'string' ? code : null,
    where: place || corridor.countries.map(countryName).join(', '),
  };
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' });
const countryName = (code: string): string => NAMES.of(code) ?? code;

const DAY_MS = 24 * 3_600_000;
/** The number of days that are looked at before and after. */
const NEAR_DAYS = 3;
const LOOKED_AT = 100;

/** In the books, which cost the service nothing; without books, among the newest hundred payouts of those days. */
async function lookAlikes(
  desk: Desk,
  opened: OpenBooks | undefined,
  { recipient, transaction }: FoundRecipient,
): Promise<LookAlike[] | null> {
  const createdAt = Date.parse(recipient.created_at ?? transaction.created_at ?? '');
  const accounts = accountTexts(recipient);
  if (Number.isNaN(createdAt) || accounts.length === 0) return null;
  const [from, to] = [createdAt - NEAR_DAYS * DAY_MS, createdAt + NEAR_DAYS * DAY_MS];
  const others =
    opened === undefined
      ? await ofService(desk, accounts, { from, to })
      : await ofBooks(opened, accounts, { from, to });
  return others.filter(({ recipient_id: id }) => id !== recipient.id);
}

type Near = { from: number; to: number };

async function ofBooks(
  { books, hider }: OpenBooks,
  accounts: readonly string[],
  near: Near,
): Promise<LookAlike[]> {
  const texts = hider === undefined ? accounts : accounts.map(hider().hash);
  const entries = await books.find([texts], { limit: LOOKED_AT, ...near });
  return entries.flatMap(({ body }) => {
    const kept = JSON.parse(body) as Transaction;
    const { recipients } = ownFindsOf(kept);
    return (kept.recipients ?? [])
      .filter((_, place) => recipients[place]?.some((one) => isAccount(one) && texts.includes(one.text)))
      .map((one) => alike({ ...one, transaction_id: kept.id, transaction_external_id: kept.external_id }));
  });
}

async function ofService(desk: Desk, accounts: readonly string[], { from, to }: Near): Promise<LookAlike[]> {
  const client = await desk.client();
  const day = (at: number): string => isoTime(at).slice(0, 10);
  const query = { per: LOOKED_AT, created_at_from: day(from), created_at_to: day(to) };
  const { object } = await client.call(listRecipients, { query });
  return object.filter((one) => accountTexts(one).some((text) => accounts.includes(text))).map(alike);
}

const alike = (one: Recipient): LookAlike => ({
  recipient_id: one.id ?? null,
  transaction_id: one.transaction_id ?? null,
  external_id: one.transaction_external_id ?? one.external_id ?? null,
  state: one.state ?? null,
  output_amount: one.output_amount ?? null,
  output_currency: one.output_currency ?? null,
  created_at: one.created_at ?? null,
});
