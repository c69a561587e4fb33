/** Real processes and sockets: sandbox exec and its child, who can reach a started sandbox, and faults as a plain client sees them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { payArgv, paymentFlags, senderFlags } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { type Program, runRemit, temporaryHome, usePrograms } from '../support/program.ts';
import { portOf } from '../support/servers.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const home = usePrograms();
const { env, remit, start } = home;
const exec = (script: string, ...flags: string[]) =>
  remit('sandbox', 'exec', ...flags, '--', process.execPath, '-e', script);
const tokens = (): string[] => {
  const folder = join(home.dir, 'sandboxes');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Resolves to whether something accepts connections there. */
const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const TELL = 'console.log(process.env.REMIT_BASE_URL);';

async function expectGone(url: string): Promise<void> {
  expect(await listens(Number(new URL(url).port))).toBe(false);
  expect(tokens()).toEqual([]);
}

describe('sandbox exec', () => {
  it('gives the child its account and takes everything away; the exit code is the child’s', async () => {
    const names = ['REMIT_BASE_URL', 'REMIT_API_KEY', 'REMIT_API_SECRET'];
    const done = await exec(`for (const name of ${JSON.stringify(names)}) console.log(process.env[name])`);
    const [url = '', key = '', secret = ''] = done.stdout.trim().split('\n');
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(key).not.toBe('');
    expect(secret).toMatch(/^[0-9a-f]{48}$/);
    await expectGone(url);
    expect(existsSync(join(home.dir, 'config.json'))).toBe(false);
  });

  const ENDS: [script: string, code: number][] = [
    ['process.kill(process.pid, "SIGKILL")', 137],
    ['process.kill(process.pid, "SIGTERM")', 143],
    ['process.exitCode = 7', 7],
  ];
  it.each(some(ENDS, 1))('%s ends it with %i, and nothing is left', async (script, code) => {
    const done = await exec(`${TELL}${script}`);
    expect(done.code).toBe(code);
    await expectGone(done.stdout.trim());
  });

  it('a program that is missing is 2, and nothing is left', async () => {
    const done = await remit('sandbox', 'exec', '--', 'no-such-program-here');
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('there is no program')]);
    expect(tokens()).toEqual([]);
    expect((await remit('sandbox', 'exec')).code).toBe(2);
    expect((await remit('sandbox', 'exec', '--webhook', '99999', '--', 'true')).code).toBe(2);
  });

  it('remit inside needs no profile: it pays, time moves, and webhooks come to a real server', async () => {
    const events: string[] = [];
    const server = createServer(async (request, response) => {
      events.push(JSON.parse(await text(request)).event);
      response.writeHead(200).end();
    });
    const port = await portOf(server);
    const script = `
      const { execFileSync } = require('node:child_process');
      const remit = (...argv) => execFileSync(process.execPath, [${JSON.stringify(BIN)}, ...argv], { encoding: 'utf8' });
      remit('sender', 'create', ...${JSON.stringify(senderFlags('customer-1'))});
      remit('tx', 'create', ...${JSON.stringify(paymentFlags('customer-1'))}, '--external-id', 'late');
      process.stdout.write(remit('sandbox', 'clock', 'advance', '61m', '--query', 'mode'));
      process.stdout.write(remit('tx', 'show', 'late', '--query', 'state'));
    `;
    const done = await exec(script, '--webhook', String(port));
    server.close();
    expect([done.code, done.stdout]).toEqual([0, 'standing\ncanceled\n']);
    expect(events).toEqual(['sender.created', 'sender.approved', 'transaction.created']);
  });

  const SIGNALS: [signal: NodeJS.Signals, code: number][] = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ];
  it.each(some(SIGNALS, 1))('%s ends both, with %i', async (signal, code) => {
    const program = start([
      ...['sandbox', 'exec', '--', process.execPath, '-e'],
      `${TELL}console.log(process.pid);setInterval(() => {}, 1000)`,
    ]);
    const url = await program.line((line) => line.startsWith('http'));
    const child = Number(await program.line((line) => /^\d+$/.test(line)));
    program.signal(signal);
    expect((await program.ended).code).toBe(code);
    expect(() => process.kill(child, 0)).toThrow('ESRCH');
    await expectGone(url);
  });
});

it('Ctrl-C in a terminal reaches the child once, and both end when it has tidied up', async () => {
  const script = `
    let heard = 0;
    process.on('SIGINT', () => { heard += 1; setTimeout(() => { console.log('heard ' + heard); process.exit(3); }, 150); });
    process.on('SIGTERM', () => console.log('told to end'));
    console.log('ready'); setInterval(() => {}, 1000);`;
  const terminal = openTerminal(['sandbox', 'exec', '--', process.execPath, '-e', script], env());
  await terminal.sees('ready');
  terminal.types(keys.ctrlC);
  expect(await terminal.exit).toBe(3);
  expect(terminal.screen()).toContain('heard 1');
  expect(terminal.screen()).not.toContain('told to end');
  expect(tokens()).toEqual([]);
});

async function startSandbox(...flags: string[]): Promise<{ program: Program; url: string }> {
  const program = start(['sandbox', 'start', '--port', '0', '--clock', 'standing', ...flags]);
  return { program, url: await program.line((line) => line.startsWith('http://')) };
}

describe('sandbox env', () => {
  it('is what a shell evaluates, on one line too, and leads to the sandbox that runs', async () => {
    expect((await remit('sandbox', 'env')).code).toBe(6);
    const { url } = await startSandbox();
    const script = `eval $("$NODE" "$BIN" sandbox env --shell bash) && "$NODE" "$BIN" whoami --fields source,base_url`;
    const ran = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env(), NODE: process.execPath, BIN, REMIT_PROFILE: 'local' },
    });
    expect([ran.stderr, ran.status]).toEqual(['', 0]);
    expect(ran.stdout).toBe(`environment\t${url}\n`);
  });

  it.runIf(isLong)(
    'names those that run where it cannot choose, and masks the secret on a terminal',
    async () => {
      await startSandbox();
      await startSandbox();
      const [fish, other] = [
        await remit('sandbox', 'env', '--shell', 'fish', '--profile', 'local-2'),
        await remit('sandbox', 'env', '--profile', 'elsewhere'),
      ];
      expect(fish.stdout).toMatch(/^set -gx REMIT_BASE_URL 'http:.*';\n[\s\S]*set -e REMIT_PROFILE;\n$/);
      expect([other.code, other.stderr]).toEqual([6, expect.stringContaining('there is local, local-2')]);
      const terminal = openTerminal(['sandbox', 'env'], env());
      await terminal.sees("REMIT_API_SECRET='••••'");
      expect(await terminal.exit).toBe(0);
    },
  );
});

describe('sandbox start', () => {
  it.runIf(isLong)(
    'keeps its token in a file of its owner alone, one for each sandbox, and takes it away',
    async () => {
      const [first, second] = [await startSandbox(), await startSandbox()];
      const file = ({ url }: { url: string }) => `${new URL(url).port}.token`;
      expect(tokens().sort()).toEqual([file(first), file(second)].sort());
      const [one, two] = [first, second].map((each) => join(home.dir, 'sandboxes', file(each)));
      expect(statSync(one ?? '').mode & 0o777).toBe(0o600);
      expect(readFileSync(one ?? '', 'utf8')).not.toBe(readFileSync(two ?? '', 'utf8'));
      expect((await remit('sandbox', 'clock', 'advance', '1h', '--profile', 'local-2')).code).toBe(0);
      const [here, there] = await Promise.all(
        ['local', 'local-2'].map((profile) =>
          remit('sandbox', 'clock', '--query', 'now', '--profile', profile),
        ),
      );
      const at = (run: typeof here) => Date.parse(run?.stdout.trim() ?? '');
      expect(at(there) - at(here)).toBeGreaterThan(3_500_000);
      const token = readFileSync(one ?? '', 'utf8');
      const other = temporaryHome();
      const account = { REMIT_BASE_URL: first.url, REMIT_API_KEY: 'k', REMIT_API_SECRET: 's' };
      const elsewhere = { REMIT_CONFIG_DIR: other.dir, HOME: other.dir };
      expect((await runRemit(['sandbox', 'clock'], { ...elsewhere, ...account })).code).toBe(4);
      other.remove();
      first.program.signal('SIGINT');
      await first.program.ended;
      expect(tokens()).toEqual([file(second)]);
      expect(first.program.stdout() + first.program.stderr()).not.toContain(token);
    },
  );

  it.runIf(isLong)('beyond this machine only with --allow-remote, and it says what that opens', async () => {
    const refused = await remit('sandbox', 'start', '--port', '0', '--host', '0.0.0.0');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--allow-remote')]);
    expect(refused.stderr).toContain('opens the sandbox to other machines');
    const { program, url } = await startSandbox('--host', '0.0.0.0', '--allow-remote');
    const { port } = new URL(url);
    expect((await fetch(`http://127.0.0.1:${port}/v1/accounts`)).status).toBe(401);
    expect((await remit('balance')).code).toBe(0);
    expect((await remit('sandbox', 'clock')).code).toBe(0);
    program.signal('SIGTERM');
    await program.ended;
    expect(program.stderr()).toContain('Open to other machines: 0.0.0.0');
    expect(program.stderr()).toMatch(/plain HTTP.*key and secret.*control token/s);
  });
});

describe('faults over a real socket', () => {
  let url: string;
  beforeEach(async () => {
    ({ url } = await startSandbox());
  });
  let nonces = 0;
  /** A client that knows nothing of remit's own. */
  const get = (path: string) => {
    const { profiles } = JSON.parse(readFileSync(join(home.dir, 'config.json'), 'utf8'));
    const { local: secret } = JSON.parse(readFileSync(join(home.dir, 'secrets.json'), 'utf8'));
    const target = `${url}${path}`;
    nonces += 1;
    const signing = { nonce: `plain-${nonces}`, method: 'GET', url: target };
    return fetch(target, { headers: signedHeaders({ key: profiles.local.key, secret }, signing) });
  };
  const fail = async (...flags: string[]) => expect((await remit('sandbox', 'fail', ...flags)).code).toBe(0);

  it.runIf(isLong)('refused, reset and lost are connection errors; the next call is answered', async () => {
    for (const fault of ['refused', 'reset-before-commit', 'response-lost']) {
      await fail(fault);
      await expect(get('/accounts'), fault).rejects.toThrow('fetch failed');
      expect((await get('/accounts')).status).toBe(200);
    }
  });

  it.runIf(isLong)('slow delays the answer', async () => {
    await fail('slow', '--delay', '300ms');
    const began = performance.now();
    expect((await get('/accounts')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(299);
  });

  it.runIf(isLong)('a 5xx on a read is tried again by the client', async () => {
    await fail('5xx', '--status', '502', '--operation', 'accounts.list');
    expect((await get('/accounts')).status).toBe(502);
    await fail('5xx', '--operation', 'accounts.list');
    expect((await remit('balance')).code).toBe(0);
    expect((await remit('sandbox', 'faults', '--fired', '--fields', 'what')).stdout).toBe(
      'accounts.list\naccounts.list\n',
    );
  });

  it('a payment whose answer is lost is settled by itself: applied, and paid once', async () => {
    await remit('sender', 'create', ...senderFlags('customer-1'));
    const pay = (externalId: string) => remit(...payArgv(undefined, '--external-id', externalId));
    const eur = async () => Number((await remit('balance', 'EUR', '--query', 'amount')).stdout);
    await pay('whole');
    const cost = 250_000 - (await eur());
    await fail('response-lost', '--operation', 'debits.create');
    const made = await pay('lost');
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout).data).toMatchObject({ external_id: 'lost', state: 'paid' });
    expect(await eur()).toBeCloseTo(250_000 - 2 * cost, 2);
    expect((await remit('sandbox', 'faults', '--fired', '--fields', 'fault')).stdout).toBe('response-lost\n');
    expect((await remit('history', '--limit', '1', '--fields', 'state')).stdout).toBe('applied\n');
  });
});
