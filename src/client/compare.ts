/** Compares a record of the service with the one that we asked for: same sender, same amounts, same recipients. */
import type {
  Recipient,
  RecipientEdit,
  RecipientWrite,
  Transaction,
  TransactionWrite,
} from '../contract/resources/transaction.ts';
import { decimalsOf, roundFor } from '../core/currency.ts';
import { exactDigits } from '../core/exact-numbers.ts';
import { eq, fromMinorUnits, gt, minorUnits, round, sub, toDecimal } from '../core/money.ts';

/** Says whether an amount of a record is the one that was asked for. */
type SameAmount = (asked: unknown, found: unknown, currency: string) => boolean;

/** Names of what differs, empty when it is ours. Recipients are compared in any order. */
export function transactionDifferences(
  asked: TransactionWrite,
  found: Transaction,
  sameAmount: SameAmount = isSameAmount,
): string[] {
  const differences: string[] = [];
  if (asked.external_id !== undefined && asked.external_id !== found.external_id)
    differences.push('external_id');
  if (asked.input_currency !== found.input_currency) differences.push('input_currency');
  differences.push(
    ...senderDifferences(asked, found),
    ...shownDifferences('metadata', asked.metadata, found.metadata),
  );
  differences.push(...payinDifferences(asked, found));
  const rest = [...(found.recipients ?? [])];
  if (rest.length !== asked.recipients.length) return [...differences, 'recipients'];
  const named = (recipient: RecipientWrite, candidate: Recipient) =>
    recipientDifferences(recipient, candidate, sameAmount);
  if (asked.recipients.every((recipient, index) => named(recipient, rest[index] as Recipient).length === 0))
    return differences;
  for (const [index, recipient] of asked.recipients.entries()) {
    const all = rest.map((candidate) => named(recipient, candidate));
    const match = all.findIndex(({ length }) => length === 0);
    const nearest = all.sort((a, b) => a.length - b.length)[0] ?? ['recipient'];
    if (match >= 0) rest.splice(match, 1);
    else differences.push(...nearest.map((name) => `recipients.${index}.${name}`));
  }
  return differences;
}

/**
 * Tells who pays. A sender that was named by an id is another one where the record shows another id; of one that was given in full, each text
 * that the record shows is compared. What the record does not show is no difference.
 */
function senderDifferences({ sender: asked }: TransactionWrite, { sender: found }: Transaction): string[] {
  if (found == null) return [];
  const { id, external_id: externalId, documents: _, ip: __, metadata, ...members } = asked;
  if (isBlank(id) && isBlank(externalId)) {
    const shown: Readonly<Record<string, unknown>> = found;
    return [
      ...Object.entries(members)
        .filter(([name, value]) => isOtherText(value, shown[name]))
        .map(([name]) => `sender.${name}`),
      ...shownDifferences('sender.metadata', metadata as Members, found.metadata),
    ];
  }
  return [
    ...(isOtherText(id, found.id) ? ['sender.id'] : []),
    ...(!isBlank(found.external_id) && !isBlank(externalId) && String(externalId).trim() !== found.external_id
      ? ['sender.external_id']
      : []),
  ];
}

type Members = Record<string, unknown> | null | undefined;

/** A service may write names in capitals, and put the country before a phone number: it is still the same person. */
function isOtherText(asked: unknown, shown: unknown): boolean {
  if (typeof asked !== 'string' || typeof shown !== 'string') return false;
  const [a, b] = [bare(asked), bare(shown)];
  return a !== '' && b !== '' && !(/^\d{6,}$/.test(a) && b.endsWith(a)) && a !== b;
}

const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Members of the metadata that we set and that read otherwise. */
const shownDifferences = (prefix: string, asked: Members, found: Members): string[] =>
  found == null ? [] : prefixed(prefix, asked, found);

/** Tells who is asked to pay, and how: where we asked for it, and the answer shows it. */
function payinDifferences(
  { payin_methods: asked }: TransactionWrite,
  { payin_methods: found }: Transaction,
): string[] {
  if (asked === undefined || found == null) return [];
  if (found.length !== asked.length) return ['payin_methods'];
  return asked.flatMap((payin, index) => {
    const match = found[index];
    const names = [
      ...(payin.type === match?.type ? [] : ['type']),
      ...(payin.ux_flow === match?.ux_flow ? [] : ['ux_flow']),
      ...detailDifferences(payin.in_details ?? {}, match?.in_details ?? {}).map(
        (name) => `in_details.${name}`,
      ),
    ];
    return names.map((name) => `payin_methods.${index}.${name}`);
  });
}

function recipientDifferences(asked: RecipientWrite, found: Recipient, sameAmount: SameAmount): string[] {
  const differences: string[] = [];
  if (!sameAmount(asked.requested_amount, found.requested_amount, asked.requested_currency))
    differences.push('requested_amount');
  if (asked.requested_currency !== found.requested_currency) differences.push('requested_currency');
  if (asked.type !== undefined && found.type != null && asked.type !== found.type) differences.push('type');
  if (asked.payout_method.type !== found.payout_method?.type) differences.push('payout_method.type');
  return [
    ...differences,
    ...detailDifferences(asked.payout_method.details ?? {}, found.payout_method?.details ?? {}).map(
      (name) => `payout_method.details.${name}`,
    ),
    ...shownDifferences('metadata', asked.metadata, found.metadata),
    ...shownDifferences(
      'payout_method.metadata',
      asked.payout_method.metadata,
      found.payout_method?.metadata,
    ),
  ];
}

/** Details that we sent and that read otherwise; what the service added is its own affair. */
export function detailDifferences(asked: Record<string, unknown>, found: Record<string, unknown>): string[] {
  return Object.entries(asked)
    .filter(([name, value]) => !sameValue(value, found[name]))
    .map(([name]) => name);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (isBlank(a) && isBlank(b)) return true;
  const digits = exactDigits(a);
  // A service may read it as a float.
  if (digits !== undefined) return Number(digits) === Number(b);
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null)
    return Array.isArray(a) === Array.isArray(b) && sameMembers(a as Named, b as Named);
  if (typeof a === 'object' || typeof b === 'object') return false;
  return String(a) === String(b);
}

type Named = Readonly<Record<string, unknown>>;
const sameMembers = (a: Named, b: Named): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => sameValue(a[name], b[name]));

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A service may give the amount back as it rounded it. */
function isSameAmount(asked: unknown, found: unknown, currency: string): boolean {
  const left = toDecimal(asked);
  const right = toDecimal(found);
  if (left === null || right === null) return false;
  return eq(left, right) || eq(roundFor(currency, left), right);
}

/**
 * True where a record is the payment that was asked for, written in another way: the payer, the payees and their accounts are the
 * same but for capitals, blanks and dashes, and so are amounts and currencies but for capitals and one rounding. Metadata do not count.
 */
export function isWrittenOtherwise(asked: TransactionWrite, found: Transaction): boolean {
  const { metadata: _, sender, ...rest } = asked;
  const { metadata: __, ...payer } = sender;
  const wished = {
    ...rest,
    sender: payer,
    input_currency: rest.input_currency.toUpperCase(),
    recipients: rest.recipients.map(plain),
  };
  const shown = {
    ...found,
    input_currency: found.input_currency?.toUpperCase(),
    recipients: found.recipients?.map(plain),
  };
  return transactionDifferences(wished, shown, isRounded).length === 0;
}

/** A recipient without what may be written in several ways. */
function plain<T extends RecipientWrite | Recipient>(recipient: T): T {
  const { metadata: _, requested_currency: currency, payout_method, ...rest } = inOneSpelling(recipient);
  const { metadata: __, ...account } = payout_method ?? {};
  return { ...rest, requested_currency: currency?.toUpperCase(), payout_method: account } as T;
}

/** A recipient whose details are in one spelling: two that differ in nothing else are one payment (decision 0007). */
export const inOneSpelling = <T extends RecipientWrite | Recipient>(recipient: T): T => ({
  ...recipient,
  payout_method: {
    ...recipient.payout_method,
    details: comparableDetails(recipient.payout_method?.details ?? {}),
  },
});

/** One step of a rounding that is known: to the decimals of the currency, or, in whole units, to a multiple of five (docs/wire.md 8). */
function isRounded(asked: unknown, found: unknown, currency: string): boolean {
  if (isSameAmount(asked, found, currency)) return true;
  const [left, right] = [toDecimal(asked), toDecimal(found)];
  const decimals = decimalsOf(currency);
  if (left === null || right === null || !eq(round(right, decimals, 'down'), right)) return false;
  const step = decimals === 0 && minorUnits(right, 0) % 5n === 0n ? '5' : fromMinorUnits(1n, decimals);
  const [low, high] = gt(left, right) ? [right, left] : [left, right];
  return gt(step, sub(high, low));
}

const NUMBERS = /account|iban|phone|number|code|card/i;

/** Details as they are compared: in one case and form, account numbers without blanks and dashes. */
export function comparableDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? spelt(name, value.normalize('NFKC').toUpperCase()) : value,
    ]),
  );
}

const spelt = (name: string, value: string): string =>
  NUMBERS.test(name) ? value.replace(/[\s-]/g, '') : value;

const EDITABLE =
  /^(?:recipients\.\d+\.(?:type|metadata\..+|payout_method\.(?:details|metadata)\..+)|payin_methods\.\d+\.in_details\..+|sender\.(?!id$|external_id$).+)$/;

/** True when only what an edit may have changed since differs: the record can still be the one that we asked for. */
export function isPerhapsEdited(differences: readonly string[]): boolean {
  return differences.length > 0 && differences.every((name) => EDITABLE.test(name));
}

/** Names of what an edit asked for and a recipient does not have. */
export function editDifferences(asked: RecipientEdit, found: Recipient): string[] {
  const { payout_method: method, metadata } = asked;
  return [
    ...detailDifferences(method?.details ?? {}, found.payout_method?.details ?? {}),
    ...prefixed('payout_method.metadata', method?.metadata, found.payout_method?.metadata),
    ...prefixed('metadata', metadata, found.metadata),
  ];
}

function prefixed(prefix: string, asked: Members, found: Members): string[] {
  return detailDifferences(asked ?? {}, found ?? {}).map((name) => `${prefix}.${name}`);
}
