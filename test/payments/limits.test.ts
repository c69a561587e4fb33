/** What a profile keeps itself from: max_amount and read_only, before anything is sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  credentials,
  loginArgv,
  paymentFlags,
  paymentJson,
  type Run,
  senderFlags,
  useBench,
  words,
} from '../support/cli.ts';

const bench = useBench({
  setUp: async () => {
    await signIn();
    await run('sender', 'create', ...senderFlags('customer-1'));
  },
});
const env = { REMIT_BASE_URL: '', REMIT_API_KEY: '', REMIT_API_SECRET: '' };
const run = (...argv: string[]): Promise<Run> => bench.run(argv, { env });
const writes = ({ requests }: Run) =>
  requests
    .filter(({ method, path }) => method !== 'GET' && path !== '/transactions/calculate')
    .map(({ path }) => path);

const signIn = (...flags: string[]) =>
  bench.run(loginArgv(...words('--profile shop --secret-stdin --no-keychain --no-check'), ...flags), {
    env,
    stdin: credentials.secret,
  });

const create = ['tx', 'create', ...paymentFlags('customer-1')]; // 25000 NGN, about 15 EUR
const made = async (): Promise<string> => (await run(...create, '-o', 'json')).data<{ id: string }>().id;

describe('setting limits', () => {
  it('shows them in profiles and whoami, and takes them away again', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.eur=5000', 'max_amount.GBP=40.5', 'read_only=true');
    expect((await run('profiles')).stdout).toContain('read-only; at most 5000.00 EUR, 40.50 GBP');
    expect((await run('whoami', '-o', 'json')).json()).toMatchObject({
      data: { limits: { max_amount: { EUR: '5000.00', GBP: '40.50' }, read_only: true } },
    });
    await run('profiles', 'set', 'shop', 'max_amount.GBP=', 'read_only=false');
    expect((await run('profiles')).stdout).toContain('\tat most 5000.00 EUR\t');
    await run('profiles', 'set', 'shop', 'max_amount=');
    expect((await run('profiles', '-o', 'json')).stdout).not.toMatch(/max_amount|read_only/);
  });

  it('by day shows them beside, and each is taken away by itself', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.EUR=50', 'max_per_day.eur=5000', 'max_per_day.GBP=40.5');
    expect((await run('profiles')).stdout).toContain(
      'at most 50.00 EUR; at most 5000.00 EUR, 40.50 GBP a day',
    );
    expect((await run('whoami', '-o', 'json')).json()).toMatchObject({
      data: { limits: { max_amount: { EUR: '50.00' }, max_per_day: { EUR: '5000.00', GBP: '40.50' } } },
    });
    await run('profiles', 'set', 'shop', 'max_per_day.GBP=');
    expect((await run('profiles')).stdout).toContain('\tat most 50.00 EUR; at most 5000.00 EUR a day\t');
    await run('profiles', 'set', 'shop', 'max_per_day=');
    expect((await run('profiles')).stdout).toContain('\tat most 50.00 EUR\t');
    await run('profiles', 'set', 'shop', 'max_per_day.EUR=1', 'max_amount=');
    expect((await run('profiles')).stdout).toContain('\tat most 1.00 EUR a day\t');
  });

  it('sets how it prints', async () => {
    await run('profiles', 'set', 'shop', 'output=json');
    expect((await run('balance', 'EUR')).json()).toMatchObject({ kind: 'balance' });
    await run('profiles', 'set', 'shop', 'output=');
    expect((await run('balance', 'EUR')).stdout).toBe('EUR\t250000.00\t250000.00\n');
  });

  it('at login, and signing in again keeps them', async () => {
    await signIn('--read-only', '--max-amount', 'EUR=10,GBP=20', '--max-per-day', 'EUR=30,GBP=40');
    const shown = 'read-only; at most 10.00 EUR, 20.00 GBP; at most 30.00 EUR, 40.00 GBP a day';
    expect((await run('profiles')).stdout).toContain(shown);
    await signIn();
    expect((await run('profiles')).stdout).toContain(shown);
  });

  it.each([
    ['profiles', 'set', 'shop'],
    ['profiles', 'set'],
    ['profiles', 'set', 'shop', 'max_amount.EUR=1e3'],
    ['profiles', 'set', 'shop', 'max_amount.EUR=-5'],
    ['profiles', 'set', 'shop', 'max_amount.EURO=5'],
    ['profiles', 'set', 'shop', 'max_per_day.EUR=-5'],
    ['profiles', 'set', 'shop', 'max_per_day.EURO=5'],
    ['profiles', 'set', 'shop', 'max_per_day=5'],
    ['profiles', 'set', 'shop', 'max_per_week.EUR=5'],
    ['profiles', 'set', 'shop', 'read_only=yes'],
    ['profiles', 'set', 'shop', 'colour=red'],
    ['profiles', 'set', 'shop', 'output=xml'],
    ['profiles', 'set', 'shop', 'read_only'],
    ['profiles', 'use', 'shop', 'read_only=true'],
  ])('%j %s %s %s is a usage error', async (...argv) => {
    expect((await run(...argv.filter((word) => word !== undefined))).code).toBe(2);
  });

  it('of a profile that is not there is 6', async () => {
    expect((await run('profiles', 'set', 'nope', 'read_only=true')).code).toBe(6);
  });

  it.each([
    ['read_only', 'true'],
    ['max_amount', { EUR: 5000 }],
    ['max_amount', ['EUR']],
    ['max_per_day', { EUR: 5000 }],
    ['max_per_day', { euro: '5' }],
  ])('a broken %s in the file is never passed over: %j', async (name, value) => {
    const file = join(bench.dir, 'config.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    settings.profiles.shop[name] = value;
    writeFileSync(file, JSON.stringify(settings));
    expect((await run('balance')).code).toBe(78);
  });
});

describe('max_amount', () => {
  it('refuses what is above it before anything is sent, and says both amounts', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.EUR=14.98');
    for (const flags of [[], ['--fund', '--max-input', '20']]) {
      const refused = await run(...create, ...flags);
      expect([refused.code, writes(refused)]).toEqual([2, []]);
      expect(refused.stderr).toContain(
        '14.99 EUR is refused: profile "shop" allows at most 14.98 EUR (max_amount)',
      );
    }
  });

  it('lets through what is not', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.EUR=14.99');
    expect((await run(...create, '--fund', '--max-input', '20')).code).toBe(0);
  });

  it('refuses a currency that has no amount', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.GBP=1000000');
    const refused = await run(...create);
    expect([refused.code, writes(refused)]).toEqual([2, []]);
    expect(refused.stderr).toContain('allows GBP only');
  });

  it('holds for funding what was created before', async () => {
    const id = await made();
    await run('profiles', 'set', 'shop', 'max_amount.EUR=1');
    const refused = await run('tx', 'fund', id);
    expect([refused.code, writes(refused)]).toEqual([2, []]);
  });

  it('holds for raw calls: by their body, or by what the service calculates; what cannot be known is refused', async () => {
    const id = await made();
    await run('profiles', 'set', 'shop', 'max_amount.EUR=14');
    const debit = (more: object) => JSON.stringify({ debit: { to_id: id, to_type: 'Transaction', ...more } });
    const transaction = { external_id: 'raw-1', metadata: {}, ...paymentJson() };
    const calls = [
      ['accounts.debit', debit({ amount: '14.99', currency: 'EUR' })],
      ['accounts.debit', debit({ amount: 14.99, currency: 'EUR' })],
      ['accounts.debit', debit({})],
      [
        'accounts.debit',
        JSON.stringify({
          debit: [
            { amount: '14.99', currency: 'EUR' },
            { amount: '-5', currency: 'EUR' },
          ],
        }),
      ],
      ['transactions.create', JSON.stringify({ transaction })],
      ['transactions.create_and_fund', JSON.stringify({ transaction })],
    ] as const;
    for (const [name, body] of calls) {
      const operation = name === 'accounts.debit' ? ['POST', '/accounts/debits'] : [name];
      const refused = await run('api', ...operation, '--data', body);
      expect([name, refused.code, writes(refused)]).toEqual([name, 2, []]);
    }
    const unknown = await run('api', 'POST', '/transfers', '--data', '{}');
    expect([unknown.code, writes(unknown)]).toEqual([2, []]);
    await run('profiles', 'set', 'shop', 'max_amount.EUR=15');
    expect(
      (await run('api', 'POST', '/accounts/debits', '--data', debit({ amount: '14.99', currency: 'EUR' })))
        .code,
    ).toBe(0);
  });

  it('does not hold where the environment says where to go', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.EUR=1');
    expect((await bench.run(create)).code).toBe(0);
  });
});

describe('read_only', () => {
  it('refuses every write, and no read', async () => {
    const id = await made();
    await run('profiles', 'set', 'shop', 'read_only=true');
    const refusals = [
      create,
      ['tx', 'fund', id],
      ['tx', 'cancel', id],
      ['sender', 'edit', 'customer-1', '--set', 'city=Porto'],
      ['webhooks', 'add', 'http://127.0.0.1:9/'],
      ['api', 'POST', '/transfers', '--data', '{}'],
      ['api', 'DELETE', `/recipients/${id}`],
      ['sandbox', 'payout', id],
    ];
    for (const argv of refusals) {
      const refused = await run(...argv);
      expect([argv.join(' '), refused.code, writes(refused)]).toEqual([argv.join(' '), 2, []]);
      expect(refused.stderr).toContain('read-only');
    }
    for (const argv of [
      ['balance'],
      ['tx', 'list'],
      ['tx', 'show', id],
      ['history'],
      ['api', 'GET', '/accounts'],
    ])
      expect((await run(...argv)).code).toBe(0);
    expect((await run('sandbox', 'clock', 'advance', '1m')).code).toBe(0);
  });
});

describe('what a limit is not got around by', () => {
  beforeEach(() => run('profiles', 'set', 'shop', 'max_amount.EUR=10'));

  it.each([
    [
      'a debit beside debits',
      '/accounts/debits',
      '{"debit":{"amount":"1","currency":"EUR"},"debits":[{"amount":"99","currency":"EUR"}]}',
    ],
    ['an amount said twice', '/accounts/debits', '{"debit":{"amount":"99","amount":"1","currency":"EUR"}}'],
    [
      'an amount in the query',
      '/accounts/debits?debits[][amount]=99',
      '{"debit":{"amount":"1","currency":"EUR"}}',
    ],
  ])('%s', async (_, path, body) => {
    const refused = await run('api', 'POST', path, '--data', body);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('max_amount');
    expect(writes(refused)).toEqual([]);
  });

  it('settling an earlier one by sending it again; looking is free', async () => {
    await run('profiles', 'set', 'shop', 'max_amount.EUR=');
    bench.intercept(async (request, next) =>
      request.method === 'POST' && request.url.endsWith('/accounts/debits')
        ? { status: 503, headers: {}, body: '' }
        : next(request),
    );
    expect((await run(...create, '--fund', '--max-input', '20')).code).toBe(9);
    bench.restore();
    await run('profiles', 'set', 'shop', 'max_amount.EUR=10');
    const [{ id }] = (await run('history', '-o', 'json')).data<[{ id: string }]>();
    const refused = await run('history', 'settle', id);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('max_amount');
    expect(writes(refused)).toEqual([]);
    expect((await run('history', 'settle', id, '--look')).code).toBe(9);
  });
});

it('a raw write shows its body before it is sent, accounts masked', async () => {
  const body = '{"debit":{"amount":"14.99","currency":"EUR","to_id":"x"}}';
  const shown = await run('api', 'POST', '/accounts/debits', '--data', body);
  expect(shown.stderr).toContain('"amount": "14.99"');
});
