/** Triage without a board: a table, JSON and CSV of what needs someone, as it is read. */
import { describe, expect, it } from 'vitest';
import { answering, paymentFlags, type Run, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

/** `19` wrong account, `71` refused for the sender, `08` passes by itself, `01` with the bank, `00` paid. */
async function pay(ending: string, externalId = `pay-${ending}`): Promise<void> {
  const flags = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', externalId];
  const run = await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20']);
  expect(run.code).toBe(0);
}

interface Row {
  id: string;
  transaction_external_id?: string;
  external_id?: string;
  state: string;
  standing: {
    act: string;
    can: string[];
    age_seconds: number;
    refund_in_seconds: { earliest: number } | null;
  };
}
const rowsOf = (run: Run): Row[] => run.data<Row[]>();
const triage = (...rest: string[]): Promise<Run> => bench.run(['recipient', 'triage', '-o', 'json', ...rest]);

describe('what needs someone', () => {
  it('is grouped by who must act, with what is allowed and the time left', async () => {
    for (const ending of ['19', '71', '08', '01', '00']) await pay(ending);
    await bench.run(['sandbox', 'clock', 'advance', '90m']);
    const run = await triage();
    expect(run.code).toBe(0);
    expect(rowsOf(run).map(({ standing }) => standing.act)).toEqual(['edit', 'cancel', 'wait', 'wait']);
    const [wrong] = rowsOf(run);
    expect(wrong?.standing).toMatchObject({ can: ['edit', 'cancel'], age_seconds: 5400 });
    expect(wrong?.standing.refund_in_seconds?.earliest).toBe(22.5 * 3600);
    expect(run.stderr).toContain('edit the recipient 1 · cancel 1 · wait 2\n');
  });

  it('leaves out what has been pending for a short time only', async () => {
    await pay('01');
    expect(rowsOf(await triage())).toEqual([]);
    expect(rowsOf(await triage('--pending-after', '0s'))).toHaveLength(1);
    await bench.run(['sandbox', 'clock', 'advance', '61m']);
    expect(rowsOf(await triage())).toHaveLength(1);
  });

  it('filters by state, currency and day at the service', async () => {
    await pay('19');
    await pay('01');
    const run = await triage('--state', 'error', '--currency', 'eur', '--since', '2026-01-05');
    expect(rowsOf(run).map(({ state }) => state)).toEqual(['error']);
    const [asked] = run.requests.filter(({ path }) => path === '/recipients');
    expect(asked?.query).toContain('state[]=error');
    expect(asked?.query).toContain('currency[]=EUR');
    expect(asked?.query).toContain('created_at_from=2026-01-05');
    expect(rowsOf(await triage('--currency', 'USD'))).toEqual([]);
  });

  it('stops at --limit, and says so', async () => {
    for (const ending of ['19', '71', '08']) await pay(ending);
    const run = await triage('--limit', '2');
    expect(rowsOf(run)).toHaveLength(2);
    expect(run.stderr).toContain(
      'The first 2 recipients; there may be more. --limit 100 shows more, --all shows every one.',
    );
  });
});

describe('how it is shown', () => {
  it('is a table that fits, and drops what matters least', async () => {
    await pay('19');
    const wide = await bench.run(['recipient', 'triage', '-o', 'table'], { tty: true, columns: 200 });
    expect(wide.stdout.split('\n')[0]).toMatch(
      /^ID +WHO ACTS +STATE +AGE +AMOUNT +NAME +REFUND IN +REFERENCE +CAN +REASON +ACCOUNT$/,
    );
    const narrow = await bench.run(['recipient', 'triage', '-o', 'table'], { tty: true, columns: 80 });
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(narrow.stdout).toMatch(/^[0-9a-f]{8} {2}edit /m);
    expect(narrow.stderr).toContain('Hidden: ');
    expect(wide.stdout).not.toContain('0123456719');
  });

  it('is csv for a spreadsheet, and text in a pipe', async () => {
    await pay('19');
    const csv = await bench.run(['recipient', 'triage', '-o', 'csv', '--no-input']);
    expect(csv.stdout.split('\n')[0]).toBe(
      'act,id,transaction_id,external_id,state,reason_code,age_seconds,output_amount,output_currency,refund_in_seconds,can,created_at',
    );
    const piped = await bench.run(['recipient', 'triage']);
    expect(piped.stdout).toMatch(/^[0-9a-f-]{36}\tedit\terror\t/);
  });

  it('--query looks at all of it', async () => {
    await pay('19');
    await pay('71');
    const run = await bench.run(['recipient', 'triage', '--query', "[?standing.act=='edit'].state"]);
    expect(run.stdout).toBe('error\n');
  });

  it('says that there is nothing', async () => {
    expect((await bench.run(['recipient', 'triage', '-o', 'table'], { tty: true })).stdout).toBe(
      'no recipient needs anyone\n',
    );
    expect(rowsOf(await triage())).toEqual([]);
  });
});

it.each([
  [['--limit', '0'], 'is not a number of records'],
  [['--pending-after', 'soon'], 'is not a duration'],
  [['--state', 'paid'], 'Allowed choices are'],
  [['--since', 'tomorrow'], 'is not a day, a month, a time or a duration'],
])('refuses %s', async (flags, words) => {
  const run = await bench.run(['recipient', 'triage', ...flags]);
  expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
  expect(run.stderr).toContain(words);
});

it('a page that fails is told, and the exit code is not 0', async () => {
  await pay('19');
  bench.intercept(answering(503));
  const run = await triage();
  expect(run.code).toBe(75);
});

it('a terminal that cannot move its cursor has a list, and no question', async () => {
  await pay('19');
  const dumb = { tty: true, env: { TERM: 'dumb' } };
  const listed = await bench.run(['recipient', 'triage'], dumb);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('WHO ACTS')]);
  expect(listed.stderr + listed.stdout).not.toContain('\u001b');
  const edit = await bench.run(['recipient', 'edit', 'pay-19'], dumb);
  expect([edit.code, edit.stderr]).toEqual([2, expect.stringContaining('--detail')]);
});
