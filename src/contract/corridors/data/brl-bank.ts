import {
  bankAccount,
  bankCode,
  branchCode,
  city,
  corridorOf,
  firstName,
  identityCardId,
  lastName,
  middleName,
  phone,
  postalCode,
  senderDocument,
  transferReason,
} from './fields.ts';

const pix = ['pix_key_type', 'pix_key_value'];
const ted = ['bank_code', 'branch_code', 'bank_account', 'bank_account_type'];

export const corridor = corridorOf({
  type: 'BRL::Bank',
  status: 'active',
  countries: ['BR'],
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      { ...city, required: true },
      { ...postalCode, note: 'needed above 10000 USD a month or 50000 USD a year' },
      { ...identityCardId, required: true, note: 'CPF or CNPJ number' },
      transferReason(true),
      { ...phone, required: false, note: 'international, such as +5511987654321, or national with phone_country' },
      {
        name: 'pix_key_type',
        routes: true,
        label: 'PIX key type',
        required: false,
        control: 'select',
        options: {
          cnpj: 'Company tax number',
          cpf: 'Personal tax number',
          email: 'Email',
          evp: 'Random key',
          phone: 'Phone',
        },
        note: 'for a payout by PIX',
      },
      { name: 'pix_key_value', routes: true, label: 'PIX key', required: false, control: 'input', guard: 'pix', note: 'for a payout by PIX' },
      { ...bankCode('brl_banks'), required: false, alsoAccepted: ['212'], note: 'for a payout by TED' },
      { ...branchCode, note: 'for a payout by TED' },
      { ...bankAccount, guard: 'brazilian', digits: [4, 20], required: false, note: 'for a payout by TED' },
      {
        name: 'bank_account_type',
        routes: true,
        label: 'Account type',
        required: false,
        control: 'select',
        options: { '10': 'Savings', '20': 'Current', '30': 'Payment', '40': 'Salary' },
        note: 'for a payout by TED',
      },
    ],
  },
  requireOneOf: [pix, ted],
  variants: { pix, ted },
  senderRequirements: { person: senderDocument, business: senderDocument },
});
