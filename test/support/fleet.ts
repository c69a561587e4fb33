/**
 * A small fleet as it is run in production, of real processes: three listeners behind haproxy with TLS, three workers, one PostgreSQL for
 * all of them, and a sandbox that delivers to them. Their clocks are 30 s apart.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedHeaders } from '../../src/contract/signing.ts';
import { sleep } from '../../src/core/clock.ts';
import { senderFlags } from './cli.ts';
import { real } from './clock.ts';
import { freePort } from './fire-listener.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { credentialsIn, is } from './listen-runs.ts';
import { PATIENCE_MS } from './patience.ts';
import type { AuditedService } from './payrun-audit.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { type Program, runRemit, startRemit, temporaryHome } from './program.ts';
import { ask } from './prometheus.ts';
import type { Json } from './sandbox.ts';
import { TLS_FIXTURES } from './tls.ts';

const APART_MS = 30_000;
const MEMBERS = 3;
const EVENTS = ['recipient.pending', 'recipient.paid_out'];

/** A listener or a worker of the fleet, at its place: each start there is another process. */
export interface Member {
  name: string;
  admin: string;
  argv: readonly string[];
  env: Record<string, string>;
  program: Program;
}

export interface Restarted {
  name: string;
  /** From SIGTERM to its end, and from its start until it is ready. */
  endMs: number;
  readyMs: number;
  code: number | null;
}

export interface FleetOptions {
  /** The handler that listeners hand on to. */
  handler: string;
  perSecond: number;
}

export class Fleet {
  readonly postgres: PostgresServer;
  readonly home: ReturnType<typeof temporaryHome>;
  listeners: Member[] = [];
  workers: Member[] = [];
  #sandbox: Program | undefined;
  #haproxy: Haproxy | undefined;
  #base = '';
  #nonces = 0;

  private constructor(postgres: PostgresServer) {
    this.postgres = postgres;
    this.home = temporaryHome();
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(await startPostgres({ quick: false }));
    try {
      await fleet.#start(options);
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  get members(): Member[] {
    return [...this.listeners, ...this.workers];
  }

  /** Lines of the log of haproxy with an answer of 5xx. */
  get refusals(): string[] {
    const said = this.#haproxy?.program.stderr().split('\n') ?? [];
    return said.filter((line) => / 5\d\d \d+ - /.test(line));
  }

  #env(more: Record<string, string> = {}): Record<string, string> {
    return {
      HOME: this.home.dir,
      REMIT_CONFIG_DIR: this.home.dir,
      NODE_EXTRA_CA_CERTS: join(TLS_FIXTURES, 'ca.pem'),
      ...more,
    };
  }

  /** A command of the fleet's operator. */
  async remit(...argv: string[]): Promise<Json> {
    const { code, stdout, stderr } = await runRemit(
      [...argv, '-o', 'json'],
      this.#env({ REMIT_STORE: this.postgres.url }),
    );
    if (code !== 0) throw new Error(`remit ${argv.join(' ')} ended with ${code}: ${stderr}`);
    return stdout === '' ? undefined : JSON.parse(stdout).data;
  }

  async #start({ handler, perSecond }: FleetOptions): Promise<void> {
    this.#sandbox = startRemit(['sandbox', 'start', '--port', '0', '-o', 'ndjson'], this.#env());
    this.#base = JSON.parse(await this.#sandbox.line(is('ready'))).data.url;
    await this.remit('sender', 'create', ...senderFlags('customer-1'));
    const port = await freePort();
    const url = `https://127.0.0.1:${port}/remit`;
    await this.remit('webhooks', 'add', url, ...EVENTS.flatMap((event) => ['--event', event]));
    const places = await Promise.all(
      Array.from({ length: 2 * MEMBERS }, async () => ({
        port: await freePort(),
        adminPort: await freePort(),
      })),
    );
    this.#haproxy = await startHaproxy(port, places.slice(0, MEMBERS));
    const apart = join(this.home.dir, 'apart.cjs');
    writeFileSync(apart, APART);
    for (const [at, place] of places.entries()) {
      const admin = `127.0.0.1:${place.adminPort}`;
      const isListener = at < MEMBERS;
      const listen = [
        'webhooks',
        'listen',
        '--no-register',
        '--port',
        String(place.port),
        '--path',
        '/remit',
      ];
      const through = ['--trust-proxy', '--public-url', url, '--forward-to', handler];
      const work = ['batch', 'work', '--yes', '--in-flight', '8', '--per-second', String(perSecond)];
      const member = {
        name: `${isListener ? 'listener' : 'worker'} ${(at % MEMBERS) + 1}`,
        admin: `http://${admin}`,
        argv: [...(isListener ? [...listen, ...through] : work), '--admin', admin, '--log', 'json'],
        env: this.#env({
          REMIT_STORE: this.postgres.url,
          NODE_OPTIONS: `--require=${apart}`,
          APART_MS: String(((at % MEMBERS) - 1) * APART_MS),
        }),
      };
      const program = startRemit(member.argv, member.env);
      (isListener ? this.listeners : this.workers).push({ ...member, program });
    }
    for (const member of this.members) await isReady(member);
  }

  /** Reads of the sandbox, beside remit. */
  readonly call: AuditedService['call'] = async (method, path) => {
    const url = `${this.#base}${path}`;
    const nonce = `auditor-${this.#nonces++}`;
    const headers = signedHeaders(credentialsIn(this.home.dir), { nonce, method, url });
    const response = await fetch(url, { method, headers });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };

  async service(): Promise<AuditedService> {
    const state = await this.state();
    return { call: this.call, sandbox: { control: { state: () => state } } };
  }

  async state(): Promise<Json> {
    return this.remit('sandbox', 'state');
  }

  /** As an operator does it: told to end, awaited, started again, and the next only when this one is ready. */
  async restart(member: Member): Promise<Restarted> {
    const from = real.now();
    member.program.signal('SIGTERM');
    const { code } = await member.program.ended;
    const ended = real.now();
    member.program = startRemit(member.argv, member.env);
    await isReady(member);
    return { name: member.name, code, endMs: ended - from, readyMs: real.now() - ended };
  }

  /** Exit codes of all members, told to end. */
  async end(): Promise<(number | null)[]> {
    for (const { program } of this.members) program.signal('SIGTERM');
    return Promise.all(this.members.map(async ({ program }) => (await program.ended).code));
  }

  async stop(): Promise<void> {
    const programs = [
      ...this.members.map(({ program }) => program),
      ...(this.#sandbox ? [this.#sandbox] : []),
    ];
    for (const program of programs) program.signal('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    await this.#haproxy?.stop();
    await this.postgres.stop();
    rmSync(this.home.dir, { recursive: true, force: true });
  }
}

/** Moves the clock that a program sees by APART_MS, as on a machine whose clock is wrong; timers run as they do. */
const APART = `
const apart = Number(process.env.APART_MS);
const Right = Date;
globalThis.Date = class Date extends Right {
  constructor(...given) {
    if (given.length === 0) super(Right.now() + apart);
    else super(...given);
  }
  static now() {
    return Right.now() + apart;
  }
};
`;

/** As a proxy would ask, only more often: nothing tells it by itself. */
const ASK_EVERY_MS = 50;

/** Resolves when its `/readyz` says so. @throws with what it said, where it ends before, or is not ready in time */
export async function isReady({ admin, program, name }: Member): Promise<void> {
  const until = real.now() + PATIENCE_MS;
  for (;;) {
    const { status, text } = await ask(`${admin}/readyz`).catch((error: Error) => ({
      status: 0,
      text: error.message,
    }));
    if (status === 200) return;
    const { exitCode } = program.process;
    if (exitCode !== null || real.now() > until)
      throw new Error(`${name} is not ready: ${text}, exit code ${exitCode}\n${program.stderr()}`);
    await sleep(ASK_EVERY_MS);
  }
}
