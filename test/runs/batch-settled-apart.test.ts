/** A row of a run is an intent like any other: who settles that by itself settles the row, and the run goes on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, lost, paymentFlags, type Run, useBench, writesLost } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const run: typeof bench.run = (...given) => bench.run(...given);
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');

interface Intent {
  id: string;
  state: string;
  external_id: string;
}
const intents = async () => (await run('history -o json')).data<Intent[]>();
const states = async () =>
  (await run('batch status wages -o json')).data<{ states: Record<string, number> }>().states;
const payments = async () =>
  (await run('tx list --all -o json')).data<{ external_id: string }[]>().map((one) => one.external_id);
const settle = (id: string, ...more: string[]): Promise<Run> => run(['history', 'settle', id, ...more]);
const SAY = ['--because', 'the operator says so', '--yes'];

/** Requests that did not arrive yet. */
let late: (() => Promise<unknown>)[] = [];

/** Two rows of which nobody knows what became: they were paid, or never arrived. Their intents, by external id. */
async function unknownRows(fate: 'paid' | 'never arrived'): Promise<Intent[]> {
  late = [];
  const path = join(bench.dir, 'wages.csv');
  writeFileSync(path, fileOfRows(2));
  const planned = await run(['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=9']);
  expect(planned.code, planned.stderr).toBe(0);
  bench.intercept((request, next) => {
    if (isPayment(request)) late.push(() => next(request));
    if (isPayment(request)) return (fate === 'paid' ? lost : answering(503))(request, next);
    return request.url.includes('/transactions?') ? answering(503)(request, next) : next(request);
  });
  expect((await run('batch run wages')).code).toBe(9);
  bench.restore();
  const open = (await intents()).filter(({ state }) => state === 'unknown');
  expect(open).toHaveLength(2);
  return open.sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
}

it('found by looking: the run goes on, and nothing is sent again', async () => {
  for (const { id } of await unknownRows('paid')) expect((await settle(id)).code).toBe(0);
  const again = await run('batch run wages');
  expect([again.code, await states()], again.stderr).toEqual([0, { paid: 2 }]);
  expect(again.requests.filter(({ path }) => path.endsWith('/create_and_fund'))).toEqual([]);
  expect(await payments()).toHaveLength(2);
});

it('not applied, by somebody’s word: the row is sent again, under its own external id', async () => {
  const [first, second] = await unknownRows('never arrived');
  expect((await settle(first?.id ?? '', '--as', 'not-applied', ...SAY)).code).toBe(0);
  const settled = await run('batch settle wages --yes');
  expect([settled.code, await states()], settled.stderr).toEqual([8, { created: 1, planned: 1 }]);
  expect(await payments()).toEqual([second?.external_id]);
  const again = await run('batch run wages');
  expect([again.code, await states()], again.stderr).toEqual([0, { created: 2 }]);
  expect((await payments()).sort()).toEqual([first?.external_id, second?.external_id]);
});

it('not applied, by a word that is wrong: what arrived late is found, and nobody is paid twice', async () => {
  const [first] = await unknownRows('never arrived');
  expect((await settle(first?.id ?? '', '--as', 'not-applied', ...SAY)).code).toBe(0);
  for (const arrive of late) await arrive();
  const again = await run('batch run wages');
  expect([again.code, await states()], again.stderr).toEqual([0, { paid: 2 }]);
  expect(await payments()).toHaveLength(2);
});

describe('rows of a run that may not be paid', () => {
  const sent = ({ requests }: Run): number =>
    requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;
  const digest = async () => (await run('batch status wages -o json')).data<{ digest: string }>().digest;
  const approve = async (...more: string[]) =>
    run(['batch', 'approve', 'wages', '--digest', await digest(), ...more]);
  const because = ['--because', 'a question'];
  const hold = () => run(['batch', 'hold', 'wages', ...because]);
  const release = () => run('batch release wages --yes');
  const reject = () => approve('--reject', ...because);

  it.each([
    ['on hold', hold, release, 'remit batch release wages'],
    ['rejected', reject, approve, 'remit batch approve wages --digest DIGEST'],
  ] as const)('%s: they are only looked for, until somebody lets it go on', async (_, stop, letGo, hint) => {
    const [first, second] = await unknownRows('never arrived');
    expect((await stop()).code).toBe(0);
    for (const line of ['batch settle wages', 'history settle --all', `history settle ${first?.id}`]) {
      const looked = await run(`${line} --yes`);
      expect([looked.code, sent(looked), await states()], looked.stderr).toEqual([9, 0, { unknown: 2 }]);
      expect(looked.requests.some(({ path }) => path.endsWith('/transactions'))).toBe(true);
      const words = looked.stdout + looked.stderr;
      expect(words).toContain(`Only looked for; nothing was sent: the run "wages" `);
      expect(words).toMatch(/a question/);
      expect(words).toContain('What was not found stays unknown: remit batch settle wages looks again.');
      expect(words).toContain(
        `${hint}, and settle again. Or ask the operator, and record that it was not paid: remit batch settle wages --rows E-`,
      );
    }
    // What a later look finds is over; what a person records is planned again, and not sent either.
    await late[0]?.();
    const [found] = (await payments()).map((id) =>
      id === first?.external_id ? ['E-0', 'E-1'] : ['E-1', 'E-0'],
    );
    const word = [
      'batch',
      'settle',
      'wages',
      '--rows',
      found?.[1] ?? '',
      '--not-paid',
      '--because',
      'ticket 1',
    ];
    expect(sent(await run([...word, '--yes']))).toBe(0);
    const lookedAgain = await run('batch settle wages --yes');
    expect([sent(lookedAgain), await states()], lookedAgain.stderr).toEqual([0, { paid: 1, planned: 1 }]);
    expect((await letGo()).code).toBe(0);
    expect((await run('batch run wages --yes')).code).toBe(0);
    expect((await payments()).sort()).toEqual([first?.external_id, second?.external_id]);
  });

  it('once it is released, settling sends them again, each once', async () => {
    await unknownRows('never arrived');
    await hold();
    await release();
    const settled = await run('batch settle wages --yes');
    expect([settled.code, sent(settled)], settled.stderr).toEqual([0, 2]);
    expect(settled.stderr).not.toContain('Only looked for');
  });

  it('other requests are settled beside them as ever', async () => {
    await unknownRows('never arrived');
    await hold();
    const flags = ['--fund', '--external-id', 'T-1', '--max-input', '99'];
    bench.intercept(writesLost);
    expect((await run(['tx', 'create', ...paymentFlags('customer-1'), ...flags, '--yes'])).code).toBe(9);
    bench.restore();
    const settled = await run('history settle --all --yes');
    expect([settled.code, await payments()], settled.stderr).toEqual([9, ['T-1']]);
  });
});
