/** The digest is made again from the rows that would be sent: whoever changes one in the store stops the run, and nobody else is paid. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { lost, only, type Run, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');
const isTransaction = ({ url }: { url: string }): boolean => url.includes('/transactions');
const paid = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

async function plan(rows: number, ...more: string[]): Promise<Run> {
  const path = join(bench.dir, 'wages.csv');
  writeFileSync(path, fileOfRows(rows));
  return batch('plan', path, '--name', 'wages', '--max-input', 'EUR=1000', '-o', 'json', ...more);
}
const digestOf = (planned: Run): string => planned.data<{ digest: string }>().digest;
const status = async () =>
  (await batch('status', 'wages', '-o', 'json')).data<{
    state: string;
    why: string | null;
    checked_at: string | null;
    states: Record<string, number>;
  }>();

/** As somebody does who can write to the file. */
async function alter(sql: string): Promise<void> {
  const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  store.exec(sql);
  store.close();
}

const ROW_2 = `UPDATE payrun_rows SET body = replace(body, '"requested_amount":"1001"', '"requested_amount":"9001"') WHERE n = 2`;
const NAMED = 'row 2 (E-1) was changed in the store';
const UNNAMED = 'of the rows from 1 (E-0) to 4 (E-3), one was changed, added or taken out in the store';
const PLAN = 'its totals, limits, rule or digest were changed in the store';
const inPlan = (path: string, value: string): string =>
  `UPDATE payruns SET plan = json_set(plan, '${path}', ${value})`;

describe.each<[string, string, string]>([
  ['the body of a row', ROW_2, NAMED],
  ['an external id', `UPDATE payrun_rows SET external_id = 'other' WHERE n = 2`, NAMED],
  [
    'a body with its print',
    `${ROW_2}; UPDATE payrun_rows SET content = (SELECT content FROM payrun_rows WHERE n = 1) WHERE n = 2`,
    NAMED,
  ],
  ['what a row should cost', 'UPDATE payrun_rows SET estimate = 900 WHERE n = 3', UNNAMED],
  ['what should arrive', 'UPDATE payrun_rows SET amount = 900 WHERE n = 3', UNNAMED],
  ['a currency', `UPDATE payrun_rows SET input_currency = 'USD' WHERE n = 3`, UNNAMED],
  ['a corridor', `UPDATE payrun_rows SET type = 'GHS::Bank' WHERE n = 3`, UNNAMED],
  ['the key of a row', `UPDATE payrun_rows SET key = 'E-9' WHERE n = 3`, UNNAMED.replace('E-3)', 'E-3)')],
  ['the limit', inPlan('$.ceilings.EUR', `'2000'`), PLAN],
  ['the tolerance', inPlan('$.tolerance', `'0.5'`), PLAN],
  ['a rate', inPlan('$.rates."EUR NGN"', `'9'`), PLAN],
  ['the totals', inPlan('$.totals[0].estimate', `'0.01'`), PLAN],
  ['who planned it', inPlan('$.planner', `'somebody'`), PLAN],
  ['the rule of two persons', inPlan('$.twoPerson', `json('true')`), PLAN],
  ['the hash of the rows', inPlan('$.windows[0]', `'0'`), PLAN],
  ['the number of rows', 'UPDATE payruns SET rows = 5', 'it has 4 rows in the store, and 5 were planned'],
])('%s, changed in the store', (_, sql, words) => {
  it('is neither approved nor planned again, and nobody pays it', async () => {
    const digest = digestOf(await plan(4));
    await alter(sql);
    for (const made of [
      await batch('approve', 'wages', '--digest', digest),
      await batch('run', 'wages'),
      await plan(4),
    ]) {
      if (made.stderr.includes('with other')) continue;
      expect([made.code, paid(made), made.stderr]).toEqual([10, 0, expect.stringContaining(words)]);
    }
    expect((await bench.run('tx list -o json')).data()).toEqual([]);
  });

  it('after it was approved, is paused and paid by nobody', async () => {
    const digest = digestOf(await plan(4));
    expect((await batch('approve', 'wages', '--digest', digest)).code).toBe(0);
    await alter(sql);
    const worked = await batch('run', 'wages');
    expect([worked.code, paid(worked), worked.stderr]).toEqual([10, 0, expect.stringContaining(words)]);
    expect(await status()).toMatchObject({ state: 'paused', why: words });
    const ran = await batch('run', 'wages');
    expect([ran.code, paid(ran), ran.stderr]).toEqual([10, 0, expect.stringContaining(words)]);
  });
});

it('a row that is put in, or taken out, stops the run', async () => {
  const columns =
    'run, "window", updated_at, external_id, type, amount, currency, input_currency, estimate, content, account, body';
  await plan(4);
  await alter(`INSERT INTO payrun_rows (n, key, ${columns.replace('external_id', 'external_id')})
    SELECT 9, 'E-9', ${columns.replace('external_id', "'wages:E-9'")} FROM payrun_rows WHERE n = 1`);
  const more = await batch('run', 'wages');
  expect([more.code, paid(more), more.stderr]).toEqual([
    10,
    0,
    expect.stringContaining('row 9 (E-9) was changed in the store'),
  ]);
  await alter('DELETE FROM payrun_rows WHERE n IN (2, 9)');
  const fewer = await batch('run', 'wages');
  expect([fewer.code, paid(fewer), fewer.stderr]).toEqual([10, 0, expect.stringContaining('taken out')]);
});

it('a row that is changed while the run pays is not sent: each window is looked at before its first row', async () => {
  await plan(205);
  let first = true;
  bench.intercept(async (request, next) => {
    if (isPayment(request) && first) {
      first = false;
      await alter(ROW_2.replace('n = 2', 'n = 203').replaceAll('1001', '1202').replace('9001', '9202'));
    }
    return next(request);
  });
  const ran = await batch('run', 'wages', '--in-flight', '1');
  expect([ran.code, paid(ran), ran.stderr]).toEqual([
    10,
    200,
    expect.stringContaining('row 203 (E-202) was changed'),
  ]);
  const { state, states } = await status();
  expect([state, states.planned]).toEqual(['paused', 5]);
});

it('what was sent without an answer is sent again only as its row says', async () => {
  await plan(1);
  bench.intercept(only((request) => isTransaction(request) && !request.url.endsWith('/calculate'), lost));
  const unknown = await batch('run', 'wages', '--in-flight', '1');
  expect(unknown.code).toBe(9);
  await alter(
    `UPDATE intents SET request = replace(request, '"requested_amount":"1000"', '"requested_amount":"9000"')`,
  );
  bench.restore();
  const again = await batch('run', 'wages');
  expect([again.code, paid(again), again.stderr]).toEqual([
    10,
    0,
    expect.stringContaining('what was sent for row 1 (E-0) was changed in the store'),
  ]);
});

it('status says when the rows were last looked at', async () => {
  await plan(3);
  expect((await status()).checked_at).toBeNull();
  expect((await bench.run('batch status wages', { tty: true })).stdout).toMatch(/checked +not yet/);
  await batch('run', 'wages');
  expect((await status()).checked_at).toMatch(/^\d{4}-/);
});

it('a run that an earlier version planned is not paid, and its rest can be written to a file', async () => {
  const digest = digestOf(await plan(2));
  await alter(`UPDATE payruns SET plan = json_remove(plan, '$.windows')`);
  for (const made of [await batch('approve', 'wages', '--digest', digest), await batch('run', 'wages')])
    expect([made.code, paid(made), made.stderr]).toEqual([
      1,
      0,
      expect.stringContaining('was planned by an earlier version'),
    ]);
  expect((await batch('remaining', 'wages')).code).toBe(0);
});
