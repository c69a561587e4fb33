/**
 * A wish is what an agent asks for, in its own words. Two that mean the same have one digest, and the handle is its beginning (decision 0105): the
 * account, the payee, the amount, the currency and the reference count; the case and the form of names, the marks in account numbers, decimals and the
 * order of members do not.
 */
import { createHash } from 'node:crypto';
import { canonical, comparableDetails, payerOf, requestDigest } from '../../client/identity.ts';
import {
  type RecipientWrite,
  type TransactionWrite,
  transactionWrite,
} from '../../contract/resources/transaction.ts';
import { type AccountKey, canonicalBaseUrl } from '../../core/account.ts';
import { roundFor } from '../../core/currency.ts';
import { format, toDecimal } from '../../core/money.ts';
import { unsent } from '../../core/problem.ts';
import { payeeTexts } from '../../payments/likeness.ts';

export interface PreparedPayment {
  kind: 'payment';
  /** Its external id is `referenceId` of the reference. */
  body: TransactionWrite & { external_id: string };
}
export interface CorrectionWish {
  kind: 'correction';
  recipientId: string;
  details: Readonly<Record<string, string>>;
  /** Hash of the details that stood when it was planned. */
  seen: string;
  /** Digest of the edit that it sends: by it the journal knows that it was carried out. Undefined where nothing was to change. */
  sends?: string | undefined;
  /** The newest intent when it was planned. */
  after?: string | undefined;
}
export interface CancelWish {
  kind: 'cancel';
  recipientIds: readonly string[];
  /** Asks the provider although the payout is under way. */
  request: boolean;
}
export interface RunWish {
  kind: 'run';
  runId: string;
  name: string;
  digest: string;
}
export type Wish = PreparedPayment | CorrectionWish | CancelWish | RunWish;

export const readWish = (text: string): Wish => {
  const wish = JSON.parse(text) as Wish;
  // Amounts are texts in the contract's own form, whatever wrote the row.
  if (wish.kind !== 'payment') return wish;
  const { external_id } = wish.body;
  return { ...wish, body: { ...transactionWrite.parse(wish.body), external_id } };
};

const LONGEST_REFERENCE = 80;

/**
 * `Invoice INV/17` becomes `invoice-inv-17`, the external id of its payment: the service makes one payment of it, for any user on any machine.
 * @throws Problem (usage)
 */
export function referenceId(reference: string): string {
  const id = reference
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  if (id === '' || id.length > LONGEST_REFERENCE)
    throw unsent(
      'usage',
      'bad_reference',
      'the reference has letters or digits, and at most 80 of them',
      'take the number of the invoice, the order or the ticket that the payment is for',
    );
  return id;
}

export function wishDigest(account: AccountKey, wish: Wish): string {
  return hash([
    canonicalBaseUrl(account.baseUrl),
    account.keyPrint ?? account.keyLast4,
    wish.kind,
    ...wishParts(account, wish),
  ]);
}

function wishParts(account: AccountKey, wish: Wish): string[] {
  switch (wish.kind) {
    case 'payment': {
      const { external_id: reference } = wish.body;
      const asked = { plan: 'create', transaction: wish.body, fund: true, madeId: false } as const;
      return [requestDigest(account, asked), payerOf(asked) ?? '', reference];
    }
    case 'correction':
      return [wish.recipientId.toLowerCase(), canonical(comparableDetails(wish.details))];
    case 'cancel':
      return [...wish.recipientIds.map((id) => id.toLowerCase()).sort(), String(wish.request)];
    case 'run':
      return [wish.runId, wish.digest];
  }
}

/** No i, l, o and u: they are taken for others, or make words. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const HANDLE_LETTERS = 10;

/** @param digest in hexadecimal */
export function handleOf(digest: string): string {
  const bits = BigInt(`0x${digest}`) >> BigInt(256 - 5 * HANDLE_LETTERS);
  return Array.from({ length: HANDLE_LETTERS }, (_, place) =>
    LETTERS.charAt(Number((bits >> BigInt(5 * (HANDLE_LETTERS - 1 - place))) & 31n)),
  ).join('');
}

/** An amount as the service rounds it, so that two that arrive alike are alike: `25000 NGN`. */
const arriving = ({ requested_amount: amount, requested_currency: currency }: RecipientWrite): string => {
  const decimal = toDecimal(amount);
  return `${decimal === null ? amount : format(roundFor(currency, decimal), 0)} ${currency}`;
};

/**
 * The texts by which other plans are compared with this one: each account with its amount and currency, and the reference.
 * @param recipients whom the wish pays
 */
export const alikeTexts = (
  { baseUrl }: AccountKey,
  wish: Wish,
  recipients: readonly RecipientWrite[],
): string[] => [
  ...recipients.flatMap((one) =>
    payeeTexts(one).map((payee) => hash(['alike', canonicalBaseUrl(baseUrl), payee, arriving(one)])),
  ),
  ...(wish.kind === 'payment' ? [hash(['reference', canonicalBaseUrl(baseUrl), wish.body.external_id])] : []),
];

/** Hash of the details that stand at a recipient, for comparing them later. */
export const detailsSeen = (details: Readonly<Record<string, unknown>> | null | undefined): string =>
  hash(['details', canonical(details ?? {})]);

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex');
