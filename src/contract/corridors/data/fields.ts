/** Fields and requirements that many corridors share. */
import type { Member } from '../../personal.ts';
import type { Corridor, CorridorField, SenderRequirement } from '../corridor.ts';
import { EMAIL } from '../values.ts';

export const firstName: CorridorField = { name: 'first_name', label: 'First name', required: true, control: 'input' };
export const middleName: CorridorField = { name: 'middle_name', label: 'Middle name', required: false, control: 'input' };
export const lastName: CorridorField = { name: 'last_name', label: 'Last name', required: true, control: 'input' };
export const companyName: CorridorField = { name: 'name', label: 'Company name', required: true, control: 'input' };

export const phone: CorridorField = {
  name: 'phone_number',
  label: 'Mobile number',
  required: true,
  control: 'input',
  check: 'phone',
  note: 'international, such as +2348012345678, or national with phone_country',
};

/** A mobile number that money is sent to. */
export const mobileIn = (...countries: string[]): CorridorField => ({ ...phone, mobileOf: countries });

export const email: CorridorField = {
  name: 'email',
  label: 'Email',
  required: false,
  control: 'input',
  format: EMAIL,
  maxLength: 254,
};

export const bankAccount: CorridorField = {
  name: 'bank_account',
  routes: true,
  label: 'Account number',
  required: true,
  control: 'input',
};

/** An account of digits alone, at least and at most so many: wide, since no bank is to be missed. */
export const numberedAccount = (least: number, most: number): CorridorField => ({
  ...bankAccount,
  guard: 'digits',
  digits: [least, most],
});

export const bankCode = (options: string): CorridorField => ({
  name: 'bank_code',
  routes: true,
  label: 'Bank',
  required: true,
  control: 'select',
  options,
});

export const branchCode: CorridorField = {
  name: 'branch_code',
  routes: true,
  label: 'Branch code',
  required: false,
  control: 'input',
};

export const branchSelect = (options: string): CorridorField => ({
  ...branchCode,
  required: true,
  control: 'select',
  options,
});

export const sortCode: CorridorField = { name: 'sort_code', routes: true, label: 'Sort code', required: false, control: 'input', guard: 'sort_code' };

export const transferReason = (required: boolean): CorridorField => ({
  name: 'transfer_reason',
  label: 'Transfer reason',
  required,
  control: 'select',
  options: 'transfer_reason',
});

export const gender: CorridorField = {
  name: 'gender',
  label: 'Gender',
  required: true,
  control: 'select',
  options: { F: 'Female', M: 'Male' },
};

export const narration = (maxLength: number): CorridorField => ({
  name: 'narration',
  label: 'Payment reference text',
  required: false,
  control: 'input',
  maxLength,
  format: `^.{0,${maxLength}}$`,
  note: `at most ${maxLength} characters`,
});

export const bic: CorridorField = { name: 'bic', routes: true, label: 'BIC', required: false, control: 'input' };
export const bankName: CorridorField = { name: 'bank_name', label: 'Bank name', required: false, control: 'input' };
export const bankCountry = (options: Readonly<Record<string, string>>): CorridorField => ({
  name: 'bank_country',
  routes: true,
  label: 'Bank country',
  required: false,
  control: 'select',
  options,
});
export const iban = (required: boolean): CorridorField => ({
  name: 'iban',
  label: 'IBAN',
  required,
  control: 'input',
  check: 'iban',
  note: 'with its check digits, such as DE89370400440532013000',
});

export const street: CorridorField = {
  name: 'street',
  label: 'Street',
  required: false,
  control: 'input',
  note: 'with the house number',
};
export const postalCode: CorridorField = { name: 'postal_code', label: 'Postal code', required: false, control: 'input' };
export const city: CorridorField = { name: 'city', label: 'City', required: false, control: 'input' };
export const address: readonly CorridorField[] = [street, postalCode, city];

export const identityCardId: CorridorField = {
  name: 'identity_card_id',
  label: 'Identity document number',
  required: false,
  control: 'input',
};

export const registrationNumber: CorridorField = {
  name: 'registration_number',
  label: 'Registration number',
  required: false,
  control: 'input',
};

/** `providers` by the value of the `country` detail where there is more than one country. */
export const mobileProvider = (
  options: Readonly<Record<string, string>>,
  byCountry?: Readonly<Record<string, readonly string[]>>,
): CorridorField => ({
  name: 'mobile_provider',
  routes: true,
  label: 'Mobile provider',
  required: true,
  control: 'select',
  options,
  ...(byCountry ? { allowedBy: { field: 'country', values: byCountry } } : {}),
});

/** The sender's own document, of any type that the service knows. */
export const senderDocument: readonly SenderRequirement[] = [
  { field: 'identification_type', values: ['DL', 'ID', 'OT', 'PP'] },
  { field: 'identification_number' },
];

export const senderAddress: readonly SenderRequirement[] = [
  { field: 'street' },
  { field: 'city' },
  { field: 'postal_code' },
];

/** Nearly every corridor's older description lists a birth date that is not required. */
export const olderDetails: readonly Member[] = ['birth_date'];

type Usual =
  | 'currency'
  | 'kind'
  | 'cash'
  | 'mandate'
  | 'senderRequirements'
  | 'simplifiedSenders'
  | 'alsoAccepted'
  | 'notes';

/** Makes a corridor from what is particular about it. What is left out is as it is in most corridors. */
export function corridorOf({
  type,
  status,
  countries,
  recipientKinds,
  ...particular
}: Omit<Corridor, Usual> & Partial<Pick<Corridor, Usual>>): Corridor {
  const [currency = '', kind] = type.split('::');
  return {
    type,
    currency,
    kind: kind as Corridor['kind'],
    status,
    countries,
    cash: false,
    mandate: false,
    recipientKinds,
    senderRequirements: {},
    simplifiedSenders: true,
    alsoAccepted: olderDetails,
    notes: [],
    ...particular,
  };
}
