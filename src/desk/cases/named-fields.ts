/** Which payout details the reason of a failure is about (docs/wire.md 9): these are what a correction most likely changes. */
import type { Recipient } from '../../contract/resources/transaction.ts';

const ACCOUNT = ['bank_account', 'iban', 'pix_key_value', 'phone_number', 'bank_code', 'mobile_provider'];
const PHONE = ['phone_number', 'mobile_provider'];
const NAMES = ['first_name', 'last_name', 'middle_name', 'name'];

const BY_CODE: Readonly<Record<string, readonly string[]>> = {
  '411': ['card_number', ...ACCOUNT],
  '412': PHONE,
  '413': ['mobile_provider', 'phone_number'],
  '414': PHONE,
  '416': ACCOUNT,
  '431': ACCOUNT,
  '432': ACCOUNT,
  '433': ACCOUNT,
  '44': NAMES,
};

/** The likeliest first; empty where the reason names none. */
export const fieldsNamedBy = ({ state_reason_details: details }: Recipient): readonly string[] =>
  BY_CODE[details?.code ?? ''] ?? [];
