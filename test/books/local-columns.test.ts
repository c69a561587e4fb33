/** Lists in CSV with what the books add: the columns are there in any case, and it is said where they come from. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { only, payArgv, paymentJson, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const sync = async (): Promise<void> => expect((await bench.run('books sync')).code).toBe(0);
const pay = async (ending: string, id: string): Promise<void> =>
  expect((await bench.run(payArgv(`01234567${ending}`, '--external-id', id))).code).toBe(0);

type Cells = Record<string, string>;
async function csv(...argv: string[]) {
  const run = await bench.run([...argv, '-o', 'csv']);
  expect(run.code, run.stderr).toBe(0);
  const [head = [], ...lines] = run.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const rows = lines.map((cells): Cells => Object.fromEntries(cells.map((cell, at) => [head[at], cell])));
  return { ...run, head, byId: Object.fromEntries(rows.map((row) => [row.external_id, row])) };
}
const TIME = /^2026-01-0\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('tx list', () => {
  it('has output, rate and dates behind the columns that were there', async () => {
    await pay('00', 'p-1');
    await pay('19', 'p-2');
    await bench.run('tx cancel p-2 --yes');
    await bench.run(['tx', 'create', '--from', 'p-1', '--external-id', 'p-3']);
    await sync();
    const { head, byId, stderr } = await csv('tx', 'list');
    expect(head).toEqual(
      (
        'id,external_id,state,input_amount,paid_amount,refunded_amount,net_amount,input_currency,recipients,created_at,updated_at,' +
        'output_amount,output_currency,rate,paid_at,refunded_at,direction,fee_amount,margin,margin_amount'
      ).split(','),
    );
    const paid = { output_amount: '25000', output_currency: 'NGN', rate: expect.stringMatching(/^1667\.9/) };
    expect(byId['p-1']).toMatchObject({ ...paid, paid_at: expect.stringMatching(TIME), refunded_at: '' });
    expect(byId['p-2']).toMatchObject({ paid_at: '', refunded_at: expect.stringMatching(TIME) });
    expect(byId['p-2']).toMatchObject({ refunded_amount: '14.99', net_amount: '0.00' });
    expect(byId['p-3']).toMatchObject({ state: 'approved', paid_at: '', refunded_at: '' });
    expect(byId['p-1']).toMatchObject({ fee_amount: '0.00', margin: '0.010007', margin_amount: '0.15' });
    // What came back, and what was never paid for, costs nothing.
    for (const id of ['p-2', 'p-3'])
      expect(byId[id]).toMatchObject({ fee_amount: '', margin: '', margin_amount: '' });
    expect(stderr).toMatch(
      /paid_at, refunded_at, margin and margin_amount are from the books, which are complete until 20\S+/,
    );
  });

  it('several recipients: amounts of one currency are added, and the last date counts', async () => {
    const body = { ...paymentJson('0123456700', '0123456719'), external_id: 'two' };
    writeFileSync(join(bench.dir, 'two.json'), JSON.stringify(body));
    await bench.run(['tx', 'create', '--file', 'two.json', '--fund', '--max-input', '50']);
    await bench.run('recipient cancel two --yes');
    await sync();
    const { byId } = await csv('tx', 'list');
    const [one, other] = (await bench.run('tx show two -o json')).data<{
      recipients: { output_amount: string }[];
    }>().recipients;
    expect(byId.two?.output_amount).toBe(String(Number(one?.output_amount) + Number(other?.output_amount)));
    expect(byId.two).toMatchObject({ recipients: '2', paid_at: expect.stringMatching(TIME) });
  });

  it('a list without recipients gets them from the books, where nothing has changed since', async () => {
    await pay('00', 'p-1');
    await sync();
    await pay('00', 'p-2');
    bench.intercept(
      only(
        ({ url }) => /\/transactions\?/.test(url),
        async (request, next) => {
          const answer = await next(request);
          const body = JSON.parse(answer.body);
          for (const row of body.object) row.recipients = null;
          return { ...answer, body: JSON.stringify(body) };
        },
      ),
    );
    const { byId } = await csv('tx', 'list');
    expect(byId['p-1']).toMatchObject({ recipients: '1', output_amount: '25000', refunded_amount: '0.00' });
    expect(byId['p-2']).toMatchObject({
      recipients: '0',
      output_amount: '',
      refunded_amount: '',
      paid_at: '',
    });
  });
});

describe('recipient list', () => {
  it('has refunded, net, rate and dates behind the columns that were there', async () => {
    await pay('00', 'p-1');
    await pay('19', 'p-2');
    await bench.run('tx cancel p-2 --yes');
    await bench.run(['tx', 'create', '--from', 'p-1', '--external-id', 'p-3']);
    await bench.run('tx cancel p-3 --yes');
    await pay('01', 'p-4');
    await sync();
    for (const more of [[], ['--tx', 'p-2']]) {
      const { head, byId, stderr } = await csv('recipient', 'list', ...more);
      expect(head.slice(-7)).toEqual([
        'created_at',
        'refunded_amount',
        'net_amount',
        'rate',
        'paid_at',
        'refunded_at',
        'direction',
      ]);
      expect(byId['p-2']).toMatchObject({
        refunded_amount: '14.99',
        net_amount: '0.00',
        paid_at: '',
        refunded_at: expect.stringMatching(TIME),
      });
      expect(stderr).toContain('are from the books');
    }
    const { byId } = await csv('recipient', 'list');
    expect(byId['p-1']).toMatchObject({ refunded_amount: '0.00', net_amount: '14.99', refunded_at: '' });
    expect(byId['p-1']?.paid_at).toMatch(TIME);
    // Never funded: the list leaves that open, and the books have it.
    expect(byId['p-3']).toMatchObject({ state: 'canceled', refunded_amount: '0.00', net_amount: '0.00' });
    expect(byId['p-4']).toMatchObject({ state: 'pending', net_amount: '14.99', paid_at: '' });
  });
});

describe('without books', () => {
  it('the columns are there and empty, it is said, and nothing is made', async () => {
    await pay('00', 'p-1');
    for (const [what, columns] of [
      ['tx', 'paid_at, refunded_at, margin and margin_amount'],
      ['recipient', 'paid_at and refunded_at'],
    ] as const) {
      const { byId, stderr } = await csv(what, 'list');
      expect(byId['p-1']).toMatchObject({ paid_at: '', refunded_at: '' });
      expect(stderr).toContain(`${columns} are empty: there are no books of this account`);
      expect(stderr).toContain('remit books sync');
    }
    const json = await bench.run('tx list -o json');
    expect(`${json.stderr}${json.stdout}`).not.toMatch(/from_books|the books|no books/);
    const named = await bench.run('tx list -o json --fields margin_amount');
    expect([named.data(), named.stderr]).toEqual([
      [{ margin_amount: null }],
      expect.stringContaining('margin_amount are empty: there are no books'),
    ]);
    expect((await bench.run('books status')).code).toBe(6);
    expect((await bench.run('tx list -o csv --quiet')).stderr).toBe('');
  });

  it('books that cannot be read take no list away', async () => {
    await pay('00', 'p-1');
    await sync();
    const file = (await bench.run('books status -o json')).data<{ file: string }>().file;
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    writeFileSync(file, 'this is no database, and it is long enough to be taken for one'.repeat(100));
    const { byId, stderr } = await csv('tx', 'list');
    expect(byId['p-1']).toMatchObject({ state: 'paid', paid_at: '' });
    expect(stderr).toContain('paid_at, refunded_at, margin and margin_amount are empty: ');
  });
});

it('JSON has what the books add to a payment; a table, and the fields of a list that names none of it, open no books', async () => {
  await pay('00', 'p-1');
  await sync();
  const json = await bench.run('tx list -o json');
  expect(json.data()).toMatchObject([
    {
      rate: expect.stringMatching(/^1667\.9/),
      fee_amount: '0',
      from_books: {
        paid_at: expect.stringMatching(TIME),
        refunded_at: null,
        margin: '0.010007',
        margin_amount: '0.15',
      },
    },
  ]);
  expect(json.stderr).toContain('margin_amount are from the books');
  const named = await bench.run('tx list -o json --fields external_id,paid_at,refunded_at');
  expect(named.data()).toEqual([
    { external_id: 'p-1', paid_at: expect.stringMatching(TIME), refunded_at: null },
  ]);
  for (const argv of ['recipient list -o json', 'tx list']) {
    const run = await bench.run(argv, { tty: true, columns: 160 });
    expect([run.stdout, run.stderr].join('')).not.toMatch(/from_books|the books/);
    expect(argv !== 'tx list' || /RATE[\s\S]* 1667\.9/.test(run.stdout)).toBe(true);
  }
  const some = await csv('tx', 'list', '--fields', 'external_id,state');
  expect([some.head, some.stderr]).toEqual([['external_id', 'state'], '']);
});
