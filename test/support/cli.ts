/** The command line in process: argv in; stdout, stderr and exit code out; every request that the sandbox received. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import { buildStreams } from '../../src/cli/terminal/streams.ts';
import type { World } from '../../src/cli/world.ts';
import type { Transport, WireRequest } from '../../src/core/ports/transport.ts';
import { seededRandom } from '../../src/core/random.ts';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { memoryTransport } from './memory-transport.ts';

export const credentials = { key: 'key_test_7f3c', secret: 'made-up-secret-for-tests' };
export const baseUrl = 'http://127.0.0.1:4010/v1';
export const controlToken = 'made-up-control-token-for-tests';

export interface Received {
  method: string;
  path: string;
  query: string;
  body: unknown;
}

export interface RunOptions {
  env?: Record<string, string | undefined>;
  /** Both output streams and the input are a terminal. */
  tty?: boolean;
  columns?: number;
  stdin?: string;
  /** In place of one that takes everything. */
  stdout?: PassThrough;
  interrupt?: AbortSignal;
}

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** The requests of this run alone. */
  requests: Received[];
  json: <T = Record<string, unknown>>() => T;
}

export interface Bench {
  sandbox: Sandbox;
  dir: string;
  transport: { current: Transport };
  run(argv: string[], options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
}

/** A sandbox in memory, a settings folder of its own, and `run`. */
export async function createBench(options: Partial<SandboxOptions> = {}): Promise<Bench> {
  const sandbox = await createSandbox({ credentials, seed: 7, controlToken, ...options });
  const dir = mkdtempSync(join(tmpdir(), 'remit-test-'));
  keepControlToken({ REMIT_CONFIG_DIR: dir }, baseUrl, controlToken);
  const received: Received[] = [];
  const direct = memoryTransport((request) => sandbox.fetch(request));
  const transport = { current: direct };
  const recording: Transport = async (request) => {
    received.push(describe(request));
    const response = await transport.current(request);
    await sandbox.drain();
    return response;
  };
  return {
    sandbox,
    dir,
    transport,
    run: (argv, given = {}) => run(argv, given, { dir, recording, received }),
    async close() {
      await sandbox.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The bytes of a snapshot are left as they are. */
function describe({ method, url, body, binary }: WireRequest): Received {
  const { pathname, search } = new URL(url);
  return {
    method,
    path: pathname.replace(/^\/v1/, ''),
    query: decodeURIComponent(search),
    body: body === undefined || binary ? body : JSON.parse(body),
  };
}

async function run(
  argv: string[],
  options: RunOptions,
  at: { dir: string; recording: Transport; received: Received[] },
): Promise<Run> {
  const stdout = options.stdout ?? new PassThrough();
  const stderr = new PassThrough();
  const [out, err] = [options.stdout ? () => '' : collect(stdout), collect(stderr)];
  const tty = options.tty ?? false;
  const env = {
    REMIT_BASE_URL: baseUrl,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: at.dir,
    ...options.env,
  };
  const world: World = {
    env,
    streams: buildStreams({
      stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
      stdout,
      stderr,
      stdinIsTerminal: tty,
      stdoutIsTerminal: tty,
      stderrIsTerminal: tty,
      columns: options.columns ?? 100,
      env: { NO_COLOR: '1', ...env },
    }),
    clock: { now: () => Date.now() },
    random: seededRandom(randomUUID()),
    nonce: randomUUID,
    newId: randomUUID,
    sleep: async () => {},
    zone: () => options.env?.TZ ?? 'UTC',
    cwd: at.dir,
    pid: process.pid,
    version: '0.0.0-test',
    interrupt: options.interrupt ?? new AbortController().signal,
    transport: at.recording,
  };
  const before = at.received.length;
  const code = await main(argv, world);
  // No process begins in the millisecond in which another ended.
  for (const ended = Date.now(); Date.now() === ended; )
    await new Promise((resolve) => setImmediate(resolve));
  return {
    code,
    stdout: out(),
    stderr: err(),
    requests: at.received.slice(before),
    json: () => JSON.parse(out() || err()),
  };
}

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  return () => text;
}

export const person = {
  first_name: 'Ines',
  last_name: 'Marques',
  country: 'PT',
  city: 'Lisboa',
  street: 'Rua do Ouro 12',
  postal_code: '1100-061',
  phone_country: 'PT',
  phone_number: '912345678',
  email: 'ines@example.com',
  birth_date: '1990-04-12',
  ip: '203.0.113.7',
};

/** Flags of a sender that the sandbox accepts. */
export const senderFlags = (externalId: string): string[] => [
  '--external-id',
  externalId,
  ...Object.entries(person).flatMap(([name, value]) => ['--field', `${name}=${value}`]),
];

/** Flags of an NGN::Bank payment; how the account ends decides what the sandbox's bank does. */
export const paymentFlags = (sender: string, account = '0123456700'): string[] => [
  '--input-currency',
  'EUR',
  '--amount',
  '25000',
  '--type',
  'NGN::Bank',
  '--sender',
  sender,
  ...['first_name=Ada', 'last_name=Obi', 'bank_code=044', `bank_account=${account}`].flatMap((pair) => [
    '--detail',
    pair,
  ]),
];
