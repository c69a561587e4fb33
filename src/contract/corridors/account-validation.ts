/**
 * Where an account can be checked, what the check needs and what it answers (docs/wire.md 5). Three kinds of answer: the holder's
 * name, the network of a number, the standing of a number.
 */
type AccountCheck = 'name' | 'telco' | 'status';

export interface ValidationMarket {
  check: AccountCheck;
  /** The payout type whose details are checked. */
  type: string;
  method: 'bank' | 'mobile';
  country: string;
  currency: string;
  required: readonly string[];
  optional?: readonly string[];
  /** The field of the answer. */
  result: 'account_name' | 'mapped_mobile_provider' | 'account_status';
  /** The mobile providers that this check serves. */
  providers?: readonly string[];
  inTransactions: boolean;
}

const RESULTS = { name: 'account_name', telco: 'mapped_mobile_provider', status: 'account_status' } as const;

type Row = Omit<ValidationMarket, 'result' | 'type' | 'inTransactions'> & { inTransactions?: boolean };

const byBank = (country: string, currency: string): Row => ({
  check: 'name',
  method: 'bank',
  country,
  currency,
  required: ['bank_account', 'bank_code'],
  inTransactions: true,
});
/** The IBAN is in BBAN form, without country and check digits. */
const byIban = (country: string): Row => ({
  check: 'name',
  method: 'bank',
  country,
  currency: 'XOF',
  required: ['iban'],
});
const byPhone = (
  check: AccountCheck,
  country: string,
  currency: string,
  providers: readonly string[],
  inTransactions = false,
): Row => ({
  check,
  method: 'mobile',
  country,
  currency,
  required: ['phone_number', 'mobile_provider'],
  providers,
  inTransactions,
});

const rows: readonly Row[] = [
  byBank('NG', 'NGN'),
  byBank('GH', 'GHS'),
  /* Airtel and Tigo are one network now, and every spelling is read; vodafone is documented and not served. */
  {
    ...byPhone('name', 'GH', 'GHS', ['airtel', 'tigo', 'airteltigo', 'mtn'], true),
    required: ['phone_number'],
    optional: ['mobile_provider'],
  },
  byPhone('name', 'UG', 'UGX', ['airtel']),
  byPhone('telco', 'BJ', 'XOF', ['moov', 'mtn'], true),
  byPhone('telco', 'BF', 'XOF', ['moov', 'orange'], true),
  byPhone('telco', 'CI', 'XOF', ['moov', 'mtn', 'orange'], true),
  byPhone('telco', 'SN', 'XOF', ['expresso', 'free', 'orange'], true),
  byPhone('telco', 'TG', 'XOF', ['moov', 'tmoney'], true),
  byPhone('telco', 'CM', 'XAF', ['orange'], true),
  byPhone('status', 'UG', 'UGX', ['mtn']),
  byPhone('status', 'CM', 'XAF', ['mtn'], true),
  byIban('BF'),
  byIban('BJ'),
  byIban('CI'),
  byIban('SN'),
  byIban('TG'),
];

export const validationMarkets: readonly ValidationMarket[] = rows.map((row) => ({
  inTransactions: false,
  ...row,
  type: `${row.currency}::${row.method === 'bank' ? 'Bank' : 'Mobile'}`,
  result: RESULTS[row.check],
}));

interface AccountQuestion {
  method: string;
  country: string;
  currency: string;
  mobileProvider?: string | undefined;
}

/** The market that answers a request; undefined where no check exists for it. */
export function findMarket({
  method,
  country,
  currency,
  mobileProvider,
}: AccountQuestion): ValidationMarket | undefined {
  return validationMarkets.find(
    (market) =>
      market.method === method &&
      market.country === country &&
      market.currency === currency &&
      (!market.providers || mobileProvider === undefined || market.providers.includes(mobileProvider)),
  );
}
