/**
 * How a payout ends, by the last digits of the recipient's account or phone number; the longest ending that matches wins.
 * Numbers with no ending in the table are paid. Each ending names the code that the provider answers with.
 */
import { byWord } from '../core/by-word.ts';

interface OutcomeTable {
  type: string;
  field: 'bank_account' | 'phone_number';
  /** Only where this payout detail has this value. */
  when?: { field: 'mobile_provider' | 'country'; value: string };
  /** One or two trailing digits to the provider's code: 0 paid, 14 pending, the rest errors. */
  endings: Readonly<Record<string, string>>;
}

const ghs = { '00': '0', '01': '14', '18': '3', '19': '5', '39': '421' };
const cfa = { '00': '0', '01': '14', '38': '3', '09': '531', '69': '42' };

export const payoutOutcomes: readonly OutcomeTable[] = [
  { type: 'GHS::Bank', field: 'bank_account', endings: ghs },
  { type: 'GHS::Mobile', field: 'phone_number', endings: ghs },
  {
    type: 'NGN::Bank',
    field: 'bank_account',
    endings: { '00': '0', '01': '14', '08': '3', '19': '416', '71': '511' },
  },
  {
    type: 'UGX::Mobile',
    field: 'phone_number',
    when: { field: 'mobile_provider', value: 'airtel' },
    endings: { '00': '0', '11': '14', '18': '331', '19': '42', '49': '5' },
  },
  {
    type: 'UGX::Mobile',
    field: 'phone_number',
    when: { field: 'mobile_provider', value: 'mtn' },
    endings: { '0': '0', '1': '14', '18': '331', '09': '414' },
  },
  {
    type: 'XAF::Mobile',
    field: 'phone_number',
    when: { field: 'country', value: 'CM' },
    endings: cfa,
  },
  {
    type: 'XAF::Mobile',
    field: 'phone_number',
    when: { field: 'country', value: 'GA' },
    endings: { '0': '0', '1': '14', '08': '3', '09': '423' },
  },
  { type: 'XOF::Mobile', field: 'phone_number', endings: cfa },
];

/**
 * How a collection ends by itself, by the sender's phone number: 0 collected, the rest errors.
 * @assumes payin-endings
 */
const payinEndings: Readonly<Record<string, Readonly<Record<string, string>>>> = byWord({
  'XOF::Mobile': { '0': '0', '9': '412' },
});

type Details = Readonly<Record<string, unknown>>;

/** The code that the provider answers a payout with. @assumes payout-endings */
export function payoutCode(type: string, details: Details): string {
  const table = payoutOutcomes.find(
    (row) => row.type === type && (!row.when || details[row.when.field] === row.when.value),
  );
  return (table && byEnding(table.endings, details[table.field])) ?? '0';
}

/** The code that a collection ends with, or null when it waits for the money. */
export function payinCode(type: string, details: Details): string | null {
  return byEnding(payinEndings[type] ?? {}, details.phone_number) ?? null;
}

function byEnding(endings: Readonly<Record<string, string>>, number: unknown): string | undefined {
  const text = String(number ?? '');
  return endings[text.slice(-2)] ?? endings[text.slice(-1)];
}

const fails: Readonly<Record<string, (details: Details) => boolean>> = byWord({
  'GHS::Bank': (details) => text(details.bank_account).startsWith('9'),
  'NGN::Bank': (details) => text(details.bank_account).startsWith('9'),
  'GHS::Mobile': (details) => /[89]$/.test(text(details.phone_number)),
  'UGX::Mobile': (details) =>
    text(details.phone_number).endsWith(text(details.mobile_provider) === 'mtn' ? '19' : '29'),
});

/**
 * Tells which accounts exist in the sandbox. GHS and NGN accounts that start with 9 and GHS mobile numbers that end
 * in 8 or 9 do not; for Uganda, airtel numbers ending in 29 do not, and mtn numbers ending in 19 are
 * inactive. All others do.
 * @assumes account-exists
 */
export function accountExists(type: string, details: Details): boolean {
  return !(fails[type]?.(details) ?? false);
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
