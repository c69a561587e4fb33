/** Files as they come from other machines: CRLF, byte order marks, other encodings, and the paths of Windows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { baseUrl, credentials, noAccount, person, type Run, useBench } from '../support/cli.ts';

const payment = `input_currency: EUR
sender: { external_id: customer-1 }
recipients:
  - requested_amount: 25000
    requested_currency: NGN
    payout_method:
      type: NGN::Bank
      details: { first_name: José, last_name: Obi, bank_code: 044, bank_account: 0123456700 }
`;
const BOM = '\ufeff';
/** A name with the drive of Windows: elsewhere a file's name may have a colon and backslashes. */
const onDrive = (name: string): string => (process.platform === 'win32' ? name : `C:\\${name}`);
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

const bench = useBench({ once: true, sender: true });

const write = (name: string, bytes: string | Uint8Array): string => {
  writeFileSync(join(bench.dir, name), bytes);
  return name;
};
const calculate = (file: string, stdin?: string): Promise<Run> =>
  bench.run(['tx', 'calculate', '--file', file], stdin === undefined ? {} : { stdin });
const sentName = ({ requests }: Run): unknown =>
  JSON.stringify(requests.at(-1)?.body).match(/"first_name":"([^"]*)"/)?.[1];

describe('a payment in a file', () => {
  it.each([
    ['CRLF', crlf(payment)],
    ['a byte order mark', BOM + payment],
    ['both', BOM + crlf(payment)],
  ])('with %s is read as without, from a file and from standard input', async (_, text) => {
    for (const run of [await calculate(write('payment.yaml', text)), await calculate('-', text)])
      expect([run.code, run.stderr, sentName(run)]).toEqual([0, '', 'José']);
  });

  const utf16 = Buffer.from(BOM + payment, 'utf16le');
  it.each([
    ['UTF-16', utf16, 'it reads as UTF-16'],
    ['UTF-16 with the other byte first', Buffer.from(utf16).swap16(), 'it reads as UTF-16'],
    ['UTF-16 without a mark', utf16.subarray(2), 'it reads as UTF-16'],
    ['Latin-1', Buffer.from(payment, 'latin1'), 'payment.yaml is not UTF-8'],
  ])('in %s is refused in words, and nothing is sent', async (_, bytes, words) => {
    const run = await calculate(write('payment.yaml', bytes));
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.stderr).toContain(words);
    expect(run.stderr).toContain('save it as UTF-8');
  });

  it.each(['C:\\payments\\new.yaml', 'c:new.yaml', '.\\new.yaml', '\\\\server\\share\\new.yaml'])(
    'named %s is a file, whatever the platform',
    async (name) => {
      const absent = await calculate(name);
      expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('the file does not exist')]);
      if (process.platform === 'win32') return;
      expect((await calculate(write(name, payment))).code).toBe(0);
      expect((await bench.run(['tx', 'calculate', `--file=${name}`])).code).toBe(0);
    },
  );
});

describe('other files', () => {
  it('a secret with CRLF and a byte order mark is the secret; one in UTF-16 is refused', async () => {
    const login = (...from: string[]) => [
      ...['login', '--base-url', baseUrl, '--key', credentials.key, '--no-keychain', ...from],
    ];
    const secret = `${BOM}${credentials.secret}\r\n`;
    const file = await bench.run(login('--secret-file', write('s.txt', secret)));
    expect([file.code, file.stderr]).toEqual([0, expect.stringContaining('accepted')]);
    expect((await bench.run(login('--secret-stdin'), { stdin: secret })).code).toBe(0);
    const wide = await bench.run(login('--secret-file', write('s.txt', Buffer.from(secret, 'utf16le'))));
    expect([wide.code, wide.stderr]).toEqual([2, expect.stringContaining('UTF-16')]);
    expect(wide.stderr).not.toContain(credentials.secret);
  });

  it('settings that an editor gave a byte order mark are read', async () => {
    for (const name of ['config.json', 'secrets.json'])
      write(name, BOM + crlf(readFileSync(join(bench.dir, name), 'utf8')));
    const none = noAccount;
    expect((await bench.run(['whoami', '--fields', 'accepted'], { env: none })).stdout).toBe('yes\n');
  });

  it('bodies of remit api, senders and payout methods', async () => {
    const body = `${BOM}${crlf('{\n"url": "http://127.0.0.1:9/x"\n}')}`;
    write('body.json', body);
    for (const flags of [
      ['--data', '@body.json'],
      ['--input', 'body.json'],
    ]) {
      const run = await bench.run(['api', 'webhooks.create', ...flags]);
      expect(run.requests.map((request) => request.body)).toEqual([{ url: 'http://127.0.0.1:9/x' }]);
    }
    const members = Object.entries({ ...person, external_id: 'customer-2' });
    write('sender.yaml', BOM + members.map(([name, value]) => `${name}: ${value}\r\n`).join(''));
    const sender = await bench.run(['sender', 'create', '--file', 'sender.yaml']);
    expect([sender.code, sender.stderr]).toEqual([0, expect.any(String)]);
  });

  it('a scenario', async () => {
    const text = 'pay a number=0123456719 amount=100 EUR\nexpect a state=received recipient=error code=416\n';
    write(onDrive('mine.txt'), BOM + crlf(text));
    const run = await bench.run(['sandbox', 'scenario', onDrive('mine.txt')]);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('all 2 steps hold')]);
    expect((await bench.run(['sandbox', 'scenario', '-'], { stdin: BOM + crlf(text) })).code).toBe(0);
  });

  it('a delivery is verified byte for byte: a byte order mark in it counts', async () => {
    const url = 'https://example.com/hooks';
    const body = `${BOM}{"webhook":"w-1","event":"recipient.error","object":{"id":"r-1"}}\r\n`;
    const headers = signedHeaders(credentials, { nonce: 'n-1', method: 'POST', url, body });
    write('headers.json', BOM + crlf(JSON.stringify(headers, null, 2)));
    write('body.json', body);
    const verify = (from: string, stdin?: string): Promise<Run> =>
      bench.run(
        ['webhooks', 'verify', '--url', url, '--body', from, '--headers-file', 'headers.json', '-o', 'json'],
        stdin === undefined ? {} : { stdin },
      );
    const cause = async (run: Promise<Run>) => (await run).data<{ cause: unknown }>().cause;
    for (const run of [verify('body.json'), verify('-', body)])
      expect(await cause(run)).toBe('not_a_delivery');
    expect(await cause(verify('-', body.slice(1)))).toBe('body_bom');
  });

  it('a document on a drive', async () => {
    write(onDrive('pass.jpg'), Buffer.from('ffd8ffe000104a46494600', 'hex'));
    const run = await bench.run(['document', 'create', '--file', onDrive('pass.jpg'), '-o', 'json']);
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
  });
});
