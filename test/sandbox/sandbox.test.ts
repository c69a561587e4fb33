/** What the operator, the providers, compliance and time do, by command. */
import { describe, expect, it } from 'vitest';
import {
  collectionFlags,
  createArgv,
  createBench,
  paymentFlags,
  type Run,
  senderFlags,
  useBench,
  words,
} from '../support/cli.ts';

const bench = useBench({ sender: true });

const sandbox = (words: string, ...rest: string[]): Promise<Run> =>
  bench.run(['sandbox', ...words.split(' '), ...rest]);
const controls = (run: Run) => run.requests.filter(({ path }) => path.startsWith('/_sandbox/'));
const NOBODY = '00000000-0000-4000-8000-000000000000';

async function create(externalId: string, account?: string, ...more: string[]): Promise<string> {
  const run = await bench.run(createArgv(account, '--external-id', externalId, ...more));
  expect(run.code, run.stderr).toBe(0);
  return run.data<{ id: string }>().id;
}
const pay = (externalId: string, account?: string) =>
  create(externalId, account, '--fund', '--max-input', '20');

async function collect(externalId: string): Promise<void> {
  const run = await bench.run([
    ...['tx', 'create', ...collectionFlags(), '--payin-detail', 'mobile_provider=mtn'],
    ...['--detail', 'reference=order-17', '--external-id', externalId],
  ]);
  expect(run.code, run.stderr).toBe(0);
}

interface Tx {
  state: string;
  recipients: { id: string; state: string; mandate_id?: string }[];
  payin_methods: { id: string; state: string }[];
}
const read = async (externalId: string): Promise<Tx> =>
  (await bench.run(['tx', 'show', externalId, '-o', 'json'])).data<Tx>();

describe('clock', () => {
  const now = async () => (await sandbox('clock --query now')).stdout.trim();

  it('shows, moves forward, stands at an instant, runs and stops', async () => {
    const before = Date.parse(await now());
    const moved = await sandbox('clock advance 1h1m');
    expect([moved.code, moved.stdout]).toEqual([
      0,
      `${new Date(before + 3_660_000).toISOString()}\tstanding\n`,
    ]);
    const day = new Date(before + 86_400_000).toISOString().slice(0, 10);
    expect((await sandbox(`clock set ${day}T23:59`)).stdout).toBe(`${day}T23:59:00.000Z\tstanding\n`);
    expect((await sandbox(`clock set ${day}T23:59:30+00:00`)).stdout).toBe(
      `${day}T23:59:30.000Z\tstanding\n`,
    );
    const runs = await createBench({ clock: { mode: 'standing', machine: { now: () => 0 } } });
    expect((await runs.run(['sandbox', 'clock', 'run', '--query', 'mode'])).stdout).toBe('running\n');
    expect((await runs.run(['sandbox', 'clock', 'stop', '--query', 'mode'])).stdout).toBe('standing\n');
    await runs.close();
  });

  it.each([
    ['advance soon', 2, '"soon" is not a duration'],
    ['advance -5m', 2, 'unknown option'],
    ['advance', 2, '"" is not a duration'],
    ['set tomorrow', 2, '"tomorrow" is not a time'],
    ['set 2026-02-31T25:00', 2, 'is not a time'],
    ['set 2001-01-01', 5, 'time does not run backwards'],
    ['advance 400d', 5, 'at most 366 days'],
    ['rewind', 2, 'the clock has no action "rewind"'],
    ['stop 5m', 2, 'stop takes no time'],
  ])('clock %s is refused, and time stays', async (words, code, said) => {
    const before = await now();
    const run = await sandbox(`clock ${words}`);
    expect([run.code, run.stderr.split('\n')[0]]).toEqual([code, expect.stringContaining(said)]);
    expect(controls(run)).toHaveLength(code === 5 ? 1 : 0);
    expect(await now()).toBe(before);
  });
});

describe('approve, reject, ban', () => {
  const state = async (id: string) =>
    (await bench.run(['sender', 'show', id, '--query', 'state'])).stdout.trim();

  it('by external id and by id; a refusal has a reason that the partner reads', async () => {
    await sandbox('settings kyc=operator');
    for (const [verb, ends, ...reasons] of [
      ['approve', 'approved'],
      ['reject', 'rejected', '--reason', 'seen at the desk'],
    ] as const) {
      const made = await bench.run(['sender', 'create', ...senderFlags(`to-${verb}`), '-o', 'json']);
      const { id } = made.data<{ id: string }>();
      const run = await sandbox(`${verb} to-${verb}`, ...reasons);
      expect([run.code, run.stdout]).toEqual([0, `${id}\t${ends}\t\n`]);
      expect(await state(id)).toBe(ends);
      const { stdout: reason } = await bench.run(['sender', 'show', id, '--query', 'state_reason']);
      expect(reason).toBe(verb === 'reject' ? 'seen at the desk\n' : '\n');
    }
    const { stdout } = await bench.run(['sender', 'find', 'customer-1', '--query', 'id']);
    expect((await sandbox(`ban ${stdout.trim()} --query state`)).stdout).toBe('banned\n');
    expect((await sandbox('ban customer-1 --lift --query state')).stdout).toBe('approved\n');
  });

  it('an approval, and a ban that is lifted, take no reason: nobody would read it', async () => {
    await sandbox('settings kyc=operator');
    const made = await bench.run(['sender', 'create', ...senderFlags('to-approve'), '-o', 'json']);
    const { id } = made.data<{ id: string }>();
    expect((await sandbox('approve to-approve --reason', 'x')).code).toBe(2);
    expect((await sandbox('ban to-approve --lift --reason', 'x')).code).toBe(2);
    expect(await state(id)).toBe('initial');
  });

  it('what cannot be: 5 with the state that it is in; nobody of that name: 6', async () => {
    const again = await sandbox('approve customer-1');
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('approved cannot be approved')]);
    for (const verb of ['approve', 'reject', 'ban'])
      for (const who of ['nobody', NOBODY]) {
        const run = await sandbox(`${verb} ${who}`);
        expect([run.code, controls(run).length, run.stderr]).toEqual([6, 0, expect.stringContaining(who)]);
      }
  });
});

describe('payout', () => {
  it('forces a pending one, and says so of one that is paid already', async () => {
    await pay('pending', '0123456701');
    const forced = await sandbox('payout pending --query state');
    expect([forced.code, forced.stdout]).toEqual([0, 'paid\n']);
    expect((await sandbox('payout pending')).code).toBe(5);
    const late = await sandbox('payout pending --code 416');
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('the payout has ended: success')]);
  });

  it('stuck, an error code, and one recipient of several', async () => {
    await pay('stuck', '0123456701');
    const silent = await sandbox('payout stuck --outcome stuck');
    expect([silent.code, silent.stderr]).toEqual([0, expect.stringContaining('after a day of silence')]);
    await sandbox('clock advance 25h');
    expect((await read('stuck')).recipients[0]?.state).toBe('stuck');
    await pay('refused', '0123456701');
    expect((await sandbox('payout refused --code 416 --recipient 1')).stdout).toContain('\terror\t');
    const third = await sandbox('payout refused --code 416 --recipient 3');
    expect([third.code, third.stderr]).toEqual([2, expect.stringContaining('1 recipients, not 3')]);
  });

  it('to one that failed it is said at its next try', async () => {
    await pay('failed', '0123456719');
    const told = await sandbox('payout failed --outcome paid');
    expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('at its next try')]);
    await sandbox('clock advance 1m');
    expect((await read('failed')).state).toBe('paid');
  });

  it.each([
    ['--outcome stuck --code 416', 2],
    ['--recipient 1', 2],
    ['--recipient 0 --code 1', 2],
    ['--outcome maybe', 2],
    ['--code 999', 5],
  ])('payout %s is refused', async (flags, code) => {
    await pay('one', '0123456701');
    expect((await sandbox(`payout one ${flags}`)).code).toBe(code);
    expect((await read('one')).recipients[0]?.state).toBe('pending');
  });

  it('an unknown transaction is 6', async () => {
    for (const id of ['nothing', NOBODY]) expect((await sandbox(`payout ${id} --code 416`)).code).toBe(6);
  });
});

describe('payin', () => {
  it('all of it, another amount, or another end', async () => {
    for (const id of ['whole', 'short', 'slow', 'fails', 'odd']) await collect(id);
    expect((await sandbox('payin whole')).code).toBe(0);
    expect((await read('whole')).state).toBe('paid');
    expect((await sandbox('payin short --amount 30')).stdout).toMatch(/\tmispaid\tmispaid\n$/);
    expect((await sandbox('payin slow --outcome processing')).stdout).toMatch(/\tprocessing\t/);
    expect((await sandbox('payin fails --code 412')).stdout).toMatch(/\terror\t/);
    expect((await sandbox('payin odd --outcome exception')).stdout).toMatch(/\texception\t/);
    expect((await read('short')).payin_methods[0]?.state).toBe('mispaid');
    expect((await sandbox('payin whole --amount 50')).code).toBe(5);
  });

  it.each([
    ['--amount 30 --outcome error', 2],
    ['--amount much', 2],
    ['--outcome perhaps', 2],
    ['--amount 1.123', 5],
    ['--code 999', 5],
  ])('payin %s is refused', async (flags, code) => {
    await collect('one');
    expect((await sandbox(`payin one ${flags}`)).code).toBe(code);
    expect((await read('one')).payin_methods[0]?.state).toBe('pending');
  });

  it('a payment from the balance is no collection: 2', async () => {
    await pay('payment', '0123456701');
    const run = await sandbox('payin payment --amount 5');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('is not a collection')]);
  });
});

describe('review, refund, mandate', () => {
  it('compliance holds, releases, and gives to the operator', async () => {
    await sandbox('settings review=true');
    await pay('looked-at');
    expect((await read('looked-at')).state).toBe('processing');
    expect((await sandbox('review looked-at release --query state')).stdout).toMatch(/^(?:received|paid)\n$/);
    await pay('odd');
    expect((await sandbox('review odd exception --query state')).stdout).toBe('exception\n');
    expect((await sandbox('review odd resume')).code).toBe(0);
    const late = await sandbox('review looked-at hold');
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('cannot be put on hold')]);
    expect((await sandbox('review odd perhaps')).stderr).toContain('hold, release, exception, resume');
    expect((await sandbox('review odd perhaps')).code).toBe(2);
    expect((await sandbox('review nothing hold')).code).toBe(6);
  });

  it('only what waits for people is refunded by hand', async () => {
    await pay('paid');
    const run = await sandbox('refund paid');
    expect([run.code, run.stderr]).toEqual([5, expect.stringContaining('waits for a refund by hand')]);
    expect((await sandbox('refund nothing')).code).toBe(6);
  });

  it('a mandate that is signed lets its payout go', async () => {
    const details = ['first_name=Ada', 'last_name=Obi', 'email=ada@example.com', 'branch_code=051001'].concat(
      ['bank_account=1234567800', 'phone_number=+27821234567', 'street=Main Road 1', 'city=Cape Town'],
      ['postal_code=8001'],
    );
    const made = await bench.run([
      ...words('tx create --input-currency EUR --amount 500 --type ZAR::Bank --sender customer-1'),
      ...details.flatMap((pair) => ['--detail', pair]),
      ...['--external-id', 'zar', '--fund', '--max-input', '500'],
    ]);
    expect(made.code, made.stderr).toBe(0);
    const id = (await read('zar')).recipients[0]?.mandate_id ?? '';
    expect((await sandbox(`mandate ${id} signed --query status`)).stdout).toBe('signed\n');
    expect((await read('zar')).state).toBe('paid');
    expect((await sandbox(`mandate ${NOBODY} signed`)).code).toBe(6);
    expect((await sandbox(`mandate ${id} torn`)).stderr).toContain('notified, signed, failed, bypassed');
    expect((await sandbox('mandate wages-1 signed')).code).toBe(6);
  });
});

it('refund posts what people return by hand', async () => {
  const made = await bench.run([
    ...['tx', 'create', '--payin', 'XOF::Mobile', '--payin-flow', 'ussd_popup', '--amount', '5000'],
    ...['--payin-detail', 'phone_number=+2250700000000', '--payin-detail', 'mobile_provider=mtn'],
    ...['--payin-detail', 'country=CI', ...paymentFlags('customer-1', '0123456708').slice(4)],
    ...['--external-id', 'by-hand', '-o', 'json'],
  ]);
  expect(made.code, made.stderr).toBe(0);
  await sandbox('clock advance 25h');
  expect((await sandbox('refund by-hand --query state')).stdout).toBe('refunded\n');
});
