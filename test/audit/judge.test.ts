/** The verdict, kind by kind, on runs that are told as data: by payment, out of the ledger. */
import { describe, expect, it } from 'vitest';
import { classifyCase } from '../../src/audit/judge.ts';
import { type Transfer, wishedOf } from '../../src/audit/payments.ts';
import type { RelayedRequest } from '../../src/audit/relay.ts';
import type { CaseRun } from '../../src/audit/run-case.ts';

const payment = (more: Partial<Transfer> = {}): Transfer => ({
  corridor: 'NGN::Bank EUR',
  account: '0123456700',
  amount: '25.50',
  sender: 'Ada Okafor',
  details: { bank_code: '"044"', bank_account: '"0123456700"' },
  money: 'gone',
  ...more,
});

const runOf = (
  payments: Transfer[],
  { ok = true, exchanges = [] as RelayedRequest[], isMet = true } = {},
): CaseRun => ({
  case: [{ way: 'cut', write: 'a55ae8', nth: 1 }],
  endings: [{ ok, answer: 'exit', ms: 1 }],
  deliveries: [],
  printed: '',
  payments,
  exchanges,
  isMet,
});

function verdictOn(
  run: CaseRun,
  wishedFor: Transfer[] = [payment()],
  more: { same?: number; mustPay?: boolean } = {},
) {
  const wished = wishedOf(wishedFor, wishedFor, more.same ?? 0);
  if (wished === undefined) throw new Error('two equal runs have a wish');
  return classifyCase(run, { wished, mustPay: more.mustPay ?? false });
}

const kinds = (...args: Parameters<typeof verdictOn>) =>
  verdictOn(...args).findings.map(({ kind, count }) => [kind, count]);

it('once is as wished, and twice is found with any id', () => {
  expect(verdictOn(runOf([payment()])).ended).toBe('as_wished');
  expect(kinds(runOf([payment(), payment(), payment()]))).toEqual([['paid_twice', 2]]);
});

it('money that came back, or never left, is no payment', () => {
  expect(
    verdictOn(runOf([payment(), payment({ money: 'back' }), payment({ money: 'unfunded' })])).ended,
  ).toBe('as_wished');
});

it('what two runs pay several times may be paid so often, and a wish allows more of the same alone', () => {
  const twice = [payment(), payment()];
  expect(kinds(runOf(twice), twice)).toEqual([]);
  expect(kinds(runOf([...twice, payment()]), twice)).toEqual([['paid_twice', 1]]);
  expect(kinds(runOf([...twice, payment()]), twice, { same: 3 })).toEqual([]);
  expect(kinds(runOf([payment(), payment({ amount: '99.00' })]), [payment()], { same: 3 })).toEqual([
    ['other_details', 1],
  ]);
});

it.each([
  ['another account', payment({ account: '0123456999' }), 'other_details'],
  ['another amount', payment({ amount: '26.00' }), 'other_details'],
  [
    'another bank, the same account',
    payment({ details: { ...payment().details, bank_code: '"058"' } }),
    'other_details',
  ],
  ['nothing like a wish', payment({ account: '1', amount: '2', sender: 'Bola' }), 'not_wished'],
])('%s is told from a second payment', (_, other, kind) => {
  expect(kinds(runOf([other]), undefined, { mustPay: false })).toContainEqual([kind, 1]);
});

describe('of a payee is compared', () => {
  const withMemo = (memo: string, code = '"044"'): Transfer =>
    payment({ details: { ...payment().details, bank_code: code, memo } });
  const wished = wishedOf([withMemo('"at 10:01"')], [withMemo('"at 10:02"')], 0);

  it('each member that is the same in both runs, whatever another one is', () => {
    if (wished === undefined) throw new Error('they differ in a memo alone');
    expect([...(wished.leftDetails.get('NGN::Bank EUR') ?? [])]).toEqual(['memo']);
    const kindsFor = (one: Transfer) =>
      classifyCase(runOf([one]), { wished, mustPay: false }).findings.map(({ kind }) => kind);
    expect(kindsFor(withMemo('"at 10:03"'))).toEqual([]);
    expect(kindsFor(withMemo('"at 10:03"', '"058"'))).toEqual(['other_details']);
    // A member that was always there and is missing is other than it was.
    expect(kindsFor(payment({ details: { bank_code: '"044"', memo: '""' } }))).toEqual(['other_details']);
  });

  it('by corridor: a memo that differs in one is compared in another', () => {
    const other = (memo: string) => payment({ corridor: 'GHS::Bank EUR', details: { memo } });
    const both = wishedOf([withMemo('"1"'), other('"rent"')], [withMemo('"2"'), other('"rent"')], 0);
    expect([...(both?.leftDetails ?? [])].map(([corridor]) => corridor)).toEqual(['NGN::Bank EUR']);
  });

  it('at its own payment: two payees that trade places are no difference between two runs', () => {
    const second = payment({ account: '0123456800', details: { bank_code: '"058"' } });
    expect(wishedOf([payment(), second], [second, payment()], 0)?.leftDetails.size).toBe(0);
    // The codes alone trade places: they differ at each payment.
    const at = (who: Transfer, bank_code: string): Transfer => ({ ...who, details: { bank_code } });
    const straight = [at(payment(), '"044"'), at(second, '"058"')];
    const crossed = [at(payment(), '"058"'), at(second, '"044"')];
    expect(wishedOf(straight, crossed, 0)?.leftDetails.size).toBe(1);
  });
});

it('a payment that is cancelled where nothing fails is not to be paid', () => {
  const cancelled = payment({ account: '0123456111', money: 'back' });
  expect(kinds(runOf([payment(), { ...cancelled, money: 'gone' }]), [payment(), cancelled])).toEqual([
    ['cancelled_and_paid', 1],
  ]);
});

it('a payment that is missing is a finding where the program ends with 0, or where it must pay', () => {
  expect(kinds(runOf([]))).toEqual([['never_paid', 1]]);
  expect(verdictOn(runOf([], { ok: false })).ended).toBe('gave_up');
  expect(kinds(runOf([], { ok: false }), undefined, { mustPay: true })).toEqual([['never_paid', 1]]);
});

it('all is paid, and the program says that it failed: no finding, and told apart', () => {
  expect(verdictOn(runOf([payment()], { ok: false })).ended).toBe('said_failed');
});

it('a fault that met nothing proves nothing, and a finding counts all the same', () => {
  expect(verdictOn(runOf([payment()], { isMet: false })).ended).toBe('not_met');
  expect(verdictOn(runOf([payment(), payment()], { isMet: false })).ended).toBe('finding');
});

it('a program that was never started is judged by nothing, also where it must pay', () => {
  const never = { ...runOf([]), endings: [], isMet: false };
  expect(verdictOn(never, undefined, { mustPay: true })).toMatchObject({ findings: [], ended: 'not_met' });
});

it('an older correction over a newer one is found, a repetition of the newest is none', () => {
  const edit = (write: string, done = 200): RelayedRequest => ({
    ...{
      at: 0,
      start: 1,
      method: 'PATCH',
      path: '/v1/recipients/r1',
      operation: 'recipients.edit',
      effect: 'money',
    },
    ...{ body: '', told: '200', id: 'r1', write, done },
  });
  const edited = (...exchanges: RelayedRequest[]) => kinds(runOf([payment()], { exchanges }));
  expect(edited(edit('a'), edit('b'), edit('a'))).toEqual([['older_edit', 1]]);
  expect(edited(edit('a'), edit('b'), edit('b'))).toEqual([]);
  expect(edited(edit('a'), edit('b'), edit('a', 422))).toEqual([]);
});

it('members that differ between two runs are left out, and what is left is compared', () => {
  const other = payment({ amount: '26.00', sender: 'Bola' });
  expect(wishedOf([payment()], [other], 0)).toMatchObject({ by: ['account'], left: ['amount', 'sender'] });
  expect(wishedOf([payment()], [{ ...other, account: '2' }], 0)).toMatchObject({ by: [] });
  expect(wishedOf([payment()], [payment(), payment()], 0)).toBeUndefined();
});
