/** What has to be typed in production, and what counts as that. */
import { describe, expect, it } from 'vitest';
import {
  asksToType,
  byAccount,
  byName,
  byPayouts,
  byRecipients,
  byTotal,
  type Confirmation,
  isConfirmed,
} from '../../../src/payments/confirmation.ts';

const NAME = byName('customer-1', 'Ada Obi');
const ADA = { bank_code: '044', bank_account: '0123456789' };
const eur = (amount: string | null | undefined) => ({ amount, currency: 'EUR' });

describe('what is asked for', () => {
  it.each<[string, Confirmation, string]>([
    ['one account', byRecipients([ADA], [eur('12.5')], NAME), 'Type the last four of the account (6789):'],
    [
      'one phone',
      byAccount({ phone_number: '+233302123400' }, NAME),
      'Type the last four of the account (3400):',
    ],
    [
      'one IBAN',
      byAccount({ iban: 'DE89370400440532013000' }, NAME),
      'Type the last four of the account (3000):',
    ],
    [
      'an account too short to show',
      byAccount({ bank_account: '12345' }, NAME),
      'Type the name (customer-1):',
    ],
    [
      'one recipient without an account',
      byRecipients([{}], [eur('1234.5')], NAME),
      'Type the total (1,234.50 EUR):',
    ],
    [
      'a payout to the balance, whose reference is no account',
      byRecipients([{ reference: 'order-2044' }], [eur('9')], NAME),
      'Type the total (9.00 EUR):',
    ],
    [
      'two recipients',
      byRecipients([ADA, ADA], [eur('12'), eur('8.5')], NAME),
      'Type the total (20.50 EUR):',
    ],
    [
      'two currencies',
      byTotal([eur('12'), { amount: '5', currency: 'GBP' }, eur('1')], NAME),
      'Type the total (13.00 EUR and 5.00 GBP):',
    ],
    ['an amount that nobody knows', byTotal([eur('12'), eur(null)], NAME), 'Type the name (customer-1):'],
    ['no amounts', byTotal([], NAME), 'Type the name (customer-1):'],
    [
      'payouts that exist',
      byPayouts([
        { output_amount: '10', output_currency: 'EUR' },
        { output_amount: '5', output_currency: 'EUR' },
      ]),
      'Type the total (15.00 EUR):',
    ],
    [
      'one payout that exists',
      byPayouts([{ output_amount: '10', output_currency: 'NGN', payout_method: { details: ADA } }]),
      'Type the last four of the account (6789):',
    ],
  ])('of %s', (_, confirmation, words) => expect(asksToType(confirmation)).toBe(words));
});

describe('what counts as typed', () => {
  const total = byTotal([eur('1234.5')], NAME);
  const both = byTotal([eur('1234.5'), { amount: '20', currency: 'GBP' }], NAME);
  const account = byAccount(ADA, NAME);
  it.each<[Confirmation, string, boolean]>([
    [total, '1,234.50 EUR', true],
    [total, '1234.50', true],
    [total, '1234.5', true],
    [total, ' 1,234.50 eur ', true],
    [total, '1,234.50 USD', false],
    [total, '1,23450', false],
    [total, '1234', false],
    [total, '1', false],
    [total, '234.50', false],
    [total, 'y', false],
    [total, '', false],
    [both, '1,234.50 EUR and 20.00 GBP', true],
    [both, '1234.5; 20', true],
    [both, '1234.5', false],
    [both, '20 and 1234.5', false],
    [both, '1,234.50 EUR and 20.00 EUR', false],
    [account, '6789', true],
    [account, '67 89', true],
    [account, '789', false],
    [account, '0123456789', false],
    [account, '••••6789', false],
    [account, 'yes', false],
    [NAME, 'customer-1', true],
    [NAME, 'Customer-1', true],
    [NAME, 'ada obi', true],
    [NAME, 'customer-10', false],
    [NAME, 'customer', false],
    [NAME, '', false],
  ])('%j: "%s" %s', (confirmation, typed, isRight) => expect(isConfirmed(confirmation, typed)).toBe(isRight));
});
