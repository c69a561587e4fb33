/** Payin types: how money is collected, what each flow asks and what it answers (docs/wire.md 11). */
import type { Member } from '../personal.ts';
import type { CorridorField } from './corridor.ts';

type UxFlow =
  | 'ussd_popup'
  | 'ussd_voucher'
  | 'ussd_menu_approval'
  | 'otp_verified_ussd_popup'
  | 'bank_transfer'
  | 'http_redirect'
  | 'blockchain'
  | 'unknown';

export interface PayinFlow {
  inDetails: readonly CorridorField[];
  /** Names in `out_details` and what kind of value each has; `style` is a fixed word. */
  outDetails: Readonly<Partial<Record<Member, string>>>;
  /** The text that tells the sender what to do: on the wire the same every time, under the name of the flow. */
  instructions?: string;
  /** A code must be handed in before the collection starts. */
  asksCode?: true;
  /** No longer offered to new partners; the sandbox still plays it. */
  retired?: true;
}

export interface PayinType {
  type: string;
  currency: string;
  countries: readonly string[];
  /** The provider lets the sender pay another amount than asked (docs/wire.md 11). */
  permitsWrongAmount: boolean;
  flows: Partial<Record<UxFlow, PayinFlow>>;
}

const phone: CorridorField = {
  name: 'phone_number',
  label: 'Mobile number',
  required: true,
  control: 'input',
  check: 'phone',
  note: 'international, such as +233302123400',
};
const select = (
  name: Member,
  label: string,
  options: Record<string, string>,
  required = true,
): CorridorField => ({
  name,
  label,
  required,
  control: 'select',
  options,
});
const provider = (options: Record<string, string>) => select('mobile_provider', 'Mobile provider', options);
const input = (name: Member, label: string, required: boolean): CorridorField => ({
  name,
  label,
  required,
  control: 'input',
});
const texts = (...names: Member[]): Partial<Record<Member, string>> =>
  Object.fromEntries(names.map((name) => [name, 'text']));

const bankDetails: readonly Member[] = ['BIC', 'Bank Address', 'Beneficiary Address', 'Reference'];

const rows: readonly Omit<PayinType, 'currency'>[] = [
  {
    type: 'GHS::Mobile',
    countries: ['GH'],
    permitsWrongAmount: true,
    flows: {
      ussd_popup: {
        inDetails: [phone, provider({ airtel: 'Airtel', mtn: 'MTN', tigo: 'Tigo', vodafone: 'Vodafone' })],
        outDetails: {},
      },
      ussd_menu_approval: {
        inDetails: [phone, provider({ mtn: 'MTN' })],
        outDetails: {
          style: 'ussd_menu_approval',
          menu_option: 'text',
          requires_pin: 'flag',
          dialing_number: 'text',
        },
        instructions:
          'Dial the number, choose the menu option and approve the payment there, with the PIN where one is asked for.',
      },
      otp_verified_ussd_popup: {
        inDetails: [phone, provider({ mtn: 'MTN' }), input('otp', 'One-time code', false)],
        outDetails: {},
        asksCode: true,
      },
    },
  },
  {
    type: 'UGX::Mobile',
    countries: ['UG'],
    permitsWrongAmount: true,
    flows: { ussd_popup: { inDetails: [phone], outDetails: {} } },
  },
  {
    type: 'XOF::Mobile',
    countries: ['CI', 'SN'],
    permitsWrongAmount: false,
    flows: {
      ussd_voucher: {
        inDetails: [
          phone,
          provider({ orange: 'Orange' }),
          select('country', 'Country', { CI: 'Ivory Coast', SN: 'Senegal' }),
          input('otp', 'One-time code', true),
        ],
        outDetails: { style: 'info' },
      },
      ussd_popup: {
        inDetails: [phone, provider({ mtn: 'MTN' }), select('country', 'Country', { CI: 'Ivory Coast' })],
        outDetails: { style: 'info' },
      },
    },
  },
  {
    type: 'NGN::Bank',
    countries: ['NG'],
    permitsWrongAmount: true,
    flows: {
      bank_transfer: {
        inDetails: [
          { ...phone, required: false },
          input('account_name', 'Account name', false),
          input('account_number', 'Account number', false),
        ],
        outDetails: {
          style: 'bank_transfer',
          amount: 'number',
          ...texts('bank_code', 'bank_name', 'reference', 'account_name', 'account_number'),
          checkout_url: 'url',
        },
        instructions:
          'Transfer the amount to the account shown and give the reference, or pay on the checkout page.',
      },
      http_redirect: {
        inDetails: [
          input('redirect_url', 'Redirect URL', false),
          select('payment_method', 'Payment method', { bank: 'Bank', card: 'Card' }, false),
        ],
        outDetails: { style: 'redirect', url: 'url', ...texts('Bank Name', 'Account Number') },
        retired: true,
      },
    },
  },
  {
    type: 'EUR::Bank',
    countries: [],
    permitsWrongAmount: false,
    flows: {
      bank_transfer: {
        inDetails: [],
        outDetails: { style: 'info', ...texts('Account Name', 'IBAN', ...bankDetails) },
      },
    },
  },
  {
    type: 'GBP::Bank',
    countries: ['GB'],
    permitsWrongAmount: false,
    flows: {
      bank_transfer: {
        inDetails: [],
        outDetails: {
          style: 'info',
          ...texts('Account Name', 'Account Number', 'Sort Code', 'IBAN', ...bankDetails),
        },
      },
    },
  },
  {
    type: 'BTC',
    countries: [],
    permitsWrongAmount: false,
    flows: {
      blockchain: {
        inDetails: [input('refund_address', 'Refund address', true)],
        outDetails: { url: 'url', Address: 'text' },
      },
    },
  },
];

export const payinTypes: readonly PayinType[] = rows.map((row) => ({
  ...row,
  currency: row.type.split('::')[0] ?? row.type,
}));

export function payinType(type: string): PayinType | undefined {
  return payinTypes.find((row) => row.type === type);
}
