/** No HOME and no entry for the user, or an empty HOME: the three variables are enough, and the current folder stays empty. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paintFor } from '../../src/frame/terminal/paint.ts';
import { configDir } from '../../src/profiles/paths.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { toldLine } from '../../src/webhooks/cli/webhooks/listen/teller.ts';
import { runProgram } from '../../src/webhooks/intake/run-program.ts';
import type { KeptDelivery } from '../../src/webhooks/store/port.ts';
import type { ListenEvent } from '../../src/webhooks/told.ts';
import { credentials, paymentFlags, senderFlags } from '../support/cli.ts';
import { some } from '../support/long.ts';

const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
/** Of nobody: root alone can be one, and the program's folder must be readable for everybody. */
const NOBODY = 54_321;
const isOpen = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)));
const CAN_BE_NOBODY = process.getuid?.() === 0 && isOpen(dirname(BIN)) && isOpen(dirname(process.execPath));

let sandbox: Sandbox;
let service: Listening;
let cwd: string;
let temporary: string;
beforeAll(async () => {
  sandbox = await createSandbox({ credentials, seed: 3 });
  service = await listen(sandbox, { port: 0 });
  cwd = mkdtempSync(join(tmpdir(), 'remit-cwd-'));
  temporary = mkdtempSync(join(tmpdir(), 'remit-tmp-'));
  chmodSync(cwd, 0o777);
  chmodSync(temporary, 0o1777);
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
  for (const folder of [cwd, temporary]) rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  output: string;
}
const run = (argv: readonly string[], env: Record<string, string>): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...argv], {
      cwd,
      uid: NOBODY,
      gid: NOBODY,
      env: { PATH: process.env.PATH ?? '', TMPDIR: temporary, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text.toString();
      });
    child.on('close', (code) => resolve({ code, output }));
  });
const connected = (): Record<string, string> => ({
  REMIT_BASE_URL: service.url,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
});

describe.runIf(CAN_BE_NOBODY).each(
  some<[string, Record<string, string>]>(
    [
      ['no HOME', {}],
      ['an empty HOME', { HOME: '' }],
      ['half a HOME', { HOME: 'here' }],
      ['half an XDG_CONFIG_HOME', { XDG_CONFIG_HOME: 'here' }],
    ],
    1,
  ),
)('%s, and nobody in the list of users', (name, home) => {
  it('reads and pays with the three variables, and writes nothing below the current folder', async () => {
    const env = { ...connected(), ...home };
    const id = `homeless-${name.replaceAll(' ', '-')}`;
    for (const argv of [
      ['tx', 'list'],
      ['balance'],
      ['sender', 'create', ...senderFlags(id)],
      ['tx', 'create', ...paymentFlags(id), '--external-id', id, '--fund', '--max-input', '20'],
      ['history'],
    ]) {
      const { code, output } = await run(argv, env);
      expect([code, output.includes('a defect')], `${argv.join(' ')}\n${output}`).toEqual([0, false]);
      // What writes says where its journal lies.
      expect(output.includes('REMIT_CONFIG_DIR'), argv.join(' ')).toBe(argv.includes('create'));
    }
    expect(readdirSync(cwd)).toEqual([]);
    expect(statSync(join(temporary, `remit-${NOBODY}`)).mode & 0o777).toBe(0o700);
  });

  it.runIf(name === 'no HOME')('pays nothing in production: its journal would be lost', async () => {
    const env = { ...connected(), ...home, REMIT_BASE_URL: 'https://api.example.com/v1' };
    const account = ['--yes', '--live', `key:${credentials.key.slice(-4)}`];
    const { code, output } = await run(['api', 'POST', '/transfers', '--data', '{}', ...account], env);
    expect([code, output]).toEqual([78, expect.stringContaining('REMIT_CONFIG_DIR')]);
    expect(output).toContain('the journal would lie in a temporary folder');
  });

  it('without the variables: 78, in words', async () => {
    const { code, output } = await run(['balance'], home);
    expect([code, output]).toEqual([78, expect.stringContaining('no profile yet')]);
  });
});

describe.runIf(CAN_BE_NOBODY)('the folder in its place', () => {
  it.each([
    ['is a link', (path: string) => symlinkSync(cwd, path)],
    ['belongs to another user', (path: string) => void mkdirSync(path, { mode: 0o755 })],
  ])('%s: 78', async (_, plant) => {
    const path = join(temporary, `remit-${NOBODY}`);
    rmSync(path, { recursive: true, force: true });
    plant(path);
    const { code } = await run(
      ['tx', 'create', ...paymentFlags('homeless-no-HOME'), '--fund', '--max-input', '20'],
      connected(),
    );
    rmSync(path, { recursive: true, force: true });
    expect([code, readdirSync(cwd)]).toEqual([78, []]);
  });
});

it('half a path is passed over', () => {
  expect(configDir({ HOME: '/h', XDG_CONFIG_HOME: 'here' })).not.toContain('here');
  expect(configDir({ HOME: '' })).toMatch(/^(?:\/|[A-Z]:)/);
});

describe('an id of 200 kB', () => {
  const id = 'x'.repeat(200_000);

  it('starts the program of --exec, whose input has it whole', async () => {
    const said: string[] = [];
    const hand = runProgram({
      command: [
        process.execPath,
        '-e',
        `let n = 0; process.stdin.on('data', (d) => n += d.length)
          .on('end', () => console.log(n, 'WEBHOOK_OBJECT_ID' in process.env, process.env.WEBHOOK_EVENT))`,
      ],
      cwd: tmpdir(),
      env: { PATH: process.env.PATH },
      clock: { now: () => 0 },
      timeoutMs: 20_000,
      onOutput: (text) => said.push(text),
    });
    const delivery = {
      id: 'd',
      event: 'recipient.paid',
      objectId: id,
      body: Buffer.from(id),
    } as unknown as KeptDelivery;
    expect(await hand(delivery, 1)).toMatchObject({ ok: true, answer: 'exit 0' });
    expect(said.join('')).toBe('200000 false recipient.paid\n');
  });

  it.each([true, false])('is cut on the line of a listener (terminal: %s)', (terminal) => {
    const told = {
      received_at: '2026-01-02T03:04:05Z',
      event: id,
      object_id: id,
      object: { state: id },
      attempts: 0,
    };
    const line = toldLine(
      { ...told, signature: 'valid', latency_ms: null, forward_error: null } as unknown as ListenEvent,
      { terminal, paint: paintFor(false), columns: 200 },
    );
    expect(line.length).toBeLessThan(1_000);
    expect(line).toContain('(200000 characters)');
  });
});
