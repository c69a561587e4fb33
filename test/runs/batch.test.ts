/** Pay runs by their commands: what a name stands for, who approves, what pauses, what is said and with which exit code. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answering, lost, only, type Run, senderFlags, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const run: typeof bench.run = (...given) => bench.run(...given);

const file = (text: string, name = 'wages.csv'): string => {
  const path = join(bench.dir, name);
  writeFileSync(path, text);
  return path;
};
const plan = (text: string, name = 'wages', ...more: string[]): Promise<Run> =>
  run(['batch', 'plan', file(text), '--name', name, '--max-input', 'EUR=1000', ...more]);
const batch = (...argv: string[]): Promise<Run> => run(['batch', ...argv]);
const status = async (name = 'wages') => (await batch('status', name, '-o', 'json')).data<Status>();

/** The disk with the journal and the runs is lost. */
function loseStore(): void {
  const files = readdirSync(bench.dir).filter((name) => name.startsWith('remit.db'));
  expect(files).toContain('remit.db');
  for (const name of files) rmSync(join(bench.dir, name));
}

interface Status {
  state: string;
  states: Record<string, number>;
  ending: string;
  agrees: boolean;
  spent: Record<string, string>;
  why: string | null;
  digest: string;
}
interface Row {
  key: string;
  state: string;
  code: string | null;
  why: string | null;
  external_id: string;
  transaction_id: string | null;
}
const rows = async (...more: string[]) => (await batch('rows', 'wages', '-o', 'json', ...more)).data<Row[]>();
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');
const paid = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

it('is planned, paid and followed: every row once, sums equal, exit 0', async () => {
  const planned = await plan(fileOfRows(5));
  expect(planned.stderr).toContain('5 × NGN::Bank: 5010 NGN, about 3.00 EUR');
  expect(planned.stderr).toContain('Balance 250000.00 EUR before, about 249997.00 EUR after.');
  expect(planned.code).toBe(0);
  const ran = await batch('run', 'wages', '-o', 'json');
  expect([ran.code, paid(ran)]).toEqual([0, 5]);
  expect(ran.data<Status>()).toMatchObject({ states: { created: 5 }, ending: 'done', agrees: true });
  const again = await batch('run', 'wages');
  expect([again.code, paid(again)]).toEqual([0, 0]);
  const watched = await batch('watch', 'wages', '--timeout', '30s');
  expect(watched.code).toBe(0);
  expect(watched.stderr).toContain('All 5 rows are paid out.');
});

it('what status prints in a pipe is whole, and of a run that was not sent nothing is said of sums', async () => {
  const planned = (await plan(fileOfRows(2), 'wages', '-o', 'json')).data<Status & { id: string }>();
  const { stdout } = await batch('status', 'wages');
  for (const whole of [
    planned.digest,
    planned.id,
    'NGN::Bank: 2 rows, 2001 NGN: nothing paid',
    '1000.00 EUR',
  ])
    expect(stdout).toContain(whole);
  expect((await batch('status', 'wages', '--fields', 'agrees')).stdout.trim()).toBe('');
  const screen = () => run(['batch', 'status', 'wages'], { tty: true });
  expect((await screen()).stdout).not.toContain('agree');
  await batch('run', 'wages');
  expect((await screen()).stdout).toContain('agree with what the service answered');
  expect((await batch('status', 'wages', '--fields', 'agrees')).stdout.trim()).toBe('yes');
});

it('a name stands for its rows', async () => {
  await plan(fileOfRows(3));
  const same = await plan(fileOfRows(3));
  expect(same.stderr).toContain('was planned before, with the same rows');
  const other = await plan(fileOfRows(4));
  expect(other.code).toBe(1);
  expect(other.stderr).toContain('there is a run "wages" already, with other rows: E-3');
  expect((await batch('list', '-o', 'json')).data<unknown[]>()).toHaveLength(1);
});

it('a known run is not planned with other limits: what stands is said', async () => {
  await plan(fileOfRows(2), 'wages', '--rate-tolerance', '2');
  const limits = async (...flags: string[]) =>
    run(['batch', 'plan', file(fileOfRows(2)), '--name', 'wages', ...flags]);
  for (const flags of [
    ['--max-input', 'EUR=10', '--rate-tolerance', '2'],
    ['--max-input', 'EUR=1000', '--rate-tolerance', '1'],
  ]) {
    const other = await limits(...flags);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('was planned with other limits: at most 1000.00 EUR, rate tolerance 2 %'),
    ]);
  }
  const same = await limits('--max-input', 'EUR=1000.00', '--rate-tolerance', '2');
  expect([same.code, same.stderr]).toEqual([0, expect.stringContaining('was planned before')]);
});

it('the same rows under another name are paid again only where that is meant; and they are named', async () => {
  await plan(fileOfRows(2));
  await batch('run', 'wages');
  const renamed = await plan(fileOfRows(2), 'wages-2');
  expect([renamed.code, renamed.stderr]).toEqual([
    10,
    expect.stringMatching(
      /2 of 2 rows pay the same account the same amount as the run "wages", which was planned less than a day before[\s\S]*--repeat wages/,
    ),
  ]);
  const next = await plan(fileOfRows(2), 'wages-2', '--repeat', 'wages');
  expect(next.stderr).toContain(
    'Look again: 2 rows have the same account and amount as in a run of the last 35 days: row 1 (E-0 of wages)',
  );
  expect(paid(await batch('run', 'wages-2'))).toBe(2);
});

it('with the store deleted half way, the same file under the same name cannot pay twice', async () => {
  await plan(fileOfRows(6));
  let left = 3;
  bench.intercept((request, next) =>
    isPayment(request) && left-- <= 0 ? answering(401)(request, next) : next(request),
  );
  await batch('run', 'wages', '--in-flight', '1');
  bench.restore();
  loseStore();
  await plan(fileOfRows(6));
  const again = await batch('run', 'wages', '-o', 'json');
  expect(again.data<Status>()).toMatchObject({ states: { created: 3, paid: 3 }, ending: 'done' });
  const { stdout } = await run(['tx', 'list', '--all', '-o', 'json']);
  expect(JSON.parse(stdout).data).toHaveLength(6);
});

it('a row whose external id is a payment of another sender needs somebody, and nothing is paid for it', async () => {
  await run(['sender', 'create', ...senderFlags('customer-2')]);
  await plan(fileOfRows(1));
  await batch('run', 'wages');
  loseStore();
  await plan(fileOfRows(1).replace('customer-1', 'customer-2'));
  const again = await batch('run', 'wages', '-o', 'json');
  expect(again.data<Status>()).toMatchObject({ states: { conflict: 1 } });
  expect(await rows()).toMatchObject([
    { code: 'external_id_taken', why: expect.stringContaining('it differs in external_id') },
  ]);
});

it('a row that is refused is named with its column and no value; the others are paid: exit 10', async () => {
  bench.intercept(async (request, next) => {
    if (isPayment(request) && request.body?.includes('"wages:E-1"'))
      return answering(
        422,
        '{"object":{"errors":{"recipients.0.payout_method.bank_account":[{"error":"invalid"}]}},"meta":{}}',
      )(request, next);
    return next(request);
  });
  await plan(fileOfRows(3));
  const ran = await batch('run', 'wages');
  expect(ran.code).toBe(10);
  expect(ran.stderr).toContain('2 of 3 rows are paid for');
  expect(await rows('--state', 'refused')).toMatchObject([
    { key: 'E-1', state: 'refused', code: 'invalid', why: 'bank_account is not valid' },
  ]);
  const { stdout } = await batch('remaining', 'wages');
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

it('ten rows refused alike pause the run: nothing burns through', async () => {
  bench.intercept(
    only(isPayment, answering(422, '{"object":{"errors":{"sender":[{"error":"invalid"}]}},"meta":{}}')),
  );
  await plan(fileOfRows(40));
  const ran = await batch('run', 'wages', '--in-flight', '1');
  expect(ran.stderr).toContain('Paused: 10 rows in a row were refused alike: 422 sender is not valid');
  expect([ran.code, paid(ran)]).toEqual([8, 10]);
  expect(await status()).toMatchObject({ state: 'paused', states: { refused: 10, planned: 30 } });
});

it('a key that is refused pauses at once, and the row can be sent again', async () => {
  bench.intercept(only(isPayment, answering(401)));
  await plan(fileOfRows(3));
  const ran = await batch('run', 'wages', '--in-flight', '1');
  expect(ran.stderr).toContain('Paused: ');
  bench.restore();
  const again = await batch('run', 'wages');
  expect(again.code).toBe(0);
  expect(await status()).toMatchObject({ state: 'approved', states: { created: 3 } });
});

it('too little balance pauses before anything is sent, and says how much is missing', async () => {
  const dear = fileOfRows(2).replaceAll(/,100(\d),/g, ',4000000$1,');
  await run(['batch', 'plan', file(dear), '--name', 'dear', '--max-input', 'EUR=90000']);
  const all = await bench.sandbox.control.state();
  expect(all).toBeDefined();
  const huge = fileOfRows(2).replaceAll(/,100(\d),/g, ',400000000$1,');
  const planned = await run(['batch', 'plan', file(huge), '--name', 'huge', '--max-input', 'EUR=9000000']);
  expect(planned.stderr).toContain('Not enough: the balance is 250000.00 EUR');
  const ran = await batch('run', 'huge');
  expect([ran.code, paid(ran)]).toEqual([8, 0]);
  expect(ran.stderr).toMatch(
    /Paused: the balance is 250000.00 EUR, the rest of the run needs [\d.]+ EUR: [\d.]+ EUR is missing/,
  );
});

it('what stays unknown is left alone and named: exit 9, no new file, settled later', async () => {
  await plan(fileOfRows(2));
  bench.intercept((request, next) =>
    isPayment(request) || request.url.includes('/transactions?') ? lost(request, next) : next(request),
  );
  const ran = await batch('run', 'wages');
  expect(ran.code).toBe(9);
  expect(ran.stderr).toContain('Of 2 rows it is not known whether they were paid. Do not pay them by hand.');
  const left = await batch('remaining', 'wages');
  expect([left.code, left.stdout]).toEqual([9, '']);
  bench.restore();
  const settled = await batch('settle', 'wages');
  expect([settled.code, (await status()).states]).toEqual([0, { created: 2 }]);
});

it('Ctrl-C before anything: nothing is sent, and it says how to go on', async () => {
  await plan(fileOfRows(3));
  const interrupt = AbortSignal.abort();
  const ran = await run(['batch', 'run', 'wages'], { interrupt });
  expect(paid(ran)).toBe(0);
  expect((await status()).states).toEqual({ planned: 3 });
});

it('is approved by its digest; another digest, or a changed run, is not', async () => {
  await plan(fileOfRows(3));
  const { digest } = await status();
  expect(digest).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{8}){3}$/);
  const wrong = await batch('approve', 'wages', '--digest', '0'.repeat(32));
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('has another digest')]);
  expect((await batch('approve', 'wages', '--digest', digest.slice(0, 34))).code).toBe(2);
  expect((await batch('approve', 'wages', '--digest', digest)).code).toBe(0);
  expect((await status()).state).toBe('approved');
});

it('a limit is required without a terminal, and what costs more is refused', async () => {
  const none = await run(['batch', 'plan', file(fileOfRows(2)), '--name', 'wages']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--max-input EUR=1.2')]);
  const low = await run(['batch', 'plan', file(fileOfRows(2)), '--name', 'wages', '--max-input', 'EUR=1']);
  expect([low.code, low.stderr]).toEqual([10, expect.stringContaining('more than the limit of 1.00 EUR')]);
  expect((await batch('list', '-o', 'json')).data<unknown[]>()).toEqual([]);
});

it('rows are cancelled before they are sent: some, or all and the run with them', async () => {
  await plan(fileOfRows(4));
  const some = await batch('cancel', 'wages', '--rows', 'E-1,E-9');
  expect(some.stderr).toContain('1 row is cancelled. The service has no payment of it.');
  await batch('cancel', 'wages');
  const ran = await batch('run', 'wages');
  expect([ran.code, paid(ran)]).toEqual([2, 0]);
  expect((await status()).states).toEqual({ cancelled: 4 });
});

it('a file with faults is not kept: every fault by row and column, exit 5', async () => {
  const bad = fileOfRows(3).replace('044,0000000100', '999,0000000100');
  const planned = await plan(bad);
  expect(planned.code).toBe(5);
  expect(planned.stdout).toContain('bank_code');
  expect((await batch('list', '-o', 'json')).data<unknown[]>()).toEqual([]);
});

it('reports as a table, CSV, JSON and pain.002: a row says whom it pays, where, and when it was paid', async () => {
  await plan(fileOfRows(2));
  await batch('run', 'wages');
  const first = async () => (await batch('report', 'wages', '-o', 'csv')).stdout.split('\n')[1];
  expect(await first()).toMatch(/^1,E-0,Ada Obi,044 ••••0000,created,NGN::Bank,1000,NGN,0\.60,EUR,/);
  const xml = async (...more: string[]) =>
    (await batch('report', 'wages', '--pain002', ...more)).stdout
      .split('\n')
      .find((line) => line.includes('E-0'));
  expect(await xml()).toMatch(
    /<OrgnlEndToEndId>E-0<\/OrgnlEndToEndId><TxSts>ACSP<\/TxSts><AcctSvcrRef>[0-9a-f]{32}<\/AcctSvcrRef><OrgnlTxRef><Amt><InstdAmt Ccy="NGN">1000<\/InstdAmt><\/Amt><PmtTpInf><LclInstrm><Prtry>NGN::Bank<\/Prtry><\/LclInstrm><\/PmtTpInf><Cdtr><Pty><Nm>Ada Obi<\/Nm><\/Pty><\/Cdtr><CdtrAcct><Id><Othr><Id>044 ••••0000</,
  );
  expect(await xml('--reveal')).toContain('<Id>044 0000000000</Id>');

  // The service does not say when: the books do.
  await batch('watch', 'wages', '--timeout', '30s');
  const unknown = await batch('rows', 'wages', '--fields', 'key,paid_at', '-o', 'csv');
  expect(unknown.stderr).toContain('paid_at is empty: there are no books of this account');
  await run(['books', 'sync']);
  const [row] = (await batch('rows', 'wages', '-o', 'json')).data<(Row & { paid_at: string })[]>();
  const kept = await run(['tx', 'list', '-o', 'csv', '--fields', 'id,paid_at']);
  expect(kept.stdout).toContain(`${row?.transaction_id},${row?.paid_at}\n`);
  expect(await first()).toContain(`,${row?.paid_at},,,,1,`);
  expect(await xml()).toContain(
    `<TxSts>ACCC</TxSts><FctvIntrBkSttlmDt><DtTm>${row?.paid_at}</DtTm></FctvIntrBkSttlmDt>`,
  );
  expect((await batch('show', 'wages', 'E-0', '-o', 'json')).data()).toEqual(row);
});
