/** An outcome by a person's word: looked for first, with a reason, and its external id goes on. */
import { describe, expect, it } from 'vitest';
import {
  answering,
  createArgv,
  credentials,
  isCreation,
  lost,
  only,
  type Run,
  unreachable,
  useBench,
  writesOf,
} from '../support/cli.ts';

const bench = useBench({ sender: true });
const isLook = ({ method, url }: { method: string; url: string }) =>
  method === 'GET' && url.includes('/transactions?');

interface Shown {
  id: string;
  state: string;
  note: string;
  external_id: string;
}
const latest = async (): Promise<Shown> => (await bench.run('history -o json')).data<Shown[]>()[0] as Shown;
const BECAUSE = ['--because', 'the operator says that it never arrived'];
const say = (id: string, as: string, ...rest: string[]) =>
  bench.run(['history', 'settle', id, '--as', as, ...rest], { env: { USER: 'ana' } });
const transactions = async () => (await bench.run('tx list -o json')).data<{ external_id: string }[]>();

/** Its answer is lost, and this key may not read. The request that left is kept, to arrive late. */
async function blind(...flags: string[]): Promise<{ run: Run; arrive(): Promise<unknown> }> {
  let late = async (): Promise<unknown> => undefined;
  bench.intercept((request, next) => {
    if (isCreation(request)) {
      late = async () => next({ ...request, headers: request.headers });
      return lost(request, next);
    }
    return isLook(request) ? answering(403, '{}')(request, next) : next(request);
  });
  const run = await bench.run(createArgv(undefined, ...flags));
  expect(run.code).toBe(9);
  return { run, arrive: () => late() };
}

describe('history settle --as', () => {
  it.each([
    ['no reason', []],
    ['hardly a reason', ['--because', 'ok']],
    ['too long a reason', ['--because', 'x'.repeat(501)]],
  ])('is refused with %s', async (_, because) => {
    await blind();
    const { id } = await latest();
    const refused = await say(id, 'not-applied', ...because);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('needs its reason')]);
    expect((await latest()).state).toBe('unknown');
  });

  it('--because without it is a usage error', async () => {
    await blind();
    expect((await bench.run(['history', 'settle', (await latest()).id, ...BECAUSE])).code).toBe(2);
  });

  it.each(['applied', 'not-applied'])('looks first, and what it finds counts: %s', async (as) => {
    const { arrive } = await blind('--external-id', 'wages-1');
    await arrive();
    bench.restore();
    const found = await say((await latest()).id, as, ...BECAUSE);
    expect([found.code, (await latest()).state]).toEqual([0, 'applied']);
    expect(found.stderr).toContain('your word was not needed: applied');
    expect((await latest()).note).toBe('found');
  });

  it('records who said it and why, where it cannot be looked for', async () => {
    await blind();
    const said = await say((await latest()).id, 'not-applied', ...BECAUSE);
    expect([said.code, said.stderr]).toEqual([
      0,
      expect.stringContaining('cannot be looked for with this key (403)'),
    ]);
    expect(said.stderr).toContain('to make it again pays it twice');
    expect(await latest()).toMatchObject({
      state: 'not_applied',
      note: 'said by ana: the operator says that it never arrived',
    });
  });

  it('records it where it was looked for and not found', async () => {
    await blind();
    bench.restore();
    const said = await say((await latest()).id, 'applied', ...BECAUSE);
    expect([said.code, said.stderr]).toEqual([
      0,
      expect.stringContaining('looked for just now, and not found'),
    ]);
    expect((await latest()).state).toBe('applied');
  });

  it('records nothing where the look has no answer', async () => {
    await blind();
    bench.intercept(only(isLook, unreachable));
    const said = await say((await latest()).id, 'not-applied', ...BECAUSE);
    expect([said.code, said.stderr]).toEqual([9, expect.stringContaining('it has to be looked for first')]);
    expect(said.stderr).toContain('nothing was recorded');
    expect((await latest()).state).toBe('unknown');
  });

  it('takes a full id where nobody looks on', async () => {
    await blind();
    const said = await say((await latest()).id.slice(0, 8), 'not-applied', ...BECAUSE);
    expect([said.code, (await latest()).state]).toEqual([2, 'unknown']);
  });

  it('in production asks for --yes and --live off a terminal', async () => {
    const env = { REMIT_BASE_URL: 'https://api.example.com/v1' };
    bench.intercept((request, next) =>
      isCreation(request)
        ? lost(request, next)
        : isLook(request)
          ? answering(403, '{}')(request, next)
          : next(request),
    );
    const live = ['--yes', `--live=key:${credentials.key.slice(-4)}`];
    expect((await bench.run(createArgv(undefined, ...live), { env })).code).toBe(9);
    const { id } = await latest();
    const argv = ['history', 'settle', id, '--as', 'not-applied', ...BECAUSE];
    expect((await bench.run(argv, { env })).code).toBe(2);
    expect((await bench.run([...argv, '--yes'], { env })).code).toBe(2);
    expect((await latest()).state).toBe('unknown');
    expect((await bench.run([...argv, ...live], { env })).code).toBe(0);
    expect((await latest()).state).toBe('not_applied');
  });
});

describe('what was said to be not applied', () => {
  const sentId = (run: Run) =>
    (writesOf(run)[0]?.body as { transaction: { external_id: string } } | undefined)?.transaction.external_id;

  it.each([[[]], [['--external-id', 'wages-1']]])('goes on with its external id: %j', async (id) => {
    const first = await blind(...id);
    await say((await latest()).id, 'not-applied', ...BECAUSE);
    bench.restore();
    const again = await bench.run(createArgv(undefined, ...id));
    expect([again.code, sentId(again)]).toEqual([0, sentId(first.run)]);
    expect(await transactions()).toHaveLength(1);
  });

  it('and a late first call is met by the service: one transaction', async () => {
    const first = await blind();
    await say((await latest()).id, 'not-applied', ...BECAUSE);
    await first.arrive();
    bench.restore();
    const again = await bench.run(createArgv());
    expect([again.code, (await transactions()).length]).toEqual([0, 1]);
    expect(again.stderr).toContain('it goes on as remit-');
  });

  it('does not go on with it for another sender, or once it was made', async () => {
    const first = await blind();
    await say((await latest()).id, 'not-applied', ...BECAUSE);
    bench.restore();
    const argv = createArgv().map((word) => (word === 'customer-1' ? 'customer-2' : word));
    await bench.run(['sender', 'create', '--from', 'customer-1', '--external-id', 'customer-2']);
    expect(sentId(await bench.run(argv))).not.toBe(sentId(first.run));
    expect(sentId(await bench.run(createArgv()))).toBe(sentId(first.run));
    expect(sentId(await bench.run(createArgv(undefined, '--new-payment')))).not.toBe(sentId(first.run));
  });
});

describe('a debit that was said to be not applied, and arrived after all', () => {
  interface Debit {
    id: string;
    operation: string;
    state: string;
    note: string;
  }
  const debits = async () =>
    (await bench.run('history -o json'))
      .data<Debit[]>()
      .filter(({ operation }) => operation === 'debits.create');

  /** A transaction whose debit got no answer, and the word of a person about it. The debit arrives late. */
  async function said(): Promise<{ transaction: string; debit: string; arrive(): Promise<unknown> }> {
    const made = await bench.run(createArgv(undefined, '-o', 'json'));
    const transaction = made.data<{ id: string }>().id;
    let late = async (): Promise<unknown> => undefined;
    bench.intercept((request, next) => {
      if (!request.url.endsWith('/debits')) return next(request);
      late = async () => next(request);
      return lost(request, next);
    });
    expect((await bench.run(['tx', 'fund', transaction, '--yes'])).code).toBe(9);
    bench.restore();
    const [{ id: debit } = { id: '' }] = await debits();
    expect((await say(debit, 'not-applied', ...BECAUSE)).code).toBe(0);
    return { transaction, debit, arrive: () => late() };
  }

  it.each([
    ['tx show', 0, 'was applied after all'],
    ['tx fund', 0, 'it was funded already at '],
    ['history settle', 0, 'it is settled: applied'],
  ])('changes the history with the first look: %s', async (line, code, words) => {
    const { transaction, debit, arrive } = await said();
    await arrive();
    const id = line === 'history settle' ? debit : transaction;
    const looked = await bench.run([...line.split(' '), id, ...(line === 'tx fund' ? ['--yes'] : [])]);
    expect([looked.code, looked.stderr]).toEqual([code, expect.stringContaining(words)]);
    expect(looked.stderr).toContain('was applied after all: the history says so now');
    expect(writesOf(looked)).toEqual([]);
    expect(await debits()).toMatchObject([
      { state: 'applied', note: 'found later, said by ana: the operator says that it never arrived' },
    ]);
    // It is said once.
    expect((await bench.run(['tx', 'show', transaction])).stderr).not.toContain('after all');
  });

  it('stays as it was said where it did not arrive, and where another debit paid it', async () => {
    const { transaction, debit } = await said();
    await bench.run(['tx', 'show', transaction]);
    expect((await bench.run(['history', 'settle', debit])).stderr).toContain('it is settled: not applied');
    expect((await bench.run(['tx', 'fund', transaction, '--yes'])).code).toBe(0);
    await bench.run(['tx', 'show', transaction]);
    expect((await debits()).map(({ state }) => state)).toEqual(['applied', 'not_applied']);
  });

  it('says where it could not be looked for again', async () => {
    const { debit } = await said();
    bench.intercept(unreachable);
    const looked = await bench.run(['history', 'settle', debit]);
    expect(looked.stderr).toContain('it could not be looked for again');
  });
});
