/** An outcome that nobody was told is not over; one that was told is not repeated without a word (docs/rules.md 2). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { seededRandom } from '../../src/core/random.ts';
import {
  only,
  payArgv,
  paymentFlags,
  type Run,
  senderFlags,
  unreachable,
  useBench,
  writesLost,
} from '../support/cli.ts';
import { openStore } from '../support/open-store.ts';

const bench = useBench({ sender: true });

const fund = ['--fund', '--max-input', '20'];
const create = (...rest: string[]): Promise<Run> =>
  bench.run(['tx', 'create', ...paymentFlags('customer-1'), ...rest, '-o', 'json']);
const made = async (): Promise<number> =>
  (await bench.run(['tx', 'list', '-o', 'json'])).data<unknown[]>().length;
const idOf = (run: Run): string => run.data<{ id: string }>().id;
const paid = (run: Run): boolean => run.requests.some(({ path }) => path.endsWith('/accounts/debits'));

/** As a process that died between the end of the call and its output leaves it. */
async function forgetTelling(also = '', forget = true): Promise<void> {
  const path = join(bench.dir, 'remit.db');
  const { openDatabase } = await import('../../src/disk/driver.ts');
  const store = await openStore(path, { clock: { now: () => 0 }, random: seededRandom(1) });
  store.close();
  const database = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
  if (forget) database.exec('UPDATE intents SET told_at = NULL');
  database.exec(also);
  database.close();
}

describe('nobody was told', () => {
  it('the same again is answered with what stands, and then it is told', async () => {
    const first = await create(...fund);
    await forgetTelling();
    const again = await create(...fund);
    expect([again.code, paid(again), idOf(again)]).toEqual([0, false, idOf(first)]);
    expect(again.stderr).toMatch(/it was made already at \S+, \w+; nothing was sent this time/);
    const third = await create(...fund);
    expect([third.code, paid(third)]).toEqual([2, false]);
    expect(await made()).toBe(1);
  });

  it('an answer that cannot be read now says that it was applied, and sends nothing', async () => {
    await create(...fund);
    await forgetTelling();
    bench.intercept(only(({ method }) => method === 'GET', unreachable));
    const again = await create(...fund);
    expect([again.code, paid(again)]).toEqual([75, false]);
    expect(again.stderr).toContain('"outcome":"applied"');
  });

  it('what was created and not funded is paid by a wish to fund it, and no second one is made', async () => {
    const first = await create();
    await forgetTelling();
    const again = await create(...fund);
    expect([again.code, paid(again), idOf(again)]).toEqual([0, true, idOf(first)]);
    expect(await made()).toBe(1);
  });

  it('for over a day: last month is no answer to this month; it is refused, named, and told by that', async () => {
    const first = await create(...fund);
    await forgetTelling(`UPDATE intents SET created_at = created_at - ${25 * 3_600_000}`);
    const again = await create(...fund);
    expect([again.code, paid(again)]).toEqual([2, false]);
    expect(again.stderr).toContain(idOf(first));
    await forgetTelling(`UPDATE intents SET told_at = told_at - ${25 * 3_600_000} WHERE told_at > 0`, false);
    expect((await create(...fund)).code).toBe(0);
    expect(await made()).toBe(2);
  });

  it('an id that it has not is not answered with it', async () => {
    await create(...fund);
    await forgetTelling();
    const again = await create(...fund, '--external-id', 'wages-1');
    expect([again.code, paid(again)]).toEqual([2, false]);
    expect(again.stderr).toContain('without this external id');
    expect((await create(...fund, '--external-id', 'wages-1', '--new-payment')).code).toBe(0);
  });

  it('a debit is answered with the transaction that it funded', async () => {
    const id = idOf(await create());
    expect((await bench.run(['tx', 'fund', id])).code).toBe(0);
    await forgetTelling();
    const again = await bench.run(['tx', 'fund', id]);
    expect([again.code, again.requests.some(({ path }) => path.endsWith('debits'))]).toEqual([0, false]);
    expect(again.stderr).toContain('it was funded already at');
    expect((await bench.run(['tx', 'fund', id])).code).toBe(1);
  });

  it('a raw call is answered with the record', async () => {
    const body = JSON.stringify({
      transaction: {
        ...(await create('--dry-run', '--external-id', 'raw-1', '--reveal')).data<{
          body: { transaction: object };
        }>().body.transaction,
      },
    });
    const raw = ['api', 'transactions.create_and_fund', '-d', body];
    expect((await bench.run(raw)).code).toBe(0);
    await forgetTelling();
    const again = await bench.run(raw);
    expect([again.code, paid(again), again.json<{ object: object }>().object]).toEqual([
      0,
      false,
      expect.objectContaining({ external_id: 'raw-1' }),
    ]);
  });
});

describe('somebody was told', () => {
  it('without an id the same is refused without a terminal, naming the first', async () => {
    const first = await create(...fund);
    const again = await create(...fund);
    expect([again.code, paid(again)]).toEqual([2, false]);
    expect(again.stderr).toContain(idOf(first));
    expect(again.stderr).toContain('--new-payment');
    expect(again.stderr).toContain('"outcome":"not applied"');
    expect((await create(...fund, '--new-payment')).code).toBe(0);
    expect(await made()).toBe(2);
  });

  it.each([
    ['y makes a second', 'y\r', 0, 2],
    ['Enter means No', '\r', 130, 1],
    ['the end of input means No', '\u0004', 130, 1],
  ])('on a terminal it is asked about: %s', async (_, stdin, code, count) => {
    const first = await create();
    const argv = ['tx', 'create', ...paymentFlags('customer-1'), '--yes'];
    const again = await bench.run(argv, { tty: true, stdin });
    expect(again.stderr).toContain(`this payment was made already at`);
    expect(again.stderr).toContain(idOf(first));
    expect(again.stderr).toContain('Pay it a second time?');
    expect(again.code, again.stderr).toBe(code);
    expect(await made()).toBe(count);
  });

  it('a first that was called off pays nobody: it is made again without a question', async () => {
    const id = idOf(await create());
    expect((await bench.run(['tx', 'cancel', id])).code).toBe(0);
    expect((await create()).code).toBe(0);
    expect(await made()).toBe(2);
  });

  it('one that was called off says nothing of those before it', async () => {
    await create(...fund);
    const second = await create('--new-payment');
    expect((await bench.run(['tx', 'cancel', idOf(second)])).code).toBe(0);
    const third = await create(...fund);
    expect([third.code, paid(third)], third.stderr).toEqual([2, false]);
    expect(await made()).toBe(2);
  });

  it('one that was refunded in part paid somebody: it is not made again without a question', async () => {
    const { transaction } = (await create('--dry-run', '--external-id', 'x', '--reveal')).data<{
      body: { transaction: { external_id?: string; recipients: object[] } };
    }>().body;
    const { external_id: _, ...rest } = transaction;
    const [first] = transaction.recipients as { payout_method: { details: { bank_account: string } } }[];
    const refused = structuredClone(first);
    if (refused) refused.payout_method.details.bank_account = '0123456719';
    writeFileSync(join(bench.dir, 'two.json'), JSON.stringify({ ...rest, recipients: [first, refused] }));
    const argv = ['tx', 'create', '--file', 'two.json', '--fund', '--max-input', '100', '-o', 'json'];
    const id = idOf(await bench.run(argv));
    const shown = await bench.run(['tx', 'show', id, '-o', 'json']);
    const { recipients } = shown.data<{ recipients: { id: string; state: string }[] }>();
    const failed = recipients.find(({ state }) => state !== 'success');
    expect((await bench.run(['recipient', 'cancel', failed?.id ?? '', '--tx', id, '--wait'])).code).toBe(0);
    const again = await bench.run(argv);
    expect([again.code, paid(again)], again.stderr).toEqual([2, false]);
    expect(again.stderr).toContain('refunded');
  });

  it('what the journal has as applied and the service does not list is no question of the connection', async () => {
    cut();
    expect((await create()).code).toBe(9);
    bench.restore();
    const listed = await bench.run(['history', '-o', 'json']);
    const [open] = listed.data<{ id: string }[]>();
    expect(
      (
        await bench.run([
          'history',
          'settle',
          open?.id ?? '',
          '--as',
          'applied',
          '--because',
          'the operator said so',
        ])
      ).code,
    ).toBe(0);
    const again = await create();
    expect([again.code, await made()]).toEqual([1, 0]);
    expect(again.stderr).toContain('the service does not list it');
  });

  it('nor is what the service does not know, though its id is in the journal', async () => {
    await create();
    await forgetTelling();
    bench.sandbox.reset();
    const again = await create();
    expect(again.code, again.stderr).toBe(1);
    expect(again.stderr).toContain('the service does not list it');
  });

  it('with ids of their own two are two', async () => {
    for (const id of ['wages-1', 'wages-2'])
      expect((await create(...fund, '--external-id', id)).code, id).toBe(0);
    expect(await made()).toBe(2);
  });

  it('a raw call that only edits may be sent as often as one likes', async () => {
    const id = idOf(await create());
    const shown = await bench.run(['tx', 'show', id, '-o', 'json']);
    const [recipient] = shown.data<{ recipients: { id: string }[] }>().recipients;
    const edit = ['recipient', 'edit', recipient?.id ?? '', '--tx', id, '--detail', 'last_name=Okoye'];
    for (const name of ['Okoye', 'Obi', 'Okoye'])
      expect((await bench.run([...edit.slice(0, -1), `last_name=${name}`])).code, name).toBe(0);
  });
});

/** Nothing that is sent is answered. */
const cut = () => bench.intercept(writesLost);

describe('while one is unknown, the same is the same however it is spelt', () => {
  it.each<[string, string[], Record<string, string>?]>([
    ['with an external id added', ['--external-id', 'wages-1']],
    ['with blanks at the end of a detail', ['--detail', 'last_name=Obi  ']],
    ['with an empty optional detail', ['--detail', 'email=']],
    ['without the check of the account', ['--no-account-validation']],
    ['with an amount that rounds to the same', ['--amount', '24999.50']],
    ['with the same amount in other digits', ['--amount', '25000.00']],
    ['by another name of this machine', [], { REMIT_BASE_URL: 'http://localhost:4010/v1' }],
  ])('%s', async (_, rest, env = {}) => {
    cut();
    expect((await create()).code).toBe(9);
    bench.restore();
    const [name] = rest.at(0) === '--detail' ? (rest[1]?.split('=') ?? []) : [];
    const flags = paymentFlags('customer-1').flatMap((one, index, all) => {
      const replaced =
        name !== undefined && (one.startsWith(`${name}=`) || all[index + 1]?.startsWith(`${name}=`));
      return replaced ? [] : [one];
    });
    const again = await bench.run(['tx', 'create', ...flags, ...rest], { env });
    expect(again.code, again.stderr).toBe(9);
    expect(again.stderr).toContain('the same was sent before');
    expect(again.requests.some(({ method, path }) => method === 'POST' && path === '/transactions')).toBe(
      false,
    );
  });

  it('with blanks in the account, where its corridor takes them', async () => {
    const byIban = (iban: string) =>
      bench.run([
        ...['tx', 'create', '--input-currency', 'EUR', '--amount', '20', '--type', 'EUR::Bank'],
        ...['--sender', 'customer-1', '--detail', 'first_name=Ada', '--detail', 'last_name=Obi'],
        ...['--detail', `iban=${iban}`],
      ]);
    cut();
    expect((await byIban('DE89370400440532013000')).code).toBe(9);
    bench.restore();
    const again = await byIban('DE89 3704 0044 0532 0130 00');
    expect(again.code, again.stderr).toBe(9);
    expect(again.stderr).toContain('the same was sent before');
  });

  it('its sender by id, by external id, and another sender is another payment', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-2')]);
    const found = await bench.run(['sender', 'find', 'customer-1', '-o', 'json']);
    const { id } = found.data<{ id: string }>();
    const by = (sender: string) => bench.run(['tx', 'create', ...paymentFlags(sender)]);
    cut();
    expect((await by('customer-1')).code).toBe(9);
    bench.restore();
    expect((await by(id)).code).toBe(9);
    expect((await by('customer-2')).code).toBe(0);
  });

  it('its recipients in another order', async () => {
    const dry = await create('--dry-run', '--external-id', 'two', '--reveal');
    const { transaction } = dry.data<{
      body: { transaction: { external_id?: string; recipients: object[] } };
    }>().body;
    const [first] = transaction.recipients;
    const second = { ...structuredClone(first), requested_amount: '100' };
    const write = (name: string, recipients: unknown[]): string => {
      const { external_id: _, ...rest } = transaction;
      writeFileSync(join(bench.dir, name), JSON.stringify({ ...rest, recipients }));
      return name;
    };
    cut();
    expect((await bench.run(['tx', 'create', '--file', write('a.json', [first, second])])).code).toBe(9);
    bench.restore();
    const again = await bench.run(['tx', 'create', '--file', write('b.json', [second, first])]);
    expect(again.code, again.stderr).toBe(9);
  });
});

describe('a result that cannot be written', () => {
  it.each([
    ['json', 'json', true],
    ['text', 'text', false],
  ])('as %s is told on the other stream, with outcome and id', async (_, format, isJson) => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    });
    const argv = ['tx', 'create', ...paymentFlags('customer-1'), ...fund, '-o', format];
    const run = await bench.run(argv, { stdout: full as unknown as PassThrough });
    expect(run.code).toBe(1);
    const listed = await bench.run(['tx', 'list', '-o', 'json']);
    const [only] = listed.data<{ id: string }[]>();
    expect(run.stderr).toContain(only?.id);
    if (isJson) {
      expect(run.error()).toMatchObject({
        code: 'result_not_written',
        outcome: 'applied',
        // Its creation, and its debit.
        applied: [{ id: only?.id }, { id: only?.id }],
      });
    } else expect(run.stderr).toMatch(/outcome +applied/);
    // It was told there: the same again is asked about.
    expect((await create(...fund)).code).toBe(2);
  });

  it('a reader that went away was told nothing: the same again is answered with what stands', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('broken pipe'), { code: 'EPIPE' })),
    });
    expect((await bench.run(payArgv(), { stdout: gone as unknown as PassThrough })).code).toBe(0);
    const again = await create(...fund);
    expect([again.code, paid(again)]).toEqual([0, false]);
  });
});
