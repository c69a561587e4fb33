import type { Member } from '../../contract/personal.ts';

interface Named {
  name?: unknown;
  first_name?: unknown;
  middle_name?: unknown;
  last_name?: unknown;
}

/** A business's name, or a person's names in order; empty when there is none. */
export function fullName(who: (Named & object) | Record<string, unknown> | null | undefined): string {
  if (!who) return '';
  if (typeof who.name === 'string' && who.name !== '') return who.name;
  return [who.first_name, who.middle_name, who.last_name]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}

/** The first that is there. */
const ACCOUNT_FIELDS = [
  'bank_account',
  'iban',
  'phone_number',
  'pix_key_value',
  'address',
  'account_number',
  'refund_address',
] as const satisfies readonly Member[];

export const isAccountField = (name: string): boolean => ACCOUNT_FIELDS.some((one) => one === name);

/** Returns the account that the money goes to; undefined for a payout to the balance, which has none. */
export function accountIn(details: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const account = ACCOUNT_FIELDS.map((name) => details?.[name]).find(
    (value) => value !== undefined && value !== null,
  );
  return account === undefined ? undefined : String(account);
}

/** Where a payout goes, in a few words: `044 ••••6789`. */
export function payoutAccountOf(details: Record<string, unknown> | null | undefined): string {
  // A payout to the balance is named by its reference.
  const account = accountIn(details) ?? details?.reference;
  const bank = details?.bank_code ?? details?.mobile_provider ?? details?.cash_provider;
  return [bank, account].filter((part) => part !== undefined && part !== null).join(' ');
}
