/** A first call that was lost, and a service that refuses the same again: unknown for an hour of the service's own time, and then not applied. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBooksFile } from '../support/book-stores.ts';
import {
  answering,
  baseUrl,
  createArgv,
  credentials,
  type Intercept,
  isCreation,
  lost,
  only,
  type Run,
  useBench,
  writesOf,
} from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const run: typeof bench.run = (...given) => bench.run(...given);
const MINUTE = 60_000;
const REFUSAL = '{"object":{"errors":{"sender":[{"error":"a daily limit is reached"}]}},"meta":{}}';
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');

interface Intent {
  id: string;
  state: string;
  note: string;
  external_id: string;
}
const latest = async (): Promise<Intent> => (await run('history -o json')).data<Intent[]>()[0] as Intent;
const settle = async (): Promise<Run> => run(['history', 'settle', (await latest()).id, '--yes']);
const payments = async () =>
  (await run('tx list --all -o json')).data<{ external_id: string }[]>().map((one) => one.external_id);

/** The service's own refusal, with its time. */
const refusing = only(isCreation, async () => ({
  status: 422,
  headers: { date: new Date(bench.sandbox.clock.peek()).toUTCString() },
  body: REFUSAL,
}));

/** Its answer is lost, and it did not arrive yet. From then on the service refuses it. */
async function unknownAndRefused(...flags: string[]): Promise<{ arrive(): Promise<unknown> }> {
  let late = async (): Promise<unknown> => undefined;
  bench.intercept((request, next) => {
    if (!isCreation(request)) return next(request);
    late = async () => next(request);
    bench.intercept(refusing);
    return lost(request, next);
  });
  expect((await run(createArgv(undefined, ...flags))).code).toBe(9);
  return { arrive: () => late() };
}

describe('one payment', () => {
  it('is unknown within the hour, and not applied after it', async () => {
    await unknownAndRefused();
    await bench.sandbox.advance(59 * MINUTE);
    const soon = await settle();
    expect([soon.code, writesOf(soon).length]).toEqual([9, 1]);
    expect(soon.stderr).toMatch(/the first try had no answer, and the service refuses it now/);
    expect(soon.stderr).toMatch(/settle [0-9a-f]{8} after 20\d\d-\d\d-\d\dT\d\d:\d\d:00/);
    await bench.sandbox.advance(MINUTE);
    const late = await settle();
    expect([late.code, late.stderr]).toEqual([0, expect.stringContaining('not applied')]);
    expect(await latest()).toMatchObject({
      state: 'not_applied',
      note: expect.stringContaining('over an hour'),
    });
  });

  it('keeps its external id, so that a first call that arrives after all is met', async () => {
    const { arrive } = await unknownAndRefused();
    await bench.sandbox.advance(60 * MINUTE);
    expect((await settle()).code).toBe(0);
    const { external_id: id } = await latest();
    await arrive();
    bench.restore();
    const again = await run(createArgv(undefined));
    expect([again.code, await payments()]).toEqual([0, [id]]);
  });

  it('is applied where the first call arrives within the hour', async () => {
    const { arrive } = await unknownAndRefused();
    await arrive();
    await bench.sandbox.advance(60 * MINUTE);
    expect((await settle()).code).toBe(0);
    expect([(await latest()).state, (await payments()).length]).toEqual(['applied', 1]);
  });

  it('stays unknown where it was only looked for, and where a try was lost in between', async () => {
    await unknownAndRefused();
    await bench.sandbox.advance(60 * MINUTE);
    const { id } = await latest();
    expect((await run(['history', 'settle', id, '--look'])).code).toBe(9);
    bench.intercept(only(isCreation, lost));
    expect((await settle()).code).toBe(9);
    bench.intercept(refusing);
    expect((await settle()).code).toBe(9);
    await bench.sandbox.advance(60 * MINUTE);
    expect((await settle()).code).toBe(0);
  });

  it('stays unknown where the service does not say its time', async () => {
    const timeless: typeof refusing = async (request, next) => {
      const answer = isCreation(request) ? { status: 422, headers: {}, body: REFUSAL } : await next(request);
      return { ...answer, headers: {} };
    };
    await unknownAndRefused();
    for (let i = 0; i < 2; i++) {
      bench.intercept(timeless);
      await bench.sandbox.advance(120 * MINUTE);
      expect((await settle()).code).toBe(9);
    }
  });
});

const states = async () =>
  (await run('batch status wages -o json')).data<{ states: Record<string, number> }>().states;

/** Two rows whose first calls were lost, and are refused since; on a paper that says so to whoever asks. */
async function unknownRows(): Promise<(() => Promise<unknown>)[]> {
  const late: (() => Promise<unknown>)[] = [];
  const path = join(bench.dir, 'wages.csv');
  writeFileSync(path, fileOfRows(2));
  expect((await run(['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=9'])).code).toBe(0);
  const seen = new Set<string>();
  bench.intercept((request, next) => {
    if (!isPayment(request)) return next(request);
    const { external_id: id } = JSON.parse(request.body ?? '').transaction ?? JSON.parse(request.body ?? '');
    if (seen.has(id)) return refusingRows(request, next);
    seen.add(id);
    late.push(() => next(request));
    return lost(request, next);
  });
  expect((await run('batch run wages')).code).toBe(9);
  expect(await states()).toEqual({ unknown: 2 });
  return late;
}
const refusingRows = only(isPayment, async () => ({
  status: 422,
  headers: { date: new Date(bench.sandbox.clock.peek()).toUTCString() },
  body: REFUSAL,
}));

describe('rows of a run', () => {
  it('are refused after the hour, so that the run ends, and are handed on with their ids', async () => {
    await unknownRows();
    bench.intercept(refusingRows);
    await bench.sandbox.advance(59 * MINUTE);
    expect([(await run('batch settle wages --yes')).code, await states()]).toEqual([9, { unknown: 2 }]);
    const why = (await run('batch rows wages -o json')).data<{ why: string }[]>()[0]?.why;
    expect(why).toMatch(/its first try had no answer, and the service refuses it now: settle it after 20/);
    await bench.sandbox.advance(MINUTE);
    await run('batch settle wages --yes');
    expect(await states()).toEqual({ refused: 2 });
    const rest = await run('batch remaining wages');
    expect([rest.code, rest.stdout.match(/wages:E-\d/g)], rest.stderr).toEqual([
      0,
      ['wages:E-0', 'wages:E-1'],
    ]);
  });

  it('that arrive late are met by whoever pays them next', async () => {
    const late = await unknownRows();
    bench.intercept(refusingRows);
    await bench.sandbox.advance(60 * MINUTE);
    await run('batch settle wages --yes');
    bench.restore();
    for (const arrive of late) await arrive();
    expect((await run('batch remaining wages --hand-on rest.csv --yes')).code).not.toBe(9);
    expect((await payments()).sort()).toEqual(['wages:E-0', 'wages:E-1']);
  });
});

const SAY = ['--not-paid', '--because', 'the operator says that it never arrived', '--yes'];

describe('batch settle --not-paid', () => {
  const notPaid = (keys: string, ...more: string[]): Promise<Run> =>
    bench.run(['batch', 'settle', 'wages', '--rows', keys, ...SAY, ...more], { env: { USER: 'ana' } });

  it('plans rows again that are not found, sends nothing, and says who said it', async () => {
    await unknownRows();
    const said = await notPaid('E-0');
    expect([writesOf(said), await states()]).toEqual([[], { planned: 1, unknown: 1 }]);
    expect(said.stderr).toContain('record as not paid: 1 row of run wages: E-0');
    const history = (await run('history -o json')).data<Intent[]>();
    expect(history.find((one) => one.external_id === 'wages:E-0')).toMatchObject({
      state: 'not_applied',
      note: 'said by ana: the operator says that it never arrived',
    });
    const rows = (await run('batch rows wages -o json')).data<{ key: string; why: string }[]>();
    expect(rows.find(({ key }) => key === 'E-0')?.why).toContain('said by ana');
    bench.restore();
    expect([(await run('batch run wages --yes')).code, await states()]).toEqual([0, { created: 2 }]);
    expect((await payments()).sort()).toEqual(['wages:E-0', 'wages:E-1']);
  });

  it('rows that were being sent when a process died are settled, as unknown ones are', async () => {
    await unknownRows();
    const store = await openBooksFile(join(bench.dir, 'remit.db'));
    store.run("UPDATE payrun_rows SET state = 'sending' WHERE state = 'unknown'");
    store.close();
    expect(await states()).toEqual({ sending: 2 });
    bench.restore();
    const settled = await run('batch settle wages --yes');
    expect([settled.code, await states()], settled.stderr).toEqual([0, { created: 2 }]);
    expect((await payments()).sort()).toEqual(['wages:E-0', 'wages:E-1']);
  });

  it('counts what it finds, whatever the person says', async () => {
    const [arrive] = await unknownRows();
    await arrive?.();
    await notPaid('E-0,E-1');
    expect(await states()).toMatchObject({ planned: 1 });
    expect(await payments()).toHaveLength(1);
    bench.restore();
    await run('batch run wages --yes');
    expect((await payments()).sort()).toEqual(['wages:E-0', 'wages:E-1']);
  });

  it('a word that is wrong pays nobody twice: a late first call is found', async () => {
    const late = await unknownRows();
    await notPaid('E-0,E-1');
    bench.restore();
    for (const arrive of late) await arrive();
    expect((await run('batch run wages --yes')).code).toBe(0);
    expect((await payments()).sort()).toEqual(['wages:E-0', 'wages:E-1']);
  });

  it('records nothing where the look has no answer', async () => {
    await unknownRows();
    bench.intercept((request, next) =>
      request.method === 'GET' && request.url.includes('/transactions?')
        ? answering(503)(request, next)
        : next(request),
    );
    expect([(await notPaid('E-0')).code, await states()]).toEqual([9, { unknown: 2 }]);
  });

  it.each<[string, string[], number, RegExp]>([
    ['without rows', ['--not-paid', '--because', 'the operator says so'], 2, /--not-paid needs --rows/],
    ['without a reason', ['--rows', 'E-0', '--not-paid'], 2, /needs its reason/],
    ['rows without the word', ['--rows', 'E-0'], 2, /go with --not-paid/],
    ['of a row that is not there', ['--rows', 'E-7', ...SAY], 6, /has no row E-7/],
  ])('%s is refused, and nothing is sent', async (_, flags, code, words) => {
    await unknownRows();
    const refused = await run([
      'batch',
      'settle',
      'wages',
      '--yes',
      ...flags.filter((one) => one !== '--yes'),
    ]);
    expect([refused.code, writesOf(refused), refused.stderr]).toEqual([
      code,
      [],
      expect.stringMatching(words),
    ]);
    expect(await states()).toEqual({ unknown: 2 });
  });

  it('is not for a row of which the outcome is known', async () => {
    await unknownRows();
    await notPaid('E-0');
    const again = await notPaid('E-0');
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('row E-0 is planned')]);
  });
});

describe('in a run for two persons', () => {
  const as = (name: string) => ({
    env: {
      ...{ REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined },
      REMIT_PROFILE: name,
    },
  });
  /** The service knows both keys: the signature does not cover the key. */
  const bothKeys =
    (intercept: Intercept): Intercept =>
    ({ headers, ...request }, next) =>
      intercept({ ...request, headers: { ...headers, 'Authorization-Key': credentials.key } }, next);

  async function signIn(name: string, key: string): Promise<void> {
    const flags = ['--profile', name, '--base-url', baseUrl, '--environment', 'sandbox', '--key', key];
    const made = await bench.run(['login', ...flags, '--secret-stdin', '--no-check'], {
      stdin: credentials.secret,
      ...as(name),
    });
    expect(made.code, made.stderr).toBe(0);
  }

  /** Planned by one person, approved by the other, and paid by the first; what was sent is lost. */
  async function unknownRowOfTwo(): Promise<Intent> {
    await signIn('maker', credentials.key);
    await signIn('checker', 'key_test_9c9c');
    await run(['profiles', 'set', 'maker', 'two_person=true'], as('maker'));
    const path = join(bench.dir, 'wages.csv');
    writeFileSync(path, fileOfRows(1));
    const plan = ['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=9', '-o', 'json'];
    const { digest } = (await run(plan, as('maker'))).data<{ digest: string }>();
    bench.intercept(bothKeys(only(isPayment, lost)));
    expect((await run(['batch', 'approve', 'wages', '--digest', digest], as('checker'))).code).toBe(0);
    expect((await run('batch run wages', as('maker'))).code).toBe(9);
    return (await run('history -o json', as('maker'))).data<Intent[]>()[0] as Intent;
  }

  it('the other person says it, and not whoever sent it', async () => {
    const { id } = await unknownRowOfTwo();
    const line = ['batch', 'settle', 'wages', '--rows', 'E-0', ...SAY];
    const own = await run(line, as('maker'));
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('was sent with this key')]);
    const history = ['history', 'settle', id, '--as', 'not-applied', '--because', 'nobody saw it', '--yes'];
    const apart = await run(history, as('maker'));
    expect([apart.code, apart.stderr]).toEqual([2, expect.stringContaining('which wants two persons')]);
    expect(apart.stderr).toContain('remit batch settle wages --rows E-0 --not-paid --because TEXT');
    expect((await run('batch status wages -o json', as('maker'))).data()).toMatchObject({
      states: { unknown: 1 },
    });
    const other = await run(line, as('checker'));
    expect((await run('batch status wages -o json', as('maker'))).data(), other.stderr).toMatchObject({
      states: { planned: 1 },
    });
  });
});
