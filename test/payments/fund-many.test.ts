/** Several payments funded at once: rows, one total, one limit; each has an ending of its own. */
import { expect, it } from 'vitest';
import { answering, paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const create = async (name: string): Promise<void> => {
  const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', name]);
  expect(run.code).toBe(0);
};
const fund = (...rest: string[]) => bench.run(['tx', 'fund', ...rest, '-o', 'json']);
interface Row {
  transaction: { external_id: string; state: string };
  ending: string;
  why: string | null;
}
const debits = (run: { requests: { method: string; path: string }[] }) =>
  run.requests.filter(({ method }) => method === 'POST');

it('each is paid once, however often it is named, and has its row', async () => {
  for (const name of ['wages-1', 'wages-2']) await create(name);
  const run = await fund('wages-1', 'wages-2', 'wages-1', '--max-input', '29.98');
  expect(run.code).toBe(0);
  expect(run.data<Row[]>().map(({ transaction, ending }) => [transaction.external_id, ending])).toEqual([
    ['wages-1', 'funded'],
    ['wages-2', 'funded'],
  ]);
  expect(debits(run)).toHaveLength(2);
  expect(run.stderr).toContain('in all 29.98 EUR for 2 payments');
  const again = await fund('wages-1', 'wages-2', '--max-input', '29.98');
  expect([again.code, debits(again)]).toEqual([1, []]);
  expect(again.data<Row[]>()[0]?.why).toContain('is funded already');
});

it('one that cannot be funded does not keep the others from it, and the worst exit code counts', async () => {
  for (const name of ['wages-1', 'wages-2']) await create(name);
  await bench.run(['tx', 'fund', 'wages-1']);
  const run = await fund('wages-1', 'wages-2', '--max-input', '20');
  expect(run.code).toBe(1);
  expect(run.data<Row[]>().map(({ ending }) => ending)).toEqual(['not funded', 'funded']);
});

it('is refused above the limit, without one, and where one is not found: nothing is sent', async () => {
  for (const name of ['wages-1', 'wages-2']) await create(name);
  const above = await fund('wages-1', 'wages-2', '--max-input', '29.97');
  expect([above.code, debits(above)]).toEqual([2, []]);
  expect(above.error().message).toBe('this costs 29.98 EUR, more than 29.97 EUR');
  const without = await fund('wages-1', 'wages-2');
  expect([without.code, debits(without)]).toEqual([2, []]);
  expect(without.error().hint).toContain('--max-input');
  const lost = await fund('wages-1', 'nobody', '--max-input', '100');
  expect([lost.code, debits(lost)]).toEqual([6, []]);
  expect((await fund('wages-1', '--max-input', '14.98')).code).toBe(2);
});

it('one whose outcome is unknown ends with 9, and the next is still paid', async () => {
  for (const name of ['wages-1', 'wages-2']) await create(name);
  let posts = 0;
  bench.intercept(async (request, next) => {
    const isDebit = request.method === 'POST' && /debits/.test(request.url);
    if (isDebit) posts++;
    return isDebit && posts <= 2 ? answering(500)(request, next) : next(request);
  });
  const run = await fund('wages-1', 'wages-2', '--max-input', '30');
  const [first, second] = run.data<Row[]>();
  expect(run.code).toBe(9);
  expect([first?.ending, second?.ending]).toEqual(['unknown', 'funded']);
  expect(first?.why).toContain('remit history settle');
});
