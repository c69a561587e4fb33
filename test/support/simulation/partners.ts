/** Several partners of one account, each with habits of its own: what it pays, in which currency, and how careful it is. */
import { askedDecimals } from '../../../src/core/currency.ts';
import { payoutDetails } from '../sandbox.ts';
import type { Dice, Kind } from './operations.ts';

export interface Payee {
  type: string;
  amount: string;
  currency: string;
  details: Record<string, string>;
}

export interface Partner {
  name: string;
  /** What it pays with. */
  currency: string;
  /** How much more, or less, often it does something than others. */
  habits: Partial<Record<Kind, number>>;
  payee(dice: Dice): Payee;
}

/** The last digits decide how the payout ends; those of the mobile types follow a country's prefix. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'NGN::Bank': [
    '0123456700',
    '0123456700',
    '0123456701',
    '0123456708',
    '0123456719',
    '0123456771',
    '9123456700',
  ],
  'GHS::Bank': ['0123456789100', '0123456789101', '0123456789118', '0123456789139'],
  'GHS::Mobile': ['+233302123400', '+233302123401', '+233302123418', '+233302123439'],
  'UGX::Mobile': ['+256772123400', '+256772123401', '+256772123418'],
  'XAF::Mobile': ['+237672123400', '+237672123401', '+237672123438', '+237672123409'],
  'XOF::Mobile': ['+221774123400', '+221774123401', '+221774123438', '+221774123469'],
  'MAD::Cash': ['+212612345678'],
  'ZAR::Bank': ['1234567890', '1234567891', '1234567892', '1234567893'],
};

const MOST: Readonly<Record<string, number>> = { NGN: 200_000, XOF: 90_000, GHS: 3_000 };

function payeeOf(types: readonly string[], currency: string): Partner['payee'] {
  return (dice) => {
    const type = dice.of(types);
    const output = type.slice(0, 3);
    const asked = dice.chance(0.2) ? output : currency;
    const details = payoutDetails(type, dice.of(ENDINGS[type] ?? ['reference']));
    if (dice.chance(0.05) && 'last_name' in details) details.last_name = 'Mismatch';
    return { type, amount: amountOf(dice, asked), currency: asked, details };
  };
}

function amountOf(dice: Dice, currency: string): string {
  const most = MOST[currency] ?? (currency === 'UGX' ? 200_000 : 250);
  const amount = dice.amount(most);
  return most > 10_000 || askedDecimals(currency) === 0 ? String(Math.ceil(Number(amount))) : amount;
}

export const partners: readonly Partner[] = [
  {
    name: 'wages',
    currency: 'EUR',
    habits: { pay: 2, collect: 0.2, read: 2 },
    payee: payeeOf(['NGN::Bank', 'NGN::Bank', 'GHS::Bank', 'GHS::Mobile'], 'EUR'),
  },
  {
    name: 'family',
    currency: 'GBP',
    habits: { create: 2, fund: 2, edit: 2, cancel: 1.5, collect: 0.2 },
    payee: payeeOf(['UGX::Mobile', 'XAF::Mobile', 'XOF::Mobile', 'NGN::Bank'], 'GBP'),
  },
  {
    name: 'shop',
    currency: 'GHS',
    habits: { collect: 5, payin_word: 4, payin_edit: 4, payin_retry: 4, payin_cancel: 3, refund_by_hand: 4 },
    payee: payeeOf(['GHS::Mobile', 'NGN::Bank'], 'GHS'),
  },
  {
    name: 'careless',
    currency: 'USD',
    habits: {
      repeat: 4,
      repeat_otherwise: 4,
      fund_again: 4,
      fund_and_cancel: 3,
      cancel_twice: 3,
      collect: 0.2,
    },
    payee: payeeOf(['NGN::Bank', 'XOF::Mobile', 'GHS::Mobile'], 'USD'),
  },
  {
    name: 'cash desk',
    currency: 'EUR',
    habits: { mandate: 5, cancel: 2, cancel_against_success: 3, collect: 0.2 },
    payee: payeeOf(['MAD::Cash', 'ZAR::Bank', 'ZAR::Bank', 'NGN::Bank'], 'EUR'),
  },
];
