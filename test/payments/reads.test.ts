import { describe, expect, it } from 'vitest';
import {
  answering,
  isWriteRequest,
  lost,
  only,
  paymentFlags,
  senderFlags,
  useBench,
  words,
} from '../support/cli.ts';

const bench = useBench();

describe('balance', () => {
  it('is a table on a terminal, tab-separated text without one', async () => {
    const table = await bench.run(['balance'], { tty: true });
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^CURRENCY +AMOUNT/);
    expect(table.stdout).toMatch(/EUR +250000\.00/);
    const text = await bench.run(['balance']);
    expect(text.stdout).toContain('EUR\t250000.00\t250000.00\n');
    expect(text.requests).toEqual([{ method: 'GET', path: '/accounts', query: '', body: undefined }]);
  });

  it.each(['text', 'json', 'ndjson', 'csv', 'yaml'])(
    '--query in %s adds amounts up without floats',
    async (format) => {
      const query = async (text: string): Promise<string> =>
        (await bench.run(['balance', '-o', format, '--query', text])).stdout.trim();
      expect(await query("sum([`12.34`, `4666.18`, to_number('12.34')])")).toBe('4690.86');
      expect(await query("sum(['0.10', '0.20']) == '0.30'")).toBe('true');
      expect(await query("sum([?currency=='EUR' && amount > '99999.99'].to_number(amount))")).toBe('250000');
    },
  );

  it('--query refuses to add up what is no amount, and says what would do', async () => {
    const run = await bench.run(['balance', '--query', 'sum([].currency)']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('sum takes a list of numbers or amounts, and was given a list with');
    expect(run.stderr).toContain('remit help output');
  });

  it('--min is a gate: 0 with enough, 10 without', async () => {
    expect((await bench.run(['balance', 'EUR', '--min', '250000'])).code).toBe(0);
    const short = await bench.run(['balance', 'eur', '--min', '250000.01']);
    expect(short.code).toBe(10);
    expect(short.stderr).toContain('not enough: 250000.00 EUR is there, 250000.01 EUR is needed');
  });

  it.each([
    [['balance', 'EURO'], 2],
    [['balance', 'EUR', '--min', '1e3'], 2],
    [['balance', '--min', '5'], 2],
    [['balance', 'QQQ'], 6],
    [['balance', '-o', 'xml'], 2],
    [['balance', '--query', '[[['], 2],
    [['balance', '--nope'], 2],
    [['balance', 'EUR', 'USD'], 2],
  ])('%j ends with %i', async (argv, code) => {
    const run = await bench.run(argv);
    expect(run.code).toBe(code);
    expect(run.stderr).toMatch(/^remit: /);
    expect(run.stdout).toBe('');
  });
});

describe('sender find, show, create', () => {
  it('finds by external id, on a terminal and off it', async () => {
    const made = await bench.run(['sender', 'create', ...senderFlags('customer-1'), '-o', 'json']);
    expect(made.code).toBe(0);
    expect(made.requests[0]).toMatchObject({
      method: 'POST',
      path: '/senders',
      body: { sender: { external_id: 'customer-1', ip: '203.0.113.7', documents: [], metadata: {} } },
    });
    const found = await bench.run(['sender', 'find', 'customer-1', '-o', 'json']);
    expect(found.requests).toEqual([
      { method: 'GET', path: '/senders', query: '?external_id=customer-1', body: undefined },
    ]);
    const id = found.data<{ id: string }>().id;
    expect(id).toBe(made.data<{ id: string }>().id);
    const shown = await bench.run(['sender', 'show', id], { tty: true });
    expect(shown.stdout).toContain('Ines Marques');
    expect(shown.stdout).toContain('••••5678');
    expect(shown.stdout).not.toContain('912345678');
    expect((await bench.run(['sender', 'find', 'customer-1'], { tty: true })).stdout).toMatch(
      /state +approved/,
    );
  });

  it('nobody found is 6; the same external id for another sender is 5 and names the first', async () => {
    expect((await bench.run(['sender', 'find', 'nobody'])).code).toBe(6);
    await bench.run(['sender', 'create', ...senderFlags('twice')]);
    const other = ['sender', 'create', ...senderFlags('twice'), '--first-name', 'Rui'];
    const again = await bench.run(other);
    expect(again.code).toBe(5);
    expect(again.stderr).toContain('remit sender show');
  });

  it('the very same sender twice is one: the refusal may be the answer to a copy of our own request', async () => {
    await bench.run(['sender', 'create', ...senderFlags('same')]);
    const again = await bench.run(['sender', 'create', ...senderFlags('same')]);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('exists already');
  });

  it('an unknown member and a missing one are told apart', async () => {
    const unknown = await bench.run(['sender', 'create', '--field', 'shoe_size=42']);
    expect([unknown.code, unknown.requests.length]).toEqual([2, 0]);
    const missing = await bench.run(['sender', 'create', '--first-name', 'Ada']);
    expect(missing.code).toBe(5);
    expect(missing.stderr).toContain('is missing');
  });
});

describe('validate-account', () => {
  const account = (number: string) =>
    words(`validate-account --type NGN::Bank --bank-code 044 --bank-account ${number}`);
  it('known is 0 with the holder, unknown is 5 with the reason', async () => {
    const known = await bench.run(account('0123456700'), { tty: true });
    expect(known.code).toBe(0);
    expect(known.stdout).toMatch(/account name +TEST USER/i);
    expect(known.requests).toEqual([
      {
        method: 'POST',
        path: '/account_validations',
        query: '',
        body: {
          country: 'NG',
          currency: 'NGN',
          method: 'bank',
          bank_code: '044',
          bank_account: '0123456700',
        },
      },
    ]);
    const unknown = await bench.run([...account('9123456700'), '-o', 'json']);
    expect(unknown.code).toBe(5);
    expect(unknown.data<{ valid: boolean; error: string }>()).toMatchObject({
      valid: false,
      error: expect.any(String),
    });
  });

  it.each([
    ['validate-account'],
    ['validate-account --type XYZ::Bank'],
    ['validate-account --type NGN::Bank --bank-code 044'],
    ['validate-account --country FR --currency EUR --method bank'],
  ])('%s is a usage error and sends nothing', async (line) => {
    const run = await bench.run(line.split(' '));
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });
});

describe('logs', () => {
  it('api: the request that an error named is found by it', async () => {
    const failed = await bench.run(['tx', 'show', '00000000-0000-4000-8000-000000000000', '-o', 'json']);
    expect(failed.code).toBe(6);
    const refused = await bench.run(['sender', 'create', '--first-name', 'Ada', '-o', 'json']);
    const error = refused.error();
    const found = await bench.run(['logs', 'api', '--request', error.request_id, '-o', 'json']);
    expect(found.code).toBe(0);
    const [log] = found.data<{ id: string; response_status: string }[]>();
    expect(log?.response_status).toContain('422');
    const shown = await bench.run(['logs', 'show', log?.id ?? ''], { tty: true });
    expect(shown.stdout).toMatch(/request +POST/);
    expect(shown.stdout + found.stdout).not.toContain('made-up-secret');
  });

  it('api on a terminal is a table; by status; webhooks are listed; what is not there is 6', async () => {
    await bench.run(['balance', 'QQQ']);
    await bench.run(['balance']);
    const table = await bench.run(['logs', 'api', '--status', '404'], { tty: true, columns: 200 });
    expect(table.stdout).toMatch(/^TIME +METHOD +URL/);
    expect(table.stdout).toContain('/accounts/QQQ');
    expect(table.stdout.trim().split('\n')).toHaveLength(2);
    const hooks = await bench.run(['logs', 'webhooks', '--failed', '-o', 'json']);
    expect([hooks.code, hooks.requests[0]?.path]).toEqual([0, '/logs/webhooks']);
    expect((await bench.run(['logs', 'show', '00000000-0000-4000-8000-000000000000'])).code).toBe(6);
  });

  it('longer than a page print as they come, each record once, and say how many were looked at', async () => {
    for (let made = 0; made < 120; made++) await bench.run(['balance', 'EUR', '--fresh']);
    await bench.run(['balance', 'QQQ']);
    const all = await bench.run(['logs', 'api', '--all', '-o', 'ndjson', '--quiet']);
    const ids = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data.id);
    expect(ids.length).toBeGreaterThan(120);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all.requests[0]?.query).toBe('?per=100&page=1');
    const refused = await bench.run('logs api --all --status 4xx --fields response_status');
    expect([refused.code, refused.stdout]).toEqual([0, expect.stringMatching(/^404.*\n$/)]);
    expect(refused.stderr).toMatch(/1 of the 12\d requests searched matches\./);
    const unknown = await bench.run(['logs', 'api', '--request', '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11']);
    expect([unknown.code, unknown.stderr]).toEqual([
      6,
      expect.stringMatching(/among the latest 12\d that were logged/),
    ]);
  });
});

describe('api', () => {
  it('by name and by path, through the same signature', async () => {
    const named = await bench.run(['api', 'accounts.get', 'EUR']);
    const direct = await bench.run(['api', 'GET', '/accounts/EUR']);
    expect([named.code, direct.code]).toEqual([0, 0]);
    expect(JSON.parse(named.stdout)).toEqual(JSON.parse(direct.stdout));
  });

  it.each([
    'https://elsewhere.example/v1/accounts',
    '//elsewhere.example/accounts',
    '/../accounts',
    '/accounts/%2e%2e/x',
    'accounts',
    '/accounts//EUR',
    '/a b',
    '/accounts#x',
  ])('the path %s is refused and nothing is sent', async (path) => {
    const run = await bench.run(['api', 'GET', path]);
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });

  it('statuses become exit codes, and a body that is not JSON is refused', async () => {
    expect((await bench.run(['api', 'transactions.get', '00000000-0000-4000-8000-000000000000'])).code).toBe(
      6,
    );
    expect((await bench.run(['api', 'senders.create', '-d', '{"sender":{}}'])).code).toBe(5);
    const broken = await bench.run(['api', 'senders.create', '-d', '{sender']);
    expect([broken.code, broken.requests.length]).toEqual([2, 0]);
  });
});

describe('members that are asked for', () => {
  it('a mistyped one is a usage error that names those there are', async () => {
    const run = await bench.run(['balance', '--fields', 'currency,amuont']);
    expect([run.code, run.stdout, /no balance here has amuont/.test(run.stderr)]).toEqual([2, '', true]);
  });

  it('CSV has amounts and currencies in cells of their own', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'csv-1']);
    const csv = await bench.run(['tx', 'list', '-o', 'csv']);
    expect(csv.stdout).toMatch(
      /^id,external_id,state,input_amount,paid_amount,refunded_amount,net_amount,input_currency,recipients,created_at,updated_at,output_amount,output_currency,rate,paid_at,refunded_at,direction,fee_amount,margin,margin_amount\n[0-9a-f-]{36},csv-1,approved,14\.99,0\.00,0\.00,0\.00,EUR,1,/,
    );
    const recipients = await bench.run(['recipient', 'list', '-o', 'csv']);
    expect(recipients.stdout).toMatch(/,14\.99,EUR,25000,NGN,/);
  });

  it('a key that cannot be sent is a matter of configuration', async () => {
    const run = await bench.run(['balance'], { env: { REMIT_API_KEY: 'kéy\u0001' } });
    expect([run.code, run.requests.length]).toEqual([78, 0]);
  });
});

describe('help and words', () => {
  it('global flags may stand before the words', async () => {
    expect((await bench.run(['-o', 'json', 'balance', 'EUR'])).json()).toMatchObject({ kind: 'balance' });
  });

  it('errors in JSON have every member', async () => {
    const run = await bench.run(['balance', 'QQQ', '-o', 'json']);
    expect(Object.keys(JSON.parse(run.stderr).error).sort()).toEqual([
      'category',
      'code',
      'fields',
      'hint',
      'message',
      'outcome',
      'request_id',
      'retryable',
      'status',
    ]);
  });
});

describe('api, when the answer of a write is lost', () => {
  it('is 9 and says what to look at; a read is 75', async () => {
    bench.intercept(only(isWriteRequest, lost));
    const write = await bench.run(['api', 'recipients.cancel', '00000000-0000-4000-8000-000000000000']);
    expect([write.code, write.requests.length]).toEqual([9, 1]);
    expect(write.stderr).toContain('outcome   unknown');
    expect(write.stderr).toContain('remit recipient show ID');
    bench.intercept(lost);
    expect((await bench.run(['api', 'accounts.list'])).code).toBe(75);
    bench.intercept(only(isWriteRequest, answering(503)));
    expect((await bench.run(['api', 'POST', '/transactions', '-d', '{}'])).code).toBe(9);
    bench.intercept(answering(503));
    expect((await bench.run(['api', 'GET', '/accounts'])).code).toBe(75);
    // Where no read is answered, no write leaves.
    const unsent = await bench.run(['api', 'POST', '/transactions', '-d', '{"a":1}']);
    expect([unsent.code, unsent.requests.every(({ method }) => method === 'GET')]).toEqual([75, true]);
    expect(unsent.stderr).toContain('not applied (nothing was sent)');
  });
});
