import type { Corridor, SenderRequirement } from '../corridor.ts';
import {
  bankAccount,
  bankCode,
  branchCode,
  firstName,
  lastName,
  middleName,
  olderDetails,
  phone,
  transferReason,
} from './fields.ts';

const sender: readonly SenderRequirement[] = [
  { field: 'identification_type', values: ['DL', 'ID', 'OT', 'PP'] },
  { field: 'identification_number' },
];
const pix = ['pix_key_type', 'pix_key_value'];
const ted = ['bank_code', 'branch_code', 'bank_account', 'bank_account_type'];

export const corridor: Corridor = {
  type: 'BRL::Bank',
  currency: 'BRL',
  kind: 'Bank',
  countries: ['BR'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      { name: 'city', label: 'City', required: true, control: 'input' },
      {
        name: 'postal_code',
        label: 'Postal code',
        required: false,
        control: 'input',
        note: 'needed above 10000 USD a month or 50000 USD a year',
      },
      {
        name: 'identity_card_id',
        label: 'Identity document number',
        required: true,
        control: 'input',
        note: 'CPF or CNPJ number',
      },
      transferReason(true),
      { ...phone, required: false, note: 'international, such as +5511987654321' },
      {
        name: 'pix_key_type',
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
      { name: 'pix_key_value', label: 'PIX key', required: false, control: 'input', note: 'for a payout by PIX' },
      { ...bankCode('brl_banks'), required: false, alsoAccepted: ['212'], note: 'for a payout by TED' },
      { ...branchCode, note: 'for a payout by TED' },
      { ...bankAccount, required: false, note: 'for a payout by TED' },
      {
        name: 'bank_account_type',
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
  senderRequirements: { person: sender, business: sender },
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: [],
};
