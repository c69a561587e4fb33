/** Who may use the controls of a sandbox, what is said to who may not, and what is never shown. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/core/transport.ts';
import { controlTokenPath } from '../../src/profiles/control-token.ts';
import {
  answering,
  baseUrl,
  controlToken,
  credentials,
  paymentFlags,
  senderFlags,
  unreachable,
  useBench,
} from '../support/cli.ts';

const MANDATE = '00000000-0000-4000-8000-000000000000';
/** Every command that needs the controls. */
const commands = [
  ...['clock', 'clock advance 1m', 'clock set 2090-01-01', 'clock run', 'clock stop', 'state', 'settings'],
  ...[
    'settings review=true',
    'seed',
    'faults',
    'faults --clear',
    'faults --disarm f1',
    'fail slow',
    'explain x',
  ],
  ...['snapshot x.snap', 'restore x.snap --yes', 'reset --yes', 'approve x', 'reject x', 'ban x', 'refund x'],
  ...['review x hold', `mandate ${MANDATE} signed`],
];

const bench = useBench({
  setUp: async () => {
    writeFileSync(`${bench.dir}/x.snap`, 'x');
  },
});

const run = (words: string, env: Record<string, string | undefined> = {}) =>
  bench.run(['sandbox', ...words.split(' ')], { env });
const tokenPath = () => controlTokenPath({ REMIT_CONFIG_DIR: bench.dir }, baseUrl);

describe('without the control token', () => {
  it.each([...commands, 'payout x --code 416', 'payin x --amount 5'])(
    '%s: 4, nothing is sent, and what to do is said',
    async (words) => {
      rmSync(tokenPath());
      const refused = await run(words);
      expect([refused.code, refused.requests]).toEqual([4, []]);
      expect(refused.stderr).toContain('there is no control token for 127.0.0.1:4010');
      expect(refused.stderr).toContain('remit sandbox start');
      expect(refused.stderr).toContain('nothing was sent');
    },
  );

  it('with that of another sandbox: 4, and why', async () => {
    writeFileSync(tokenPath(), 'of-another-sandbox');
    const refused = await run('clock');
    expect([refused.code, refused.stderr]).toEqual([
      4,
      expect.stringContaining('belongs to another sandbox'),
    ]);
    expect(refused.stderr).not.toContain('of-another-sandbox');
  });
});

describe('elsewhere', () => {
  it.each(commands)('%s at a host that is not this machine: 2, and nothing is sent', async (words) => {
    for (const url of ['https://sandbox.example.com/v1', 'https://127.0.0.1.example.com/v1']) {
      const refused = await run(words, { REMIT_BASE_URL: url });
      expect([refused.code, refused.requests]).toEqual([2, []]);
      expect(refused.stderr).toContain('is not a sandbox on this machine');
    }
  });

  it.each(commands)('%s where nothing listens: 75', async (words) => {
    bench.intercept(unreachable);
    const refused = await run(words);
    expect([refused.code, refused.stderr]).toEqual([75, expect.stringContaining('connection refused')]);
  });

  it('Ctrl-C ends a control with 130', async () => {
    const interrupt = new AbortController();
    bench.intercept(async () => {
      interrupt.abort();
      throw new TransportError('may_have_arrived', 'AbortError', 'interrupted');
    });
    const stopped = await bench.run(['sandbox', 'clock', 'advance', '1h'], { interrupt: interrupt.signal });
    expect([stopped.code, stopped.stderr]).toEqual([130, 'remit: stopped\n']);
  });

  it('what answers there and is no sandbox is told from one', async () => {
    bench.intercept(answering(200, '<html>hello'));
    expect((await run('state')).stderr).toContain('not a sandbox of remit');
  });
});

describe('the token and the secret', () => {
  it('are in no output, not even with --debug, and in no history', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...paymentFlags('customer-1', '0123456701'), '--external-id', 'x']);
    const shown: string[] = [];
    for (const words of [...commands, 'payout x', 'payout x --code 416']) {
      for (const format of ['json', 'text']) {
        const { stdout, stderr } = await run(`${words} -o ${format} --debug`);
        shown.push(stdout, stderr);
      }
      rmSync(`${bench.dir}/x.snap`, { force: true });
    }
    for (const words of [['history', '-o', 'json'], ['logs', 'api', '-o', 'json', '--all'], ['profiles']]) {
      const { stdout, stderr } = await bench.run(words);
      shown.push(stdout, stderr);
    }
    expect(shown.join('')).not.toContain(controlToken);
    expect(shown.join('')).not.toContain(credentials.secret);
  });

  it('are in no snapshot; the file of the token is its owner’s alone', async () => {
    await run('snapshot all.snap');
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(`${bench.dir}/all.snap`).toString('latin1');
    expect(bytes).not.toContain(controlToken);
    expect(bytes).not.toContain(credentials.secret);
    expect(statSync(tokenPath()).mode & 0o777).toBe(0o600);
  });

  it('go to the controls in a header alone: no key, no signature, nothing in the address', async () => {
    const sent: { url: string; headers: Record<string, string> }[] = [];
    bench.intercept((request, next) => {
      sent.push(request);
      return next(request);
    });
    for (const words of ['clock', 'seed', 'explain x', 'snapshot y.snap']) await run(words);
    expect(sent).toHaveLength(4);
    for (const { url, headers } of sent) {
      expect(url).not.toContain(controlToken);
      expect(Object.values(headers)).toContain(controlToken);
      expect(JSON.stringify(headers)).not.toContain(credentials.key);
      expect(Object.keys(headers).filter((name) => name.startsWith('authorization'))).toEqual([]);
    }
  });
});
