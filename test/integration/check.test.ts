/** Before going live, over a whole sandbox: a good integration passes, a bad one fails with examples, and no data of a customer is shown. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckRow } from '../../src/integration/cli/views/check.ts';
import type { PollingRow } from '../../src/integration/polling.ts';
import {
  answering,
  createArgv,
  credentials,
  only,
  payArgv,
  paymentJson,
  person,
  type Run,
  unreachable,
  useBench,
} from '../support/cli.ts';

const DAY_MS = 86_400_000;
const HOOK = 'http://127.0.0.1:4011/hook';
let handlerStatus = 200;
const bench = useBench({
  sandbox: { transport: async () => ({ status: handlerStatus, headers: {}, body: '' }) },
  sender: true,
});
beforeEach(() => {
  handlerStatus = 200;
});

const done = async (argv: string | readonly string[]): Promise<Run> => {
  const run = await bench.run(argv);
  expect(`${run.code} ${run.code === 0 ? '' : run.stderr}`).toBe('0 ');
  return run;
};
const idOf = (run: Run): string => run.data<{ id: string }>().id;
const read = (id: string) => done(['api', 'GET', `/transactions/${id}`]);
const createRaw = async (sender: object): Promise<string> => {
  const body = JSON.stringify({ transaction: { ...paymentJson('0123456719'), sender } });
  const run = await bench.run(['api', 'transactions.create', '--input', '-', '--yes'], { stdin: body });
  expect(`${run.code} ${run.code === 0 ? '' : run.stderr}`).toBe('0 ');
  return run.json<{ object: { id: string } }>().object.id;
};

/** What the service asks for: known senders, an endpoint that answers, an error that is delivered, a cancel. */
async function goodIntegration(): Promise<{ paid: string; canceled: string }> {
  await done(['webhooks', 'add', HOOK]);
  await done(payArgv('0123456700'));
  await bench.sandbox.advance(3 * DAY_MS);
  const paid = idOf(await done(payArgv('0123456719')));
  const canceled = await done(createArgv(undefined, '--new-payment'));
  const [recipient] = canceled.data<{ recipients: { id: string }[] }>().recipients;
  await done(['recipient', 'cancel', recipient?.id ?? '', '--yes']);
  await bench.sandbox.drain();
  return { paid, canceled: recipient?.id ?? '' };
}

/** A person who is made a sender again each time, and a loop that reads. */
async function badIntegration(): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1) made.push(await createRaw({ ...person, documents: [], metadata: {} }));
  for (let n = 0; n < 8; n += 1) await read(made[0] ?? '');
  return made;
}

const onboarding = (...more: string[]): Promise<Run> =>
  bench.run(['check', 'onboarding', '-o', 'json', ...more]);
const idsOf = (row: CheckRow | undefined) => row?.examples.map(({ id }) => id);
const verdicts = (run: Run) =>
  Object.fromEntries(run.data<CheckRow[]>().map(({ check, verdict }) => [check, verdict]));

describe('check onboarding', () => {
  it('a good integration passes all four, with counts and examples', async () => {
    const { paid, canceled } = await goodIntegration();
    const run = await onboarding('--since', '1d');
    expect(run.code, run.stderr).toBe(0);
    expect(verdicts(run)).toEqual({
      senders: 'pass',
      webhooks: 'pass',
      errors: 'pass',
      cancels: 'pass',
    });
    const [senders, webhooks, , cancels] = run.data<CheckRow[]>();
    expect(senders).toMatchObject({ counts: { transactions: 2, referred: 2 }, complete: true, next: null });
    expect(idsOf(senders)).toContain(paid);
    expect(webhooks?.counts).toMatchObject({ endpoints: 1, read_too_often: 0 });
    expect(cancels).toMatchObject({
      examples: [{ kind: 'recipient', id: canceled }],
      counts: { asked: 1, accepted: 1 },
    });
    expect(run.stderr).toContain('0 failed, 0 without evidence, 4 passed');
    expect(run.stderr).toMatch(/the log of requests was read since 20\d\d-/);
  });

  it('a bad integration fails, names examples, and says what to do', async () => {
    const made = await badIntegration();
    const run = await onboarding();
    expect(run.code).toBe(10);
    expect(verdicts(run)).toEqual({
      senders: 'fail',
      webhooks: 'fail',
      errors: 'no_evidence',
      cancels: 'no_evidence',
    });
    const [senders, webhooks] = run.data<CheckRow[]>();
    expect(senders?.counts).toMatchObject({ transactions: 4, referred: 0, made_again: 4 });
    expect(idsOf(senders)).toEqual(made.slice(0, 3));
    expect(webhooks).toMatchObject({
      examples: [{ kind: 'transaction', id: made[0] }],
      next: 'remit webhooks add URL registers your endpoint',
    });
    expect(webhooks?.says).toMatch(
      /no endpoint is registered for payments; 1 of 4 transactions was read more/,
    );
  });

  it('an example on a terminal is short, and is found again by what is shown', async () => {
    const [first = ''] = await badIntegration();
    const { stdout } = await bench.run('check onboarding', { tty: true, columns: 140 });
    expect(stdout).toContain(`transaction ${first.slice(0, 8)}`);
    expect(stdout).not.toContain(first);
    await done(['tx', 'show', first.slice(0, 8)]);
  });

  it('an endpoint that refuses fails webhooks and errors, and cancels that are refused fail', async () => {
    handlerStatus = 500;
    await done(['webhooks', 'add', HOOK]);
    const paid = await done(payArgv('0123456700'));
    const failed = await done(payArgv('0123456719', '--new-payment'));
    const [recipient] = paid.data<{ recipients: { id: string }[] }>().recipients;
    await bench.run(['api', 'DELETE', `/recipients/${recipient?.id}`, '--yes']);
    const run = await onboarding();
    expect(run.code).toBe(10);
    expect(verdicts(run)).toMatchObject({
      webhooks: 'fail',
      errors: 'fail',
      cancels: 'fail',
    });
    const [, , errors, cancels] = run.data<CheckRow[]>();
    expect(idsOf(errors)).toEqual(
      failed.data<{ recipients: { id: string }[] }>().recipients.map(({ id }) => id),
    );
    expect(errors?.next).toBe('remit webhooks test-handler --to URL tries your endpoint');
    expect(idsOf(cancels)).toEqual([recipient?.id]);
  });

  it('a log that does not reach as far says how far, and what passes passes as far as that', async () => {
    await goodIntegration();
    const run = await onboarding('--since', '30d');
    expect(run.code).toBe(0);
    const [senders] = run.data<CheckRow[]>();
    expect(senders).toMatchObject({ verdict: 'pass', complete: false });
    expect(senders?.says).toMatch(/\(as far as the log reaches\)$/);
    expect(run.stderr).toMatch(/the log of requests reaches back to 20\S+ \S+ UTC, and was asked for since/);
  });

  it('three that pass and one without evidence end with 10', async () => {
    await done(['webhooks', 'add', HOOK]);
    await done(payArgv('0123456700'));
    await bench.sandbox.advance(3 * DAY_MS);
    await done(payArgv('0123456719'));
    await bench.sandbox.drain();
    const run = await onboarding('--since', '1d');
    expect([run.code, Object.values(verdicts(run)).sort()]).toEqual([
      10,
      ['no_evidence', 'pass', 'pass', 'pass'],
    ]);
  });

  it('no evidence is no pass and no failure, and ends with 10', async () => {
    const run = await onboarding();
    expect(run.code).toBe(10);
    expect(Object.values(verdicts(run))).toEqual(Array(4).fill('no_evidence'));
    expect(run.stderr).toContain('0 failed, 4 without evidence, 0 passed');
    expect(
      run.data<CheckRow[]>().every(({ next }) => next?.startsWith('remit sandbox start runs a sandbox: ')),
    ).toBe(true);
  });

  it('shows no data of a customer and no secret, in any format', async () => {
    await goodIntegration();
    await badIntegration();
    for (const format of ['json', 'table', 'text', 'csv', 'yaml']) {
      const run = await bench.run(['check', 'onboarding', '--reveal', '-o', format], {
        tty: format === 'table',
      });
      expect(run.stdout + run.stderr).not.toMatch(/Ada|Obi|Ines|Marques|0123456719|ines@|912345678/);
      expect(run.stdout + run.stderr).not.toContain(credentials.secret);
    }
  });

  it('only reads; a log that cannot be read is an error and no verdict', async () => {
    const run = await onboarding();
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    bench.intercept(only(({ url }) => url.includes('/logs/webhooks'), answering(500)));
    const failed = await onboarding();
    expect([failed.code, failed.stdout]).toEqual([75, '']);
    bench.intercept(unreachable);
    expect((await onboarding()).code).toBe(75);
    expect((await bench.run('check onboarding --since tomorrow')).code).toBe(2);
  });
});

describe('check polling', () => {
  it('ends with 10 beyond a limit', async () => {
    const [first = ''] = await badIntegration();
    const run = await bench.run('check polling -o json');
    expect(run.code).toBe(10);
    expect(run.data<PollingRow[]>().at(-1)).toMatchObject({ id: first, reads: 8, beyond: 2 });
  });

  it('watching, waiting and balances on a sandbox of this machine are left out, and that is said', async () => {
    const id = idOf(await done(payArgv('0123456701')));
    for (let n = 0; n < 2; n += 1) await done(['balance', 'EUR']);
    const watched = await bench.run(['tx', 'watch', id, '--timeout', '10s']);
    expect(watched.code, watched.stderr).toBe(8);
    expect(watched.requests.filter(({ path }) => path.endsWith(id)).length).toBeGreaterThan(6);
    const run = await bench.run('check polling -o json');
    expect([run.code, run.stderr], run.stdout).toEqual([
      0,
      expect.stringMatching(/2\d reads of remit itself are left out: it reads a sandbox on this machine/),
    ]);
  });

  it('says that nothing was read', async () => {
    await bench.sandbox.advance(3 * DAY_MS);
    const run = await bench.run('check polling --since 1d', { tty: true });
    expect([run.code, run.stdout]).toEqual([0, 'no reads were logged\n']);
  });
});

describe('screens', () => {
  it.each([80, 120])('at %i columns', async (columns) => {
    await goodIntegration();
    await badIntegration();
    const plain = (text: string): string =>
      text
        .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '0a0a0a0a-0000-4000-8000-000000000000')
        .replace(/\b[0-9a-f]{8}\b(?!-)/g, '0a0a0a0a');
    const screens: string[] = [];
    for (const argv of ['check onboarding', 'check polling']) {
      const { stdout, stderr } = await bench.run(argv, { tty: true, columns });
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.length > columns)).toEqual([]);
      screens.push(`remit ${argv}\n\n${plain(stdout)}\n${plain(stderr)}`);
    }
    await expect(screens.join('\n')).toMatchFileSnapshot(`../terminal/screens/check-${columns}.txt`);
  });
});
