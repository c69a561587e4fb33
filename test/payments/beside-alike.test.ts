/** A person at a terminal sees which payments of the last week look like the one that they are asked about. */
import { describe, expect, it } from 'vitest';
import { LikenessIndex } from '../../src/payments/likeness.ts';
import {
  answering,
  only,
  payArgv,
  paymentFlags,
  type Run,
  type RunOptions,
  useBench,
} from '../support/cli.ts';

const bench = useBench({ sender: true });
const tty = { tty: true } as const;
/** Lines are broken at the width of the terminal. */
const plain = ({ stderr }: Run): string => stderr.replace(/\s+/g, ' ');
const byHand = () => bench.run(payArgv('0123456700', '--external-id', 'by-hand'));
const create = (options: RunOptions) =>
  bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'mine', '--fund'], options);

it('stands above the question', async () => {
  await byHand();
  const run = await create({ ...tty, stdin: 'n\r' });
  expect(plain(run)).toMatch(/LIKE AN EARLIER PAYMENT: 25000 NGN to Ada Obi .*\(.*, paid, \d{4}-/);
  expect(run.code).toBe(130);
});

it('that was made while the question stood lets nothing leave', async () => {
  let looks = 0;
  bench.intercept(async (request, next) => {
    // The second look is the one behind the answer.
    if (request.url.includes('/recipients') && ++looks === 2) expect((await byHand()).code).toBe(0);
    return next(request);
  });
  const run = await create({ ...tty, stdin: 'y\r' });
  expect([looks, run.code]).toEqual([2, 10]);
  const list = await bench.run('tx list --all -o json');
  expect(list.data<{ external_id: string }[]>().map((one) => one.external_id)).toEqual(['by-hand']);
});

it('that could not be looked for is named, and the person decides', async () => {
  bench.intercept(only(({ url }) => url.includes('/recipients'), answering(503)));
  const run = await create({ ...tty, stdin: 'y\r' });
  expect(run.stderr).toContain('NOT LOOKED THROUGH for an earlier payment like this one');
  expect(run.code).toBe(0);
});

describe('likeness', () => {
  const payee = (details: Record<string, string>, amount = '25000', currency = 'NGN') => ({
    payout_method: { type: 'NGN::Bank', details },
    requested_amount: amount,
    requested_currency: currency,
  });
  const ada = { first_name: 'Ada', last_name: 'Obi', bank_account: '0123456700' };
  const isLike = (a: object, b: object, isAsked = false) => {
    const index = new LikenessIndex();
    index.add('row', a);
    return index.keysLike(b, isAsked).length > 0;
  };

  it.each<[string, Record<string, string>, boolean]>([
    ['the account alone', { bank_account: '0123456700' }, true],
    ['blanks, dashes and a lost zero', { bank_account: ' 1234-567 00' }, true],
    ['a mask with its end', { bank_account: '••••••6700' }, true],
    ['a mask with another beginning', { bank_account: '99••••6700' }, false],
    ['the name where no account is shown', { first_name: 'ADA', last_name: 'Obi' }, true],
    ['another name where no account is shown', { first_name: 'Eve', last_name: 'Obi' }, false],
    ['the name at another account', { ...ada, bank_account: '0123456701' }, false],
  ])('%s', (_, details, is) => {
    expect(isLike(payee(ada), payee(details))).toBe(is);
  });

  it('of amounts: as the service rounds, and within 2 % in the other currency of the record', () => {
    const euros = (amount: string) => ({
      ...payee(ada, '15', 'EUR'),
      output_amount: amount,
      output_currency: 'NGN',
    });
    expect(
      [payee(ada, '24999.5'), payee(ada, '24000'), payee(ada, '')].map((one) => isLike(payee(ada), one)),
    ).toEqual([true, false, true]);
    expect([euros('25400'), euros('24600'), euros('25600')].map((one) => isLike(payee(ada), one))).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      isLike(payee(ada), payee(ada, '15', 'EUR')),
      isLike(payee(ada), payee(ada, '15', 'EUR'), true),
    ]).toEqual([false, true]);
  });
});
