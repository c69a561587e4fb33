/** A row that was refused is corrected in place: a new body, a new digest, a new approval; and nothing that may have been paid is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { answering, type Intercept, lostAfter, only, type Run, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { usePostgres } from '../support/one-postgres.ts';

const server = usePostgres();
const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);
const through: Intercept = (request, next) => next(request);

type Payee = [key: string, first: string, account: string, amount?: string];
const WAGES: Payee[] = [
  ['E-1', 'Ada', '0000000100'],
  ['E-2', 'Kofi', '0000000200'],
  ['E-3', 'Zoë', '0000000300'],
];
function fileOf(payees: readonly Payee[]): string {
  const path = join(bench.dir, 'wages.csv');
  const rows = payees.map(
    ([key, first, account, amount = '1000']) =>
      `${key},NGN::Bank,${amount},EUR,customer-1,${first},Obi,044,${account},${key} of wages`,
  );
  const header =
    'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account,metadata.note';
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
  return path;
}
const plan = (payees: readonly Payee[] = WAGES, ...more: string[]): Promise<Run> =>
  batch('plan', fileOf(payees), '--name', 'wages', '--max-input', 'EUR=1000', ...more);
const fix = (key: string, account: string, ...more: string[]): Promise<Run> =>
  batch('fix', 'wages', key, '--set', `bank_account=${account}`, ...more);
const REFUSED =
  '{"object":{"errors":{"recipients.0.payout_method.bank_account":[{"error":"invalid"}]}},"meta":{}}';
const isOf =
  (key: string) =>
  ({ url, body }: { url: string; body?: string | undefined }): boolean =>
    url.endsWith('/create_and_fund') && body?.includes(`"wages:${key}"`) === true;
interface Status {
  state: string;
  status: string;
  digest: string;
  approved_by: string | null;
  states: Record<string, number>;
  changed_payees: number;
}
const status = async () => (await batch('status', 'wages', '-o', 'json')).data<Status>();
const row = async (key: string) =>
  (await batch('show', 'wages', key, '-o', 'json')).data<Record<string, string>>();
interface Paid {
  external_id: string;
  metadata: Record<string, string>;
  recipients: { payout_method: { details: { bank_account: string } } }[];
}
const everyPayment = async () => (await bench.run(['tx', 'list', '-o', 'json', '--reveal'])).data<Paid[]>();
/** The accounts that money was taken for. */
const accounts = async (): Promise<(string | undefined)[]> =>
  (await everyPayment()).map(({ recipients: [one] }) => one?.payout_method.details.bank_account).sort();

const digestAndRows = ({ digest, state, states, approved_by }: Status) => ({
  digest,
  state,
  states,
  approved_by,
});

/** Two rows are paid, and the second is refused. */
async function refused(): Promise<Status> {
  await plan();
  bench.intercept(only(isOf('E-2'), answering(422, REFUSED)));
  await batch('run', 'wages');
  bench.intercept(through);
  const stands = await status();
  expect(stands.states).toMatchObject({ refused: 1 });
  return stands;
}

describe('a row that was refused is corrected and paid', () => {
  it('with a new digest, by its new account alone, and everybody once', async () => {
    const before = await refused();
    const fixed = await fix('E-2', '0000000900', '-o', 'json');
    expect([fixed.code, fixed.requests.filter(({ method }) => method !== 'GET')]).toEqual([0, []]);
    expect(fixed.stderr).toContain('row 2 (E-2) is corrected: bank_account');
    expect(fixed.stderr).toContain('bank_account: ••••0200 -> 0000000900');
    expect(fixed.stderr).toContain('remit batch run wages');
    const now = await status();
    expect(now).toMatchObject({
      state: 'planned',
      status: 'corrected, and not approved again',
      approved_by: null,
      states: { planned: 1, created: 2 },
    });
    expect(now.digest).not.toBe(before.digest);
    expect(fixed.data<Status>().digest).toBe(now.digest);
    expect(await row('E-2')).toMatchObject({
      state: 'planned',
      why: null,
      account: '044 ••••0900',
      external_id: 'wages:E-2',
      corrected: 'bank_account',
      corrected_by: expect.stringMatching(/key …7f3c$/),
    });
    const ran = await batch('run', 'wages');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('corrected: row 2 (E-2), bank_account, by ');
    expect(await accounts()).toEqual(['0000000100', '0000000300', '0000000900']);
    expect(await status()).toMatchObject({ state: 'approved', states: { created: 3 } });
    const [paid] = (await everyPayment()).filter(({ external_id: id }) => id === 'wages:E-2');
    expect(paid).toMatchObject({ metadata: { note: 'E-2 of wages' } });
  });

  it('the digest of before approves nothing', async () => {
    const { digest } = await refused();
    await fix('E-2', '0000000900');
    const old = await batch('approve', 'wages', '--digest', digest);
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('has another digest')]);
    expect((await batch('approve', 'wages', '--digest', (await status()).digest)).code).toBe(0);
  });

  it('a corrected file is the run, and the file of before is told of the correction', async () => {
    await refused();
    await fix('E-2', '0000000900');
    const old = await plan();
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('rows were corrected in the run')]);
    const corrected = WAGES.map(
      ([key, first, account]): Payee => [key, first, key === 'E-2' ? '0000000900' : account],
    );
    expect((await plan(corrected)).code).toBe(0);
    expect((await status()).states).toEqual({ planned: 1, created: 2 });
  });

  it('twice, and a detail that is taken out', async () => {
    await refused();
    await fix('E-2', '0000000900');
    const first = (await row('E-2')).corrected_at;
    machine.ms += 60_000;
    const again = await batch(
      'fix',
      'wages',
      'E-2',
      '--set',
      'bank_account=0000000800',
      '--set',
      'first_name=Kofi B',
    );
    expect(again.code, again.stderr).toBe(0);
    expect(await row('E-2')).toMatchObject({ name: 'Kofi B Obi', corrected: 'bank_account, first_name' });
    expect((await row('E-2')).corrected_at?.slice(0, 16)).not.toBe(first?.slice(0, 16));
    machine.ms -= 60_000;
    const same = await fix('wages:E-2', '0000000800');
    expect([same.code, same.stderr]).toEqual([0, expect.stringContaining('reads like that already')]);
    await batch('run', 'wages');
    expect(await accounts()).toEqual(['0000000100', '0000000300', '0000000800']);
  });

  it('who corrected it is in the digest: taken out of the store, the run stops', async () => {
    await refused();
    await fix('E-2', '0000000900');
    const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
    store.exec("UPDATE payruns SET plan = json_remove(plan, '$.fixes')");
    store.close();
    const ran = await batch('run', 'wages');
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('is not what was planned')]);
  });

  it('a row of the second window too', async () => {
    const many = Array.from({ length: 203 }, (_, i): Payee => [`E-${i}`, 'Ada', `${10_000_000 + i}00`]);
    await plan(many);
    const fixed = await fix('E-202', '7777777700', '-o', 'json');
    const { digest } = fixed.data<Status>();
    // Approving reads every row, and finds each window to be as planned.
    const approved = await batch('approve', 'wages', '--digest', digest);
    expect(approved.code, approved.stderr).toBe(0);
  });

  it('a hold stays, and a moment that is to come too', async () => {
    await plan(WAGES, '--not-before', '2099-05-06T08:00');
    await batch('hold', 'wages', '--because', 'a call');
    await fix('E-2', '0000000900');
    const shown = (await batch('status', 'wages', '-o', 'json')).data<Record<string, string>>();
    expect([shown.held_by, shown.not_before]).toEqual([
      expect.stringContaining('a call'),
      expect.stringMatching(/^2099-/),
    ]);
  });

  it('in a store of several machines as well', async () => {
    const env = { REMIT_STORE: server().url };
    const there = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv], { env });
    await there('plan', fileOf(WAGES), '--name', 'wages', '--max-input', 'EUR=1000');
    bench.intercept(only(isOf('E-2'), answering(422, REFUSED)));
    await there('run', 'wages');
    bench.intercept(through);
    const fixed = await there('fix', 'wages', 'E-2', '--set', 'bank_account=0000000900');
    expect(fixed.code, fixed.stderr).toBe(0);
    expect((await there('run', 'wages')).code).toBe(0);
    expect(await accounts()).toEqual(['0000000100', '0000000300', '0000000900']);
  });
});

describe('nothing that may have been paid is corrected', () => {
  it.each<[string, Intercept, string]>([
    ['created', through, 'row "E-2" is created'],
    ['unknown', lostAfter, 'row "E-2" is unknown'],
  ])('a row that is %s', async (_, intercept, words) => {
    await plan();
    const lost: Intercept = async (request, next) =>
      isOf('E-2')(request) || (request.method === 'GET' && request.url.includes('external_id'))
        ? intercept(request, next)
        : next(request);
    bench.intercept(lost);
    await batch('run', 'wages');
    bench.intercept(through);
    const before = await status();
    const refused = await fix('E-2', '0000000900');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(await status()).toMatchObject(digestAndRows(before));
  });

  it('an error at the provider is corrected there', async () => {
    await plan([['E-1', 'Ada', '0000000119']]);
    await batch('run', 'wages');
    await bench.run(['sandbox', 'clock', 'advance', '2h']);
    await batch('watch', 'wages', '--timeout', '5s');
    const refused = await fix('E-1', '0000000900');
    expect(refused.code, refused.stderr).toBe(1);
    expect(refused.stderr).toMatch(/its payout is in error[\s\S]*remit recipient edit [0-9a-f-]{36}/);
  });

  it('an external id that is used up takes no correction', async () => {
    await plan();
    const created = await bench.run([
      ...['tx', 'create', '--type', 'NGN::Bank', '--amount', '1000', '--input-currency', 'EUR'],
      ...['--sender', 'customer-1', '--external-id', 'wages:E-2', '--detail', 'first_name=Kofi'],
      ...['--detail', 'last_name=Obi', '--detail', 'bank_code=044', '--detail', 'bank_account=0000000200'],
    ]);
    expect(created.code, created.stderr).toBe(0);
    await bench.run(['tx', 'cancel', 'wages:E-2', '--yes']);
    await batch('run', 'wages');
    expect(await row('E-2')).toMatchObject({ state: 'refused', code: 'external_id_used_up' });
    const refused = await fix('E-2', '0000000900');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('remit batch remaining wages'),
    ]);
  });
});

describe('a correction that is not right changes nothing', () => {
  it.each<[string, string[], number, string]>([
    ['no detail', ['amount=1'], 2, 'amount: a correction changes whom a row pays'],
    ['a sender', ['sender.first_name=Eve'], 2, 'sender.first_name: a correction'],
    ['a detail that is not known', ['bank_acount=1'], 5, 'bank_acount'],
    ['a bank that is none', ['bank_code=12'], 5, 'bank_code'],
    ['one that is needed', ['bank_account='], 5, 'bank_account'],
    ['nothing', [], 2, 'nothing is to be corrected'],
    ['the account and amount of another row', ['bank_account=0000000300'], 10, 'of another row of the run'],
  ])('%s', async (_, sets, code, words) => {
    await refused();
    const before = await status();
    const made = await batch('fix', 'wages', 'E-2', ...sets.flatMap((set) => ['--set', set]));
    expect([made.code, made.stderr]).toEqual([code, expect.stringContaining(words)]);
    expect(await status()).toMatchObject(digestAndRows(before));
    expect(await row('E-2')).toMatchObject({ state: 'refused', account: '044 ••••0200', corrected: null });
  });

  it('the bank does not know the account', async () => {
    await refused();
    const made = await fix('E-2', '9000000444', '--check-accounts');
    expect([made.code, made.stderr]).toEqual([5, expect.stringContaining('row 2 (E-2) would not be right')]);
    const known = await fix('E-2', '0000000900', '--check-accounts');
    expect(known.code, known.stderr).toBe(0);
    expect((await row('E-2')).holder_name).toMatch(/match|close|other/);
  });

  it('a run that is rejected, or changed in the store', async () => {
    const { digest } = await refused();
    await batch('approve', 'wages', '--digest', digest, '--reject', '--because', 'wrong file');
    const rejected = await fix('E-2', '0000000900');
    expect([rejected.code, rejected.stderr]).toEqual([
      1,
      expect.stringContaining('a correction must not take that away'),
    ]);
    await batch('approve', 'wages', '--digest', digest);
    const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
    store.exec("UPDATE payrun_rows SET body = replace(body, '0000000200', '0000000666') WHERE key = 'E-2'");
    store.close();
    const altered = await fix('E-2', '0000000900');
    expect([altered.code, altered.stderr]).toEqual([10, expect.stringContaining('is not what was planned')]);
  });

  it('a run that is cancelled', async () => {
    await plan();
    await batch('cancel', 'wages');
    expect((await fix('E-2', '0000000900')).code).toBe(2);
  });
});

describe('whom the row pays now is compared with what was paid before', () => {
  it('another payee’s account needs its number, and the approver says it again', async () => {
    await bench.run([
      'batch',
      'plan',
      fileOf([['X-1', 'Eve', '0000000700']]),
      '--name',
      'october',
      '--max-input',
      'EUR=1000',
    ]);
    await batch('run', 'october');
    await bench.run(['sandbox', 'clock', 'advance', '2h']);
    await batch('watch', 'october', '--timeout', '5s');
    await refused();
    const robbed = await fix('E-2', '0000000700', '--repeat', 'october');
    expect([robbed.code, robbed.stderr]).toEqual([10, expect.stringContaining('--accept-changed 1')]);
    expect(robbed.stderr).toContain('the account was paid as: Eve Obi, 044 ••••0700 (X-1 of october)');
    const soon = await fix('E-2', '0000000700', '--accept-changed', '1');
    expect([soon.code, soon.stderr]).toEqual([10, expect.stringContaining('--repeat october')]);
    const meant = await fix('E-2', '0000000700', '--repeat', 'october', '--accept-changed', '1');
    expect(meant.code, meant.stderr).toBe(0);
    const { digest, changed_payees: changed } = await status();
    expect(changed).toBe(1);
    const approved = await batch('approve', 'wages', '--digest', digest);
    expect([approved.code, approved.stderr]).toEqual([10, expect.stringContaining('--accept-changed 1')]);
    const back = await fix('E-2', '0000000900');
    expect([back.code, (await status()).changed_payees]).toEqual([0, 0]);
  });
});

describe('a worker in the middle of the run', () => {
  it('ends, and whoever pays the run then pays the row by its new account, and everybody once', async () => {
    const many = Array.from(
      { length: 30 },
      (_, i): Payee => [`E-${i}`, 'Ada', `${`${String(1000 + i)}00000000`.slice(0, 8)}00`],
    );
    await plan(many);
    let isFixed = false;
    bench.intercept(async (request, next) => {
      if (isOf('E-2')(request) && !isFixed) return answering(422, REFUSED)(request, next);
      if (isOf('E-9')(request) && !isFixed) {
        isFixed = true;
        const fixed = await fix('E-2', '7777777700');
        expect(fixed.code, fixed.stderr).toBe(0);
      }
      return next(request);
    });
    const ran = await batch('run', 'wages', '--in-flight', '1');
    expect([ran.code, isFixed]).toEqual([8, true]);
    expect(await accounts()).toHaveLength(9);
    expect((await status()).states).toEqual({ created: 9, planned: 21 });
    const rest = await batch('run', 'wages');
    expect(rest.code, rest.stderr).toBe(0);
    const wanted = many.map(([key, , account]) => (key === 'E-2' ? '7777777700' : account));
    expect(await accounts()).toEqual(wanted.sort());
  });
});
