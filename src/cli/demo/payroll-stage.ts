/**
 * The stage of `remit demo payroll`: a sandbox on a free port, a settings folder of its own, and this program
 * as child processes that know nothing else. All of it is gone afterwards, whatever happens.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../client/client.ts';
import { createNetworkTransport } from '../../client/network-transport.ts';
import { Problem } from '../../core/problem.ts';
import { listen } from '../../sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import type { World } from '../world.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface PayrollStage {
  client: Client;
  baseUrl: string;
  /** Keeps a file in the folder, and says where. */
  keep(name: string, text: string): string;
  /** Runs this program to its end. */
  remit(argv: readonly string[]): Promise<Ended>;
  /** The same, killed when so many payments have arrived: the last of them is made, and its answer reaches nobody. */
  remitKilledAt(payments: number, argv: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

export async function setPayrollStage(world: World): Promise<PayrollStage> {
  const folder = mkdtempSync(join(tmpdir(), 'remit-demo-'));
  const children = new Children(world, folder);
  // Also where a second Ctrl-C ends the process at once.
  const tidy = (): void => {
    children.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', tidy);
  const closers: (() => unknown)[] = [
    () => {
      process.off('exit', tidy);
      tidy();
    },
  ];
  const close = async (): Promise<void> => {
    await children.end();
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const { service, baseUrl, credentials } = await openService(world, closers);
    children.account = {
      REMIT_BASE_URL: baseUrl,
      REMIT_API_KEY: credentials.key,
      REMIT_API_SECRET: credentials.secret,
    };
    const network = await createNetworkTransport();
    closers.push(() => network.close());
    const { clock, random, newId: nonce, sleep } = world;
    return {
      client: createClient({ baseUrl, credentials, transport: network.send, clock, random, nonce, sleep }),
      baseUrl,
      keep(name, text) {
        const path = join(folder, name);
        writeFileSync(path, text);
        return path;
      },
      remit: (argv) => children.run(argv),
      async remitKilledAt(payments, argv) {
        service.onPayment = async (number) => {
          if (number === payments) await children.end();
        };
        return children.run(argv);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Watched {
  /** Hears of each payment that arrives, before anything is done about it. */
  onPayment(number: number): Promise<void>;
}

async function openService(world: World, closers: (() => unknown)[]) {
  const credentials = {
    key: `demo-${randomBytes(4).toString('hex')}`,
    secret: randomBytes(24).toString('hex'),
  };
  const sandbox = await createSandbox({
    credentials,
    clock: { mode: 'standing', start: world.clock.now() },
    seed: 'demo',
  });
  closers.push(() => sandbox.close());
  const service: Watched = { onPayment: async () => {} };
  const listening = await listen(watched(sandbox, service), { port: 0 });
  closers.push(() => listening.close());
  return { service, baseUrl: listening.url, credentials };
}

function watched(sandbox: Sandbox, service: Watched): Sandbox {
  let arrived = 0;
  return {
    ...sandbox,
    async handle(request) {
      if (request.url.endsWith('/create_and_fund')) await service.onPayment(++arrived);
      return sandbox.handle(request);
    },
  };
}

/** One after the other; none outlives the demo. */
class Children {
  account: Readonly<Record<string, string>> = {};
  readonly #world: World;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(world: World, folder: string) {
    this.#world = world;
    this.#folder = folder;
  }

  async run(argv: readonly string[]): Promise<Ended> {
    const { interrupt } = this.#world;
    if (interrupt.aborted) throw stopped();
    const kill = (): void => this.kill();
    interrupt.addEventListener('abort', kill, { once: true });
    const running = this.#start(argv);
    this.#ended = running.catch(() => {});
    try {
      const ended = await running;
      if (interrupt.aborted) throw stopped();
      return ended;
    } finally {
      interrupt.removeEventListener('abort', kill);
      this.#child = undefined;
    }
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async end(): Promise<void> {
    this.kill();
    await this.#ended;
  }

  #start(argv: readonly string[]): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [process.argv[1] ?? '', ...argv], {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: this.#folder,
        env: { ...withoutOurs(this.#world.env), ...this.account, REMIT_CONFIG_DIR: this.#folder },
      });
      this.#child = child;
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.once('error', reject);
      child.once('close', (code, signal) => {
        const [stdout = '', stderr = ''] = [out, err].map((chunks) => Buffer.concat(chunks).toString('utf8'));
        resolve({ code, signal, stdout, stderr });
      });
    });
  }
}

/** Whatever is set for the real account does not count here. */
const withoutOurs = (env: World['env']): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('REMIT_')));

const stopped = (): Problem =>
  new Problem({
    category: 'interrupted',
    code: 'interrupted',
    message: 'the demo was stopped; nothing of it is left',
  });
