/** What people type and mean: other cases, accents, several words, a name behind the command, and values that are empty. */
import { describe, expect, it } from 'vitest';
import {
  bankDetails,
  baseUrl,
  credentials,
  noAccount,
  paymentFlags,
  type Run,
  senderFlags,
  useBench,
} from '../support/cli.ts';

const bench = useBench({
  once: true,
  sender: true,
  setUp: async () => {
    await bench.run([
      'tx',
      'create',
      ...paymentFlags('customer-1', '0123456719'),
      '--external-id',
      'wages-1',
    ]);
    await bench.run([
      'sender',
      'create',
      ...senderFlags('customer-2'),
      '--first-name',
      'Zoë',
      '--last-name',
      'Ślad',
    ]);
  },
});
const run = (line: string) => bench.run(line.split(' '));
const id = async (line: string): Promise<string> => (await run(`${line} --query id`)).stdout.trim();

describe('any case', () => {
  it('of a state, a kind and a currency', async () => {
    const listed = await run(
      'tx list --state APPROVED --currency eur --kind Automated -o json --query [].external_id',
    );
    expect(listed.json()).toEqual(['wages-1']);
    expect((await run('tx list --state nonsense')).stderr).toContain('Allowed choices are');
  });

  it('of an id', async () => {
    const tx = await id('tx show wages-1');
    expect(await id(`tx show ${tx.toUpperCase()}`)).toBe(tx);
    expect(await id(`tx show ${tx.slice(0, 8).toUpperCase()}`)).toBe(tx);
    const recipient = (await run('tx show wages-1 --query recipients[0].id')).stdout.trim();
    expect(await id(`recipient show ${recipient.toUpperCase()}`)).toBe(recipient);
    const sender = await id('sender find customer-1');
    expect(await id(`sender show ${sender.toUpperCase()}`)).toBe(sender);
  });
});

it.each(['tx show', 'recipient show'])(
  '%s: four characters of an id are told that six are needed',
  async (words) => {
    const { code, stderr } = await run(`${words} 6f2c`);
    expect(code).toBe(6);
    expect(stderr).toContain('the beginning of an id needs six characters or more');
  },
);

it.each(['zoe', 'ZOË', 'slad'])('--name %s finds Zoë Ślad', async (name) => {
  expect((await run(`sender list --name ${name} -o json --query [].external_id`)).json()).toEqual([
    'customer-2',
  ]);
});

describe('nothing is taken for everything', () => {
  it.each([
    [['balance', ''], 'CURRENCY cannot be empty'],
    [['rates', 'EUR', ''], 'TO cannot be empty'],
    [['tx', 'list', '--currency', ''], '--currency is empty'],
    [['recipient', 'list', '--currency', 'EUR', '--currency', ' '], '--currency is empty'],
    [['tx', 'calculate', '--input-currency', '', '--amount', '5'], '--input-currency is empty'],
    [['--profile', '', 'whoami'], '--profile is empty'],
    [['recipient', 'triage', '--currency', 'EURO'], '"EURO" is not a currency code'],
  ])('%j', async (argv, words) => {
    const refused = await bench.run(argv);
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain(words);
  });
});

describe('rates', () => {
  it('a margin is a percentage for a person, and the decimal of the wire in data', async () => {
    expect((await bench.run(['rates', 'EUR', 'NGN'], { tty: true })).stdout).toMatch(/margin +1 %\n/);
    expect((await run('rates EUR NGN --query margin')).stdout).toBe('0.01\n');
  });

  it('of a currency into itself have no margin', async () => {
    expect((await bench.run(['rates', 'EUR', 'EUR'], { tty: true })).stdout).toMatch(/margin +0 %\n/);
  });
});

it('a balance that is not held names those that are', async () => {
  const { code, stderr } = await run('balance XYZ');
  expect(code).toBe(6);
  expect(stderr).toMatch(/^remit: You hold no XYZ\. Balances: EUR, GBP, GHS, NGN, USD, XOF\.\n/);
});

describe('explain', () => {
  it('takes several words, and looks for them in meanings and labels', async () => {
    for (const words of [['account number'], ['account', 'NUMBER']]) {
      const { stdout } = await bench.run(['explain', ...words, '-o', 'json', '--query', 'meanings[].name']);
      expect(JSON.parse(stdout)).toContain('bank_account');
    }
  });

  it('knows a term, and says what is near in any case', async () => {
    expect((await run('explain wtr2')).stdout).toContain('sender identification');
    expect((await run('explain STUK')).stderr).toContain('did you mean stuck?');
    expect((await run('explain qqqq')).code).toBe(6);
  });
});

describe('logout', () => {
  const env = noAccount;
  const login = (name: string) =>
    bench.run(
      ['login', '--base-url', baseUrl, '--key', credentials.key, '--secret-stdin', '--profile', name],
      { env, stdin: `${credentials.secret}\n` },
    );

  it('takes the profile behind its name', async () => {
    await login('mine');
    await login('other');
    const both = await bench.run(['logout', 'mine', '--profile', 'other'], { env });
    expect(both.code).toBe(2);
    expect((await bench.run(['logout', 'mine'], { env })).stderr).toContain('removed: mine');
    expect((await bench.run(['profiles', '--query', '[].name', '-o', 'json'], { env })).json()).toEqual([
      'other',
    ]);
  });

  it('takes the one that a command would use, also where REMIT_PROFILE is empty', async () => {
    await login('mine');
    await login('other');
    await bench.run(['profiles', 'use', 'other'], { env });
    const removed = async () =>
      (await bench.run(['logout'], { env: { ...env, REMIT_PROFILE: '' } })).stderr.split('\n', 1)[0];
    expect(await removed()).toBe('removed: other and its secret');
    expect(await removed()).toBe('removed: mine and its secret');
  });
});

describe('metadata by flag', () => {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent.
  const posted = (run: Run): any => run.requests.find(({ method }) => method === 'POST')?.body;

  it('of a transaction, its recipient and the payout method, as names or as JSON', async () => {
    const made = await bench.run([
      ...[
        'tx',
        'create',
        ...paymentFlags('customer-1'),
        '--metadata',
        'order=17',
        '--metadata',
        '{"batch":{"n":1}}',
      ],
      ...['--recipient-metadata', 'row=3', '--payout-metadata', 'note=a=b'],
    ]);
    expect(made.code).toBe(0);
    const { transaction } = posted(made);
    expect(transaction.metadata).toEqual({ order: '17', batch: { n: 1 } });
    expect(transaction.recipients[0].metadata).toEqual({ row: '3' });
    expect(transaction.recipients[0].payout_method.metadata).toEqual({ note: 'a=b' });
  });

  it('of a stored payout method', async () => {
    const flags = bankDetails();
    const made = await bench.run([
      'payout-method',
      'create',
      '--type',
      'NGN::Bank',
      ...flags,
      '--metadata',
      'row=3',
    ]);
    expect([made.code, posted(made).payout_method.metadata]).toEqual([0, { row: '3' }]);
  });

  it.each(['nothing', '[1]', '{"a"'])('%s is refused', async (value) => {
    const refused = await bench.run([
      'tx',
      'create',
      ...paymentFlags('customer-1'),
      '--recipient-metadata',
      value,
    ]);
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain('--recipient-metadata takes NAME=VALUE or a JSON object');
  });
});

it.each([
  ['console --at localhost:8080', '--at 127.0.0.1:8080'],
  ['console --at LOCALHOST', '--at 127.0.0.1'],
  ['console --at x.localhost.:1', '--at 127.0.0.1:1'],
  ['webhooks listen --host localhost', '--host 127.0.0.1'],
  ['sandbox start --host localhost', '--host 127.0.0.1'],
])('%s is refused: localhost may be another address of this machine', async (words, right) => {
  const { code, stderr } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toContain('localhost may also be another address of this machine');
  expect(stderr).toContain(`give ${right}\n`);
});
