/** The command line in process: argv in; stdout, stderr and exit code out; every request that the sandbox received. */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { type Transport, TransportError, type WireRequest } from '../../src/core/transport.ts';
import type { Process } from '../../src/frame/process.ts';
import { buildStreams } from '../../src/frame/terminal/streams.ts';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { main } from '../../src/program/main.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { machine } from './clock.ts';
import { memoryTransport } from './memory-transport.ts';
import { checkShapes } from './shapes.ts';

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
  stdin?: string | Readable;
  /** In place of one that is over at once. */
  sleep?: Process['sleep'];
  /** In place of one that takes everything. */
  stdout?: PassThrough;
  interrupt?: AbortSignal;
  /** As a clone, where it is not said. */
  from?: Process['installation']['from'];
  /** Requests leave over the network of this machine, and not to the sandbox in memory. */
  network?: boolean;
  /** Hears each request before it leaves, with all that stands on stderr by then. */
  onRequest?: (request: WireRequest, stderr: string) => void;
}

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** The requests of this run alone. */
  requests: Received[];
  json: <T = Record<string, unknown>>() => T;
  /** What the answer is about. */
  data: <T = Record<string, unknown>>() => T;
  /** The last line of stderr, where the output is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: errors are looked into freely by tests
  error: () => any;
}

/** What a request and its answer become on their way. */
export type Intercept = (request: WireRequest, next: Transport) => ReturnType<Transport>;

export interface Bench {
  sandbox: Sandbox;
  dir: string;
  /** From here on `intercept` stands between the client and the service, which is its `next`. */
  intercept(intercept: Intercept): void;
  /** Nothing stands between them any more. */
  restore(): void;
  /** The service itself. */
  direct: Transport;
  /** A command as it is typed, where no word of it needs quotes; else its words. */
  run(argv: string | readonly string[], options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
}

/** The answer is lost on its way, whether the request arrived or not. */
export const lost: Intercept = async () => {
  throw new TransportError('may_have_arrived', 'ECONNRESET', 'the connection was cut');
};
/** The request arrives, and its answer is lost. */
export const lostAfter: Intercept = async (request, next) => {
  await next(request);
  return lost(request, next);
};
/** Nothing leaves. */
export const unreachable: Intercept = async () => {
  throw new TransportError('not_sent', 'ECONNREFUSED', 'connection refused');
};
/** The service answers this to everything. */
export const answering =
  (status: number, body = ''): Intercept =>
  async () => ({ status, headers: {}, body });
/** `intercept` for those requests alone that `fits` picks out. */
export const only =
  (fits: (request: WireRequest) => boolean, intercept: Intercept): Intercept =>
  (request, next) =>
    fits(request) ? intercept(request, next) : next(request);

export const isWriteRequest = ({ method }: WireRequest): boolean => method !== 'GET';
/** A transaction is created, and not paid by that. */
export const isCreation = ({ method, url }: WireRequest): boolean =>
  method === 'POST' && url.endsWith('/v1/transactions');

/** Nothing that may change something is answered; a calculation is. */
export const writesLost = only(({ method, url }) => method === 'POST' && !url.endsWith('/calculate'), lost);

export interface UseBench {
  sandbox?: Partial<SandboxOptions>;
  /** The sender customer-1 is there. */
  sender?: boolean;
  /** One for all tests of the file; else a new one for each. */
  once?: boolean;
  setUp?: (bench: Bench) => Promise<unknown> | unknown;
}

/** The bench of a file's tests: made before, closed after. */
export function useBench({ sandbox, sender = false, once = false, setUp }: UseBench = {}): Bench {
  const bench = {} as Bench;
  const [before, after] = once ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    Object.assign(bench, await createBench(sandbox));
    if (sender) await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await setUp?.(bench);
  });
  after(() => bench.close());
  return bench;
}

/** The words of a command as it is typed, none of which needs quotes. */
export const words = (line: string): string[] => line.split(' ');

/** A sandbox in memory, a settings folder of its own, and `run`. */
export async function createBench(options: Partial<SandboxOptions> = {}): Promise<Bench> {
  const sandbox = await createSandbox({ credentials, seed: 7, controlToken, ...options });
  const dir = mkdtempSync(join(tmpdir(), 'remit-test-'));
  keepControlToken({ REMIT_CONFIG_DIR: dir }, baseUrl, controlToken);
  const received: Received[] = [];
  const direct = memoryTransport((request) => sandbox.fetch(request));
  let intercepted: Intercept = (request, next) => next(request);
  const recording: Transport = async (request) => {
    received.push(describe(request));
    const response = await intercepted(request, direct);
    await sandbox.drain();
    return response;
  };
  return {
    sandbox,
    dir,
    direct,
    intercept(intercept) {
      intercepted = intercept;
    },
    restore() {
      intercepted = (request, next) => next(request);
    },
    run: (argv, given = {}) =>
      run(typeof argv === 'string' ? words(argv) : argv, given, { dir, recording, received }),
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

/** The page of the console as it was built before the tests; an empty one where the program is looked at without its build. */
function builtPage(): { script: string; style: string } {
  const [script = '', style = ''] = ['page.js', 'page.css'].map((name) => {
    const file = new URL(`../../dist/console/${name}`, import.meta.url);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  });
  return { script, style };
}

const inputOf = (stdin: RunOptions['stdin']): Readable =>
  stdin instanceof Readable ? stdin : Readable.from(stdin === undefined ? [] : [stdin]);

const ROOT = join(import.meta.dirname, '../..');

/** As a clone has it. */
export const installation: Process['installation'] = {
  from: 'clone',
  self: [process.execPath, join(ROOT, 'bin', 'remit.js')],
  packaged(path) {
    const file = join(ROOT, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  },
};

/** Each run has dice of its own, and the same ones whenever a test runs alone again. */
let worlds = 0;

async function run(
  argv: readonly string[],
  options: RunOptions,
  at: { dir: string; recording: Transport; received: Received[] },
): Promise<Run> {
  const stdout = options.stdout ?? new PassThrough();
  const stderr = new PassThrough();
  const [out, err] = [options.stdout ? () => '' : collect(stdout), collect(stderr)];
  const tty = options.tty ?? false;
  const env: Process['env'] = {
    REMIT_BASE_URL: baseUrl,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: at.dir,
    ...options.env,
  };
  const host: Process = {
    installation: { ...installation, from: options.from ?? installation.from },
    env,
    streams: buildStreams({
      stdin: inputOf(options.stdin),
      stdout,
      stderr,
      stdinIsTerminal: tty,
      stdoutIsTerminal: tty,
      stderrIsTerminal: tty,
      columns: options.columns ?? 100,
      env: { NO_COLOR: '1', ...env },
    }),
    clock: machine,
    random: seededRandom(++worlds),
    nonce: randomUUID,
    newId: randomUUID,
    sleep: options.sleep ?? machine.sleep,
    zone: () => options.env?.TZ ?? 'UTC',
    cwd: at.dir,
    pid: process.pid,
    version: '0.0.0-test',
    page: builtPage,
    interrupt: options.interrupt ?? new AbortController().signal,
    ...(options.network !== true && {
      transport: (request: WireRequest) => {
        options.onRequest?.(request, err());
        return at.recording(request);
      },
    }),
  };
  const before = at.received.length;
  const code = await main(argv, host);
  if (env.REMIT_FIELDS === undefined && env.REMIT_QUERY === undefined) checkShapes(argv, out());
  return {
    code,
    stdout: out(),
    stderr: err(),
    requests: asked(at.received.slice(before)),
    json: () => JSON.parse(out() || err()),
    data: () => JSON.parse(out() || err()).data,
    error: () => JSON.parse(err().trim().split('\n').at(-1) ?? '').error,
  };
}

/**
 * What the command itself asked. Before the first write of a process a read shows that its key is accepted, and after a refusal that
 * the service answers (client/key-check.ts): these reads are left out.
 */
const asked = (received: Received[]): Received[] =>
  received.filter(
    ({ method, path }, index) =>
      !(
        method === 'GET' &&
        path === '/webhooks/events' &&
        [received[index - 1], received[index + 1]].some(isWrite)
      ),
  );

const isWrite = (received: Received | undefined): boolean =>
  received !== undefined && received.method !== 'GET';

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
export const paymentFlags = (sender: string, account?: string): string[] => [
  '--input-currency',
  'EUR',
  '--amount',
  '25000',
  '--type',
  'NGN::Bank',
  '--sender',
  sender,
  ...bankDetails(account),
];

export const bankDetails = (account = '0123456700'): string[] =>
  ['first_name=Ada', 'last_name=Obi', 'bank_code=044', `bank_account=${account}`].flatMap((pair) => [
    '--detail',
    pair,
  ]);

/** Argv that creates such a payment of customer-1. */
export const createArgv = (account?: string, ...more: string[]): string[] => [
  ...['tx', 'create', ...paymentFlags('customer-1', account), '-o', 'json', ...more],
];

/** And funds it. */
export const payArgv = (account?: string, ...more: string[]): string[] =>
  createArgv(account, '--fund', '--max-input', '20', ...more);

export const collectionFlags = (flow = 'ussd_popup', phone = '+233302123400'): string[] => [
  ...['--payin', 'GHS::Mobile', '--payin-flow', flow, '--amount', '50', '--payin-detail'],
  ...[`phone_number=${phone}`, '--type', 'GHS::Balance', '--sender', 'customer-1'],
];

/** The body of such a payment, as a file or a raw call has it. */
export const paymentJson = (...accounts: string[]) => ({
  input_currency: 'EUR',
  sender: { external_id: 'customer-1' },
  recipients: (accounts.length === 0 ? ['0123456700'] : accounts).map((bank_account) => ({
    type: 'person',
    requested_amount: '25000',
    requested_currency: 'NGN',
    payout_method: {
      type: 'NGN::Bank',
      details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account },
    },
  })),
});

/** Argv of a login to the sandbox; its secret is given otherwise. */
export const loginArgv = (...more: string[]): string[] => [
  ...['login', '--base-url', baseUrl, '--key', credentials.key, ...more],
];

/** The environment names no account: what is kept in profiles counts. */
export const noAccount = { REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined };

/** The requests of a run that may have changed something. */
export const writesOf = ({ requests }: Run): Received[] => requests.filter(({ method }) => method !== 'GET');
