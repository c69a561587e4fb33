/** What one outcome means for its row and for the run, and that no reason repeats what was sent. */
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  type CallError,
  NetworkError,
  NotReadyError,
  UnreadableAnswerError,
} from '../../../src/client/errors.ts';
import type { Outcome } from '../../../src/client/outcome.ts';
import type { Transaction } from '../../../src/contract/resources/transaction.ts';
import type { FieldProblem } from '../../../src/core/problem.ts';
import type { PayRow } from '../../../src/runs/store/port.ts';
import { usedUp, verdictOn } from '../../../src/runs/verdict.ts';

const call = { operation: 'transactions.create_and_fund', nonce: 'n-1', effect: 'money' as const };
const answer = (status: number, ...fields: [string, ...string[]][]): ApiError =>
  new ApiError(status, call, {
    fields: fields.map(([path, ...words]): FieldProblem => ({ path, words })),
    meta: {},
    existing: {},
    resource: undefined,
    isOwn: true,
  });
const cut = (code = 'ECONNRESET') => new NetworkError('may_have_arrived', code, call, 'cut');
const row = { key: 'E-1', estimate: '10', inputCurrency: 'EUR' } as PayRow;
const on = (outcome: Outcome<Transaction>, tolerance = '0.1') => verdictOn(outcome, row, tolerance);
const notApplied = (error: CallError | undefined, why?: string) =>
  on({ kind: 'not_applied', error, ...(why === undefined ? {} : { why }) });

describe('what was applied', () => {
  it.each([
    ['10', '0.1', undefined],
    ['11', '0.1', undefined],
    ['10', '0', undefined],
    ['9', '0', undefined],
    [undefined, '0', undefined],
    ['11.01', '0.1', 'row E-1 cost 11.01 EUR, and 10.00 EUR was planned'],
    ['10.01', '0', 'row E-1 cost 10.01 EUR, and 10.00 EUR was planned'],
  ])('at %s with a tolerance of %s', (cost, tolerance, why) => {
    const value = {
      id: 't1',
      state: 'approved',
      input_amount: cost,
      recipients: [],
    } as unknown as Transaction;
    const verdict = on({ kind: 'applied', how: 'answered', value }, tolerance);
    expect(verdict.pause).toEqual(why && { code: 'dearer', why });
    // What the service does not say of the money: it is created, by the answer.
    expect(verdict).toMatchObject({ isTooMuch: false, news: { state: 'created', transactionId: 't1' } });
    expect(verdict).not.toHaveProperty('refusal');
  });

  it('is what the service says where it says more', () => {
    const value = {
      id: 't1',
      state: 'paid',
      input_amount: '10',
      recipients: [{ id: 'r1', state: 'success' }],
    };
    expect(on({ kind: 'applied', how: 'answered', value: value as Transaction }).news).toMatchObject({
      state: 'paid',
      recipientId: 'r1',
    });
  });
});

describe('what is unknown', () => {
  it.each<[string, ApiError | NetworkError | undefined, string, boolean, unknown]>([
    ['no answer', undefined, 'no_answer', false, undefined],
    ['a cut', cut(), 'econnreset', true, undefined],
    ['a 503', answer(503), 'http_503', true, undefined],
    ['a 500', answer(500), 'http_500', false, undefined],
    [
      'a 401',
      answer(401),
      'http_401',
      false,
      { code: 'key', why: 'the service did not accept the key (401)' },
    ],
    [
      'a 403',
      answer(403),
      'http_403',
      false,
      { code: 'key', why: 'the service did not accept the key (403)' },
    ],
  ])('after %s', (_, error, code, isTooMuch, pause) => {
    expect(on({ kind: 'unknown', error })).toEqual({
      news: { state: 'unknown', code, why: 'it is not known whether it was applied' },
      isTooMuch,
      ...(pause === undefined ? {} : { pause }),
    });
  });
});

it('what is refused after a try that nobody answered is unknown until that try is over', () => {
  const { news } = on({ kind: 'unknown', error: answer(422), overAt: Date.UTC(2026, 10, 25, 14, 5) });
  expect(news.why).toMatch(
    /^its first try had no answer, and the service refuses it now: settle it after 2026-11-25T1\d:05:00\S*, and where/,
  );
});

describe('another record', () => {
  it('that has the external id names what differs, as a file does', () => {
    const differences = ['recipients.0.requested_amount', 'recipients.0.bank_code', 'base'];
    expect(on({ kind: 'conflict', value: {}, differences })).toEqual({
      news: {
        state: 'conflict',
        code: 'external_id_taken',
        why: 'another transaction has this external id; it differs in amount, bank_code, the payment',
      },
      isTooMuch: false,
      refusal: 'external_id_taken',
    });
  });
});

it('an id whose transaction is not funded says so, and a used up one names what became of it', () => {
  const differences = ['state: it exists and is not funded'];
  expect(on({ kind: 'conflict', value: {}, differences }).news).toEqual({
    state: 'conflict',
    code: 'external_id_taken',
    why: 'a transaction with this external id was created, and is not funded',
  });
  expect(usedUp('refunded')).toEqual({
    news: {
      state: 'refused',
      code: 'external_id_used_up',
      why: 'its external id names a payment that was refunded, for ever: nobody is paid under it any more',
    },
    isTooMuch: false,
    refusal: 'external_id_used_up',
  });
});

describe('what was not applied', () => {
  it('for good is refused', () => {
    expect(notApplied(undefined, 'it expired')).toEqual({
      news: { state: 'refused', code: 'never_funded', why: 'it expired' },
      isTooMuch: false,
      refusal: 'never_funded',
    });
  });

  it.each<[string, CallError | undefined, string, string, boolean, unknown]>([
    ['nothing left', undefined, 'no_answer', 'it did not reach the service', true, undefined],
    [
      'a connection was refused',
      cut('ECONNREFUSED'),
      'econnrefused',
      'it did not reach the service',
      true,
      undefined,
    ],
    [
      'the key was refused before it',
      new NotReadyError(answer(401)),
      'http_401',
      'the service did not accept the key (401)',
      false,
      { code: 'key', why: 'the service did not accept the key (401)' },
    ],
    [
      'the key was forbidden before it',
      new NotReadyError(answer(403)),
      'http_403',
      'the service did not accept the key (403)',
      false,
      { code: 'key', why: 'the service did not accept the key (403)' },
    ],
    [
      'a read before it was not found',
      new NotReadyError(answer(404)),
      'http_404',
      'the service answered a read with 404',
      false,
      { code: 'key', why: 'the service answered a read with 404' },
    ],
    [
      'nothing answered before it',
      new NotReadyError(new NetworkError('not_sent', 'ECONNREFUSED', call, 'no')),
      'econnrefused',
      'the service did not answer',
      true,
      undefined,
    ],
    [
      'a page answered before it',
      new NotReadyError(new UnreadableAnswerError(200, call, 'no JSON')),
      'no_answer',
      'the service did not answer as it should: no JSON',
      false,
      { code: 'key', why: 'the service did not answer as it should: no JSON' },
    ],
    [
      'the balance was too small',
      answer(422, ['base', 'blank'], ['input_amount', 'x', 'insufficient_balance']),
      'blank',
      'the balance was too small',
      false,
      { code: 'balance', why: 'the balance is too small' },
    ],
    ['there was too much to do', answer(429), 'http_429', 'the service answered 429', true, undefined],
    ['the service was down', answer(503), 'http_503', 'the service answered 503', true, undefined],
    [
      'the corridor is closed',
      answer(422, ['recipients.0.payout_method.type', 'invalid']),
      'invalid',
      'type is not valid',
      false,
      { code: 'corridor', why: 'the service does not take this payout type now: type is not valid' },
    ],
  ])('since %s is planned again', (_, error, code, why, isTooMuch, pause) => {
    expect(notApplied(error)).toEqual({
      news: { state: 'planned', code, why },
      isTooMuch,
      ...(pause === undefined ? {} : { pause }),
    });
  });

  it.each<[[string, ...string[]][], string, string]>([
    [[], 'http_422', 'the service answered 422'],
    [
      [['recipients.0.payout_method.details.bank_account', 'invalid']],
      'invalid',
      'bank_account is not valid',
    ],
    [[['requested_amount', 'blank', 'too_small']], 'blank', 'amount is missing and is too small'],
    [[['requested_currency', 'invalid']], 'invalid', 'currency is not valid'],
    [[['payout_method', 'invalid']], 'invalid', 'the payout method is not valid'],
    [[['main_error', 'not_now']], 'not_now', 'the payment is not now'],
    [
      [
        ['base', 'blank'],
        ['phone_number', 'taken'],
      ],
      'blank',
      'the payment is missing; phone_number is taken already',
    ],
    [[['sender.email', 'invalid']], 'invalid', 'of the sender: email is not valid'],
    [
      [
        ['sender.email', 'invalid'],
        ['base', 'blank'],
      ],
      'invalid',
      'the payment is missing; of the sender: email is not valid',
    ],
    [[['sender', 'invalid']], 'invalid', 'sender is not valid'],
    // A sentence of the service may repeat an account number.
    [[['bank_account', 'Account 0123456789 is closed']], 'http_422', 'bank_account is refused'],
    [[['bank_account', 'x', 'closed account', 'ab']], 'ab', 'bank_account is ab'],
    [[['bank_account', 'closed account', 'invalid', 'Closed']], 'invalid', 'bank_account is not valid'],
    [[['bank_account', 'a'.repeat(40)]], 'a'.repeat(40), `bank_account is ${'a'.repeat(40)}`],
    [[['bank_account', 'a'.repeat(41)]], 'http_422', 'bank_account is refused'],
    [[['payout_method.type.other', 'invalid']], 'invalid', 'other is not valid'],
  ])('for %j is refused', (fields, code, why) => {
    expect(notApplied(answer(422, ...fields))).toEqual({
      news: { state: 'refused', code, why },
      isTooMuch: false,
      refusal: `422 ${why}`,
    });
  });
});
