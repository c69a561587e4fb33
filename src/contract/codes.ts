/**
 * Why a payout or a collection stands where it stands: codes and categories of `state_reason_details`
 * (docs/wire.md 14). They explain and group for people; no automatic write, retry or exit
 * code follows from them (docs/rules.md 4). The category of a code comes from this table, never from its first digit:
 * 541 and 543 are recipient errors.
 */
import { type PayinCategory, payinCategories, type RecipientCategory } from './categories.ts';

export interface CodeInfo {
  code: string;
  category: RecipientCategory;
  /** Three tiers, each adding detail, as the wire has them. */
  messages: readonly [string, string, string];
  description: string;
}

type Row = readonly [code: string, category: RecipientCategory, messages: string, description: string];

/** Tiers are parted by `|`; those left out repeat the one before. */
const rows: readonly Row[] = [
  ['0', 'paid', 'Success', 'the money was paid out'],
  ['1', 'pending', 'Pending', 'no outcome reported yet'],
  ['11', 'pending', 'Pending|Unknown', 'outcome unknown; the provider has not given a status yet'],
  [
    '12',
    'timeout_error',
    'Pending|Timeout error',
    'the call to the provider timed out; the status is asked for later',
  ],
  [
    '13',
    'manual_reconciliation_required',
    'Pending|Manual reconciliation required',
    'the operator must check this payout by hand',
  ],
  ['14', 'pending', 'Pending', 'the provider accepted it and the result is awaited'],
  ['15', 'pending', 'Pending|Unauthorized error', 'the provider refused the call; a status is still awaited'],
  ['16', 'pending', 'Pending', 'held at the provider for an anti-money-laundering review'],
  ['17', 'pending', 'Pending|Reset rate required', 'waits until the exchange rate is refreshed'],
  [
    '18',
    'pending',
    'Pending|Pending|RFI request',
    'held by compliance: the operator asked you for more information',
  ],
  ['2', 'recipient_action_required', 'User action required', 'someone on the receiving side has to act'],
  ['21', 'recipient_action_required', 'User action required|Pickupable', 'the cash is ready to be collected'],
  [
    '22',
    'recipient_action_required',
    'User action required|Mandate signing required',
    'a mandate must be signed before the money can be paid in',
  ],
  [
    '23',
    'recipient_action_required',
    'User action required|OTP verification required',
    'a one-time code must be confirmed',
  ],
  [
    '3',
    'temporary_error',
    'Temporary error|Provider Error|Undefined provider error',
    'the provider takes no payouts at the moment',
  ],
  [
    '31',
    'temporary_error',
    'Temporary error|Switch Error|Undefined switch error',
    'the national payment switch takes no transfers at the moment',
  ],
  [
    '311',
    'temporary_error',
    'Temporary error|Switch Error|Issuer/Switch inoperative',
    'the issuer or the switch is down',
  ],
  [
    '32',
    'temporary_error',
    'Temporary error|User bank error|Undefined bank error',
    "the recipient's bank takes no transfers at the moment",
  ],
  [
    '321',
    'temporary_error',
    'Temporary error|User bank error|Beneficiary bank not available',
    "the recipient's bank cannot be reached",
  ],
  [
    '33',
    'temporary_error',
    'Temporary error|Not Found|Transaction code already exists',
    'the payout could not be set up because its code was taken',
  ],
  [
    '331',
    'temporary_error',
    'Temporary error|Not Found|Transaction does not exist',
    'the provider does not know this payout',
  ],
  [
    '34',
    'temporary_error',
    'Temporary error|Suspected Duplicate Transaction',
    'the provider suspects a duplicate; the next try is about a quarter of an hour later',
  ],
  [
    '4',
    'recipient_error',
    'User Error|User error|Unspecified user error',
    'the recipient details were refused, and no reason was given',
  ],
  ['41', 'recipient_error', 'User Error|Invalid user details', 'the recipient details are wrong'],
  [
    '411',
    'recipient_error',
    'User Error|Invalid user details|Invalid card number',
    'the card number is wrong',
  ],
  [
    '412',
    'recipient_error',
    'User Error|Invalid user details|Invalid mobile number',
    'the mobile number is wrong',
  ],
  [
    '413',
    'recipient_error',
    'User Error|Invalid user details|Mobile number not registered for network',
    'the mobile number does not belong to the chosen network',
  ],
  [
    '414',
    'recipient_error',
    'User Error|Invalid user details|Mobile number not registered for mobile money',
    'the mobile number has no wallet',
  ],
  [
    '415',
    'recipient_error',
    'User Error|Invalid user details|Invalid OTP Error',
    'the one-time code was wrong or too old',
  ],
  [
    '416',
    'recipient_error',
    'User Error|Invalid user details|Invalid account number',
    'the account number is wrong',
  ],
  ['42', 'recipient_error', 'User Error|Exceeded limits', 'a transfer limit was exceeded'],
  [
    '421',
    'recipient_error',
    'User Error|Exceeded limits|Exceeded daily transfer limits',
    'the daily transfer limit was exceeded',
  ],
  [
    '422',
    'recipient_error',
    'User Error|Exceeded limits|Bank approval required for transfer',
    'the bank must approve this transfer first',
  ],
  ['423', 'recipient_error', 'User Error|Exceeded limits|Maximum Balance exceeded', 'the account is full'],
  [
    '43',
    'recipient_error',
    'User Error|User action required|User not allowed to receive funds',
    'the recipient may not receive money on this account',
  ],
  [
    '431',
    'recipient_error',
    'User Error|User action required|User account is dormant',
    'the account is dormant',
  ],
  [
    '432',
    'recipient_error',
    'User Error|User action required|User account has invalid status',
    'the account is in a state that blocks deposits',
  ],
  [
    '433',
    'recipient_error',
    'User Error|User action required|User did not take action within the required time window',
    'the recipient did not act in time',
  ],
  [
    '434',
    'recipient_error',
    'User Error|User action required|User account has insufficient funds',
    'the account holds too little money',
  ],
  [
    '44',
    'recipient_error',
    'User Error|Validation error|Name validation failed',
    'the name of the account holder differs from the name of the recipient',
  ],
  [
    '45',
    'recipient_error',
    'User Error|Validation error|Invalid amount',
    'the amount is not accepted for this payout',
  ],
  [
    '5',
    'sender_error',
    'Sender / Regulatory Error|Transaction error|Unspecified transaction error',
    'the payout cannot be processed',
  ],
  [
    '51',
    'sender_error',
    'Sender / Regulatory Error|AML suspicion|An AML suspicion alert was raised',
    'an anti-money-laundering alert was raised',
  ],
  [
    '511',
    'sender_error',
    'Sender / Regulatory Error|AML suspicion|Sender not allowed to transact',
    'the sender is barred',
  ],
  [
    '52',
    'sender_error',
    'Sender / Regulatory Error|Invalid sender details',
    'the sender details were refused',
  ],
  [
    '53',
    'sender_error',
    'Sender / Regulatory Error|Invalid transaction details',
    'the transaction details were refused',
  ],
  [
    '531',
    'sender_error',
    'Sender / Regulatory Error|Invalid transaction details|Invalid amount provided',
    'the amount was refused',
  ],
  [
    '54',
    'sender_error',
    'Sender / Regulatory Error|Explicit cancellation requested',
    'a cancel was requested from the provider',
  ],
  [
    '541',
    'recipient_error',
    'Sender / Regulatory Error|Explicit cancellation requested|Explicit cancellation requested by user',
    'the receiving side cancelled',
  ],
  [
    '542',
    'sender_error',
    'Sender / Regulatory Error|Explicit cancellation requested|Explicit cancellation requested by sender',
    'the sender cancelled',
  ],
  [
    '543',
    'recipient_error',
    'Sender / Regulatory Error|Explicit cancellation requested|Explicit cancellation requested by provider',
    'the provider cancelled',
  ],
];

const byCode: ReadonlyMap<string, CodeInfo> = new Map(
  rows.map(([code, category, text, description]) => [
    code,
    { code, category, messages: tiers(text), description },
  ]),
);

function tiers(text: string): [string, string, string] {
  const [one = '', two = one, three = two] = text.split('|');
  return [one, two, three];
}

export const recipientCodes: readonly CodeInfo[] = [...byCode.values()];

/** A code as the wire has it, a text or (in older payloads) a number. */
export function codeInfo(code: string | number): CodeInfo | undefined {
  return byCode.get(String(code));
}

/** Collections use the recipient codes; two categories have other names there. */
export function payinCategoryOf(code: string | number): PayinCategory | undefined {
  const category = codeInfo(code)?.category;
  if (category === undefined) return undefined;
  if (category === 'recipient_action_required') return 'sender_action_required';
  if (category === 'recipient_error') return 'invalid_user_data_error';
  return Object.hasOwn(payinCategories, category) ? (category as PayinCategory) : 'pending';
}
