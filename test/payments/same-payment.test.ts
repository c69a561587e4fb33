/** One payment is one, whichever way it is begun: while its outcome is unknown, it is made in no other way beside itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  baseUrl,
  credentials,
  noAccount,
  payArgv,
  paymentFlags,
  type Run,
  useBench,
  writesLost,
} from '../support/cli.ts';

const bench = useBench({ sender: true });

const create = (...rest: string[]): Promise<Run> =>
  bench.run(['tx', 'create', ...paymentFlags('customer-1'), ...rest]);
const fund = ['--fund', '--max-input', '20'];

/** Nothing that it sends is answered, so that its outcome is unknown. */
const isUnknown = async (send: () => Promise<Run>): Promise<void> => {
  bench.intercept(writesLost);
  expect((await send()).code).toBe(9);
  bench.restore();
};
const refused = (run: Run): void => {
  expect(run.code).toBe(9);
  expect(run.stderr).toContain('the same was sent before');
  expect(
    run.requests.some(({ method, path }) => method === 'POST' && path !== '/transactions/calculate'),
  ).toBe(false);
};

it('created and funded, then only created', async () => {
  await isUnknown(() => create(...fund));
  refused(await create());
  refused(await create(...fund));
});

it('by another profile of the same account', async () => {
  await isUnknown(() => create(...fund));
  const profile = { baseUrl, environment: 'sandbox', key: credentials.key, secretIn: 'file' };
  const write = (name: string, value: object) =>
    writeFileSync(join(bench.dir, name), JSON.stringify(value), { mode: 0o600 });
  write('config.json', { profiles: { other: profile } });
  write('secrets.json', { other: credentials.secret });
  refused(await bench.run(payArgv(), { env: noAccount }));
  expect(readFileSync(join(bench.dir, 'config.json'), 'utf8')).toContain('other');
});

it('by a raw call, its amount as a number', async () => {
  await isUnknown(() => create('--external-id', 'wages-1'));
  const dry = await create('--external-id', 'wages-1', '--dry-run', '-o', 'json', '--reveal');
  const { body } = dry.data<{ body: { transaction: { recipients: { requested_amount: unknown }[] } } }>();
  const [recipient] = body.transaction.recipients;
  if (recipient) recipient.requested_amount = 25000;
  refused(await bench.run(['api', 'transactions.create', '--data', JSON.stringify(body)]));
});

it('by a raw call without an external id, however its JSON is laid out, and then by the command', async () => {
  const dry = await create('--dry-run', '-o', 'json', '--reveal');
  const { transaction } = dry.data<{ body: { transaction: object } }>().body;
  const backwards = { transaction: Object.fromEntries(Object.entries(transaction).reverse()) };
  const call = ['api', 'transactions.create', '--data'];
  await isUnknown(() => bench.run([...call, JSON.stringify({ transaction })]));
  refused(await bench.run([...call, JSON.stringify({ transaction }, null, 2)]));
  refused(await bench.run(['api', 'POST', '/transactions', '--data', JSON.stringify(backwards)]));
  refused(await create(...fund));
});

it('with a name in another case, or in other letters of the same look', async () => {
  const named = (name: string) =>
    bench.run([
      ...['tx', 'create'],
      ...paymentFlags('customer-1').map((one) => one.replace('first_name=Ada', `first_name=${name}`)),
    ]);
  await isUnknown(() => named('Zo\u00e9'));
  refused(await named('ZOE\u0301'));
  expect((await named('Zoa')).code).toBe(0);
});

it('left unknown by an earlier version, which knew a payment by other rules', async () => {
  await isUnknown(() => create(...fund));
  const { openDatabase } = await import('../../src/disk/driver.ts');
  const { STORE_VERSION } = await import('../../src/client/store/tables.ts');
  const database = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  database.exec(
    `UPDATE intents SET digest = 'by other rules', about = json_remove(about, '$.payer', '$.madeId')`,
  );
  database.close();
  refused(await create(...fund));
});

it('by the id of a sender that does not exist: the service refuses it, and nothing was created', async () => {
  await isUnknown(() => create());
  const nobody = '11111111-2222-4333-8444-555555555555';
  const run = await bench.run(['tx', 'create', ...paymentFlags(nobody), '-o', 'json']);
  expect(run.code, run.stderr).toBe(5);
  expect(run.stderr).toContain('"outcome":"not applied"');
});

it('and another one is not held up', async () => {
  await isUnknown(() => create(...fund));
  expect((await create('--amount', '26000')).code).toBe(0);
  expect((await create('--new-payment')).code).toBe(0);
});
