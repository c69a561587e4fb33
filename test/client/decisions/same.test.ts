/** Whether a member of a record is the one that was asked for: the four answers. */
import { describe, expect, it } from 'vitest';
import {
  isAsAlikeAs,
  leastAlike,
  roundingStep,
  type Sameness,
  sameAmount,
  sameCurrency,
  sameMember,
  sameParty,
} from '../../../src/client/same.ts';
import { readExactly } from '../../../src/core/exact-numbers.ts';

describe('a member', () => {
  it.each<[string, unknown, unknown, Sameness]>([
    ['first_name', 'Ada', 'Ada', 'same'],
    ['first_name', 'Ada', 'ADA', 'written_otherwise'],
    ['first_name', 'José', 'Jose', 'written_otherwise'],
    ['first_name', 'Anne-Marie', 'ANNE MARIE', 'written_otherwise'],
    ['first_name', 'Ada', 'Eve', 'other'],
    ['first_name', 'Ada', undefined, 'cannot_tell'],
    ['first_name', 'Ada', '', 'cannot_tell'],
    ['middle_name', undefined, null, 'same'],
    ['middle_name', '', 'Eve', 'other'],
    ['bank_account', '0123456789', '012 345-6789', 'written_otherwise'],
    ['bank_account', '0123456789', '123456789', 'written_otherwise'],
    ['bank_account', '0123456789', '0123456788', 'other'],
    ['bank_account', '0123456789', '••••6789', 'cannot_tell'],
    ['bank_account', '0123456789', '******6789', 'cannot_tell'],
    ['bank_account', '0123456789', '01******89', 'cannot_tell'],
    ['bank_account', '0123456789', 'XXXXXX6789', 'cannot_tell'],
    ['bank_account', '0123456789', '••••6788', 'other'],
    ['bank_account', '0123456789', '02******89', 'other'],
    ['bank_account', '0123456789', '**********', 'cannot_tell'],
    ['bic', 'DEUTDEFFXXX', 'DEUTDEFFXXX', 'same'],
    ['bic', 'DEUTDEFFXXX', 'DEUTDEFF500', 'other'],
    ['bank_account', '123456789', '23456789', 'other'],
    ['phone_number', '+2348012345678', '08012345678', 'written_otherwise'],
    ['phone_number', '+2348012345678', '2348012345678', 'written_otherwise'],
    ['phone_number', '+2348012345678', '345678', 'other'],
    ['phone_number', '+2348012345678', '+2348012345679', 'other'],
    ['amount', readExactly('1.50'), 1.5, 'same'],
    ['amount', readExactly('1.50'), '1.50', 'same'],
    ['amount', readExactly('1.50'), 1.6, 'other'],
    ['flag', true, 'true', 'same'],
    ['tags', ['a', 'b'], ['a', 'B'], 'written_otherwise'],
    ['tags', ['a'], ['a', 'b'], 'other'],
    ['tags', ['a'], { 0: 'a' }, 'other'],
    ['tags', { a: '1', b: '2' }, { a: '1' }, 'cannot_tell'],
    ['tags', { a: '1' }, 'a', 'other'],
    ['tags', 'a', { a: '1' }, 'other'],
    ['tags', null, 'a', 'other'],
    ['bank_account', 'AB0123', 'AB123', 'other'],
    ['bank_account', 'GB0012', '0012', 'other'],
    ['bank_account', '12', 'AB12', 'other'],
    ['bank_account', '00123', '123', 'written_otherwise'],
    ['bank_account', '012345678', '12345678', 'written_otherwise'],
    ['bank_account', '0123456789', '0123\n••••89', 'cannot_tell'],
    ['bank_account', '0123456789', '0123••••8', 'other'],
    ['bank_account', '0123456789', 'XXX6789', 'other'],
    ['first_name', 'straße', 'STRASSE', 'written_otherwise'],
    ['first_name', 'Adaı', 'ADAI', 'written_otherwise'],
    ['phone_number', '8012345', '2348012345', 'written_otherwise'],
    ['phone_number', '801234', '234801234', 'other'],
    ['phone_number', '2348012345', '2348012', 'other'],
    ['phone_number', '0801234567', '234801234567', 'written_otherwise'],
  ])('%s asked as %j and shown as %j: %s', (name, asked, shown, answer) => {
    expect(sameMember(name, asked, shown)).toBe(answer);
  });
});

describe('a text about who pays', () => {
  it.each<[string, string, string, Sameness]>([
    ['first_name', 'Ada', 'ADA', 'written_otherwise'],
    ['first_name', '--', 'Ada', 'cannot_tell'],
    ['first_name', 'Ada', '--', 'cannot_tell'],
    ['document', '123456', 'DE123456', 'written_otherwise'],
    ['document', '12345', 'DE12345', 'other'],
    ['document', '123456', '123456', 'same'],
    ['document', '123456', '123456DE', 'other'],
    ['document', 'A12345', 'DEA12345', 'other'],
    ['document', '123456', 'DE123457', 'other'],
  ])('%s asked as %j and shown as %j: %s', (name, asked, shown, answer) => {
    expect(sameParty(name, asked, shown)).toBe(answer);
  });
});

it.each<[unknown, unknown, string, Sameness]>([
  ['10', 'x', 'EUR', 'other'],
  ['x', '10', 'EUR', 'other'],
  ['x', 'x', 'EUR', 'other'],
  ['10', '', 'EUR', 'cannot_tell'],
  ['25002', '25000', 'JPY', 'written_otherwise'],
  ['25001', '25002', 'JPY', 'other'],
  ['24995', '25000', 'JPY', 'other'],
  ['10.02', '10.01', 'EUR', 'other'],
  ['10.011', '10.02', 'EUR', 'written_otherwise'],
  ['10.5', '10.512', 'EUR', 'other'],
  ['10', '10.00', 'EUR', 'same'],
  ['10.4', '10', 'JPY', 'same'],
  ['24998', '25000', 'NGN', 'written_otherwise'],
  ['24998', '25000', 'EUR', 'other'],
  ['24998', '25000', 'JPY', 'written_otherwise'],
  ['24995', '25000', 'JPY', 'other'],
  ['24998', '24999', 'JPY', 'other'],
  ['10.005', '10', 'EUR', 'written_otherwise'],
  ['10.01', '10', 'EUR', 'other'],
  ['10', '10.4', 'JPY', 'other'],
  ['10', null, 'EUR', 'cannot_tell'],
])('%s and %s in %s: %s', (asked, shown, currency, answer) => {
  expect(sameAmount(asked, shown, currency)).toBe(answer);
});

it.each<[string, string | null, Sameness]>([
  ['EUR', 'EUR', 'same'],
  ['EUR', 'eur', 'written_otherwise'],
  ['EUR', 'USD', 'other'],
  ['EUR', null, 'cannot_tell'],
])('the currency %s and %s: %s', (asked, shown, answer) => {
  expect(sameCurrency(asked, shown)).toBe(answer);
});

it('several members are as alike as the least alike of them', () => {
  expect(leastAlike([])).toBe('same');
  expect(leastAlike(['written_otherwise', 'same'])).toBe('written_otherwise');
  expect(leastAlike(['cannot_tell', 'other', 'same'])).toBe('other');
  expect([isAsAlikeAs('cannot_tell', 'cannot_tell'), isAsAlikeAs('other', 'cannot_tell')]).toEqual([
    true,
    false,
  ]);
});

it.each<[string | undefined, string | undefined, Sameness]>([
  ['EUR', 'EUR', 'same'],
  ['EUR', 'eur', 'written_otherwise'],
  ['eur', 'EUR', 'written_otherwise'],
  ['EUR', 'USD', 'other'],
  ['EUR', undefined, 'cannot_tell'],
  ['EUR', '', 'cannot_tell'],
  [undefined, 'EUR', 'other'],
])('the currency %s shown as %s: %s', (asked, shown, answer) => {
  expect(sameCurrency(asked, shown)).toBe(answer);
});

it.each([
  ['JPY', '5'],
  ['EUR', '0.01'],
])('a provider rounds %s by %s at most', (currency, step) => {
  expect(roundingStep(currency)).toBe(step);
});
