/** Bad input: a clear message, the right exit code, and nothing lost or sent. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { paymentFlags, paymentJson, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const good = paymentJson();
const with_ = (change: (body: Record<string, never> & typeof good) => void): string => {
  const body = structuredClone(good);
  change(body as never);
  return JSON.stringify(body);
};
// biome-ignore lint/suspicious/noExplicitAny: the point is to put wrong types in
type Wrong = any;

describe('a transaction in a file', () => {
  const create = async (text: string | Buffer, name = 'payment.json') => {
    writeFileSync(join(bench.dir, name), text);
    return bench.run(['tx', 'create', '--file', name]);
  };

  it.each([
    ['empty', '', /is empty/],
    ['only white space', ' \n ', /is empty/],
    ['not JSON', '{"input_currency": ', /not JSON/],
    ['a list', '[1]', /does not hold an object/],
    ['YAML with a tab', 'a:\n\t- b', /not YAML/],
    ['YAML with a key twice', 'a: 1\na: 2', /line 2, column 1 has a member that is there twice/],
    ['a scalar', 'just words', /does not hold an object/],
    ['10 MB', 'x'.repeat(10_000_000), /too large.*10000 kB/],
    ['an unknown member', with_((b: Wrong) => (b.recipents = [])), /recipents {2}is not a member/],
    [
      'an unknown member deep down',
      with_((b: Wrong) => (b.recipients[0].payout_method.detials = {})),
      /recipients\.0\.payout_method\.detials/,
    ],
    ['recipients that are none', with_((b: Wrong) => (b.recipients = 'Ada')), /recipients/],
    ['no recipients', with_((b: Wrong) => (b.recipients = [])), /recipients/],
    ['no sender', with_((b: Wrong) => delete b.sender), /not complete: sender/],
    ['no currency', with_((b: Wrong) => delete b.input_currency), /not complete: input_currency/],
    ['metadata that is a list', with_((b: Wrong) => (b.metadata = [])), /metadata/],
    [
      'a trait that is no yes or no',
      with_((b: Wrong) => (b.traits = { auto_refund: 'perhaps' })),
      /traits\.auto_refund/,
    ],
    [
      'an amount in an exponent',
      with_((b: Wrong) => (b.recipients[0].requested_amount = '1e3')),
      /"1e3" is not an amount/,
    ],
    [
      'a float amount that lost digits',
      '{"input_currency":"EUR","sender":{"id":"x"},"recipients":[{"requested_amount":1e21,"requested_currency":"NGN","payout_method":{}}]}',
      /"1e21" is not an amount/,
    ],
    ['a negative amount', with_((b: Wrong) => (b.recipients[0].requested_amount = '-5')), /more than 0/],
    [
      'an amount that is an object',
      with_((b: Wrong) => (b.recipients[0].requested_amount = {})),
      /requested_amount/,
    ],
    [
      'too many decimals',
      with_((b: Wrong) => (b.recipients[0].requested_amount = '1.001')),
      /more decimals than NGN has/,
    ],
  ])('%s is refused before anything is sent', async (_, text, message) => {
    const run = await create(text);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(2);
    expect(run.requests).toEqual([]);
  });

  it('YAML aliases that blow up are refused', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`;
    const run = await create(bomb, 'bomb.yaml');
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });

  it('a file that is not there, and a folder, are told as what they are', async () => {
    const missing = await bench.run(['tx', 'create', '--file', 'nowhere.yaml']);
    expect([missing.code, missing.stderr.includes('nowhere.yaml: the file does not exist')]).toEqual([
      2,
      true,
    ]);
    mkdirSync(join(bench.dir, 'folder'));
    const folder = await bench.run(['tx', 'create', '--file', 'folder']);
    expect([folder.code, /folder, not a file/.test(folder.stderr)]).toEqual([2, true]);
  });

  it('standing in standard input works, and JSON numbers keep every digit', async () => {
    const text = JSON.stringify(good)
      .replace('"25000"', '25000.10')
      .replace(
        '"recipients"',
        '"external_id":"stdin-1","metadata":{"n":12345678901234567,"f":true},"recipients"',
      );
    const run = await bench.run(['tx', 'create', '--file', '-'], { stdin: text });
    expect(run.code).toBe(0);
    expect(run.requests[0]?.body).toMatchObject({
      transaction: {
        external_id: 'stdin-1',
        metadata: { f: true },
        recipients: [{ requested_amount: '25000.1' }],
      },
    });
  });
});

describe('what only the service can know', () => {
  it.each([
    [
      'an unknown corridor',
      ['--type', 'NGN::Bnk'],
      'recipients.0.payout_method.type',
      /NGN::Bnk is not a payout type that remit knows/,
    ],
    ['an unknown bank', ['--detail', 'bank_code=999'], 'recipients.0.payout_method.bank_code', /"invalid"/],
    [
      'an unknown currency to pay in',
      ['--input-currency', 'QQQ'],
      'input_currency',
      /QQQ is not a currency that remit knows/,
    ],
    ['a sender that is not there', ['--sender', 'nobody'], 'sender', /sender/],
    [
      'a sender id that is not there',
      ['--sender', '00000000-0000-4000-8000-000000000000'],
      'sender',
      /sender/,
    ],
  ])('%s is 5, names the field, and nothing is created', async (_, flags, field, message) => {
    const base = paymentFlags('customer-1').filter(
      (flag) => !flag.startsWith('bank_code=') || !flags.join().includes('bank_code'),
    );
    const argv = base.filter((flag, index) => !(flag === '--detail' && base[index + 1] === '--detail'));
    const run = await bench.run(['tx', 'create', ...argv, ...flags, '-o', 'json']);
    expect(run.code, run.stderr).toBe(5);
    expect(run.stderr).toMatch(message);
    const error = run.error();
    expect(
      error.fields.some(({ path }: { path: string }) => path.startsWith(field)),
      JSON.stringify(error.fields),
    ).toBe(true);
    expect((await bench.run(['tx', 'list', '-o', 'json'])).data<unknown[]>()).toEqual([]);
  });
});

describe('ids', () => {
  it.each([
    [['tx', 'show', ''], 2],
    [['tx', 'fund', ''], 2],
    [['tx', 'cancel', ' '], 2],
    [['recipient', 'show', ''], 2],
    [['recipient', 'cancel', 'not-an-id'], 6],
    [['recipient', 'edit', '../x', '--detail', 'a=b'], 6],
    [['sender', 'show', 'nobody-7'], 6],
    [['sender', 'find', ''], 2],
    [['webhooks', 'remove', 'x'], 2],
    [['webhooks', 'remove', '00000000-0000-4000-8000-000000000000'], 6],
    [['logs', 'show', ''], 2],
    [['logs', 'show', '..'], 2],
    [['history', 'show', ''], 2],
    [['tx', 'show'], 2],
  ])('%j ends with %i and writes nothing', async (argv, code) => {
    const run = await bench.run(argv);
    expect([run.code, run.stderr.split('\n')[0]]).toEqual([code, expect.stringMatching(/^remit: \S/)]);
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it("a sender's id given for a transaction's is named as one", async () => {
    const id = (await bench.run(['sender', 'find', 'customer-1', '-o', 'json', '--query', 'id'])).stdout
      .trim()
      .slice(1, -1);
    const run = await bench.run(['tx', 'show', id]);
    expect([run.code, /is a sender's id/.test(run.stderr)]).toEqual([6, true]);
  });

  it('a short id is enough to read, not to write', async () => {
    const made = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '-o', 'json']);
    const { id } = made.data<{ id: string }>();
    expect((await bench.run(['tx', 'show', id.slice(0, 8)])).code).toBe(0);
    const write = await bench.run(['tx', 'fund', id.slice(0, 8)]);
    expect([write.code, write.stderr.includes(id)]).toEqual([2, true]);
  });
});

describe('the service answers nonsense', () => {
  it.each([
    ['HTML', { status: 200, headers: {}, body: '<html>' }, 75],
    ['an empty body', { status: 200, headers: {}, body: '' }, 75],
    ['another shape', { status: 200, headers: {}, body: '{"object":42}' }, 75],
    [
      'an amount that is none',
      { status: 200, headers: {}, body: '{"object":[{"currency":"EUR","amount":"many"}]}' },
      75,
    ],
    ['500 without a body', { status: 500, headers: {}, body: '' }, 75],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }, 1],
    ['429', { status: 429, headers: { 'retry-after': '99999' }, body: '' }, 75],
  ])('%s is told, and the exit code is right', async (_, response, code) => {
    bench.intercept(async () => response);
    const run = await bench.run(['balance']);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toMatch(/^remit: /);
  });

  it('amounts of 30 digits and exponents keep every digit', async () => {
    bench.intercept(async () => ({
      status: 200,
      headers: {},
      body: '{"object":[{"currency":"XAF","amount":123456789012345678901234567890.12},{"currency":"BTC","amount":1e-8},{"currency":"EUR","amount":0.1}]}',
    }));
    const run = await bench.run(['balance', '--fields', 'currency,amount']);
    expect(run.stdout).toBe('XAF\t123456789012345678901234567890.12\nBTC\t0.00000001\nEUR\t0.10\n');
  });
});
