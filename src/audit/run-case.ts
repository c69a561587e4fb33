/**
 * One case: a fresh sandbox and a fresh folder, the program from its first start to its last, and then time enough for everything that it asked for
 * to be paid, sent back or given up. Nothing of a case is seen by another one.
 */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createNetworkTransport } from '../client/network-transport.ts';
import { type Clock, sleep } from '../core/clock.ts';
import type { Transport } from '../core/transport.ts';
import { type End, runToEnd } from '../frame/run-to-end.ts';
import { type Listening, listen, type ServedSandbox } from '../sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { registerEndpoint } from '../sandbox/wired.ts';
import type { AuditCase } from './case.ts';
import { type Delivered, deliveringTo } from './deliveries.ts';
import type { Gate } from './gate.ts';
import { wayInfo } from './loss-modes.ts';
import { ledgerTransfer, type Transfer } from './payments.ts';
import { untilReady } from './ready.ts';
import { Relay, type RelayedRequest } from './relay.ts';
import type { Unstable } from './writes.ts';

export interface Program {
  /** Without a shell between. */
  command: readonly string[];
  before?: readonly string[] | undefined;
  after?: readonly string[] | undefined;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Other names for what it is given: name to `url`, `key`, `secret` or `host`. */
  names: Readonly<Record<string, 'url' | 'key' | 'secret' | 'host'>>;
  /** True where each case works in a copy of the folder. */
  isCopied: boolean;
  /** The address that gets its webhooks. */
  webhook?: string | undefined;
  /** The same address as the program knows it, behind a proxy or in a container: webhooks are signed for it, and nothing is sent to it. */
  publicUrl?: string | undefined;
  /** The program is started, or triggered, when this address answers. */
  ready?: string | undefined;
  /** The longest that one start may take. */
  limitMs: number;
  /** Set where the program runs on by itself: the command makes it work, and it is over when no request came for so long. */
  attached?: { gate: Gate; idleMs: number } | undefined;
  /** Starts at most: it is started again where it was killed, or did not end with 0. */
  starts: number;
}

export interface ProgramEnd extends End {
  ms: number;
}

export interface CaseRun {
  case: AuditCase;
  exchanges: readonly RelayedRequest[];
  endings: readonly ProgramEnd[];
  payments: readonly Transfer[];
  deliveries: readonly Delivered[];
  /** True where every fault of the case met what it was meant for. */
  isMet: boolean;
  /** The last lines that the program printed. */
  printed: string;
  /** `--before` or `--after` that did not end with 0, and how it ended; or why the program was not ready. */
  broken?: string | undefined;
}

export interface CaseWish {
  program: Program;
  case: AuditCase;
  unstable: Unstable;
  /** The ids of the service follow from it. */
  seed: string;
  clock: Clock;
  signal: AbortSignal;
}

/** The same in every case: a service that runs on is given it once. It opens nothing but these sandboxes. */
export const ACCOUNT = { key: 'audit-key-0001', secret: 'audit-secret-of-a-sandbox' };

/** In between two starts: another minute, and past the hour in which a payment can be funded. */
const BETWEEN_MS = [60_000, 70 * 60_000];
/** Payouts end or come back within a day; then nothing moves any more. */
const AFTERWARDS_MS = 3 * 86_400_000;
const PRINTED = 2_000;

export async function runCase(wish: CaseWish): Promise<CaseRun> {
  const folder = mkdtempSync(join(tmpdir(), 'remit-audit-'));
  const network = await createNetworkTransport();
  const deliveries: Delivered[] = [];
  const { webhook, publicUrl, ready } = wish.program;
  const sandbox = await sandboxFor(
    wish,
    deliveringTo({
      ...{ case: wish.case, deliveries, send: network.send, moment: () => relay.moment },
      through: webhook !== undefined && publicUrl !== undefined ? { publicUrl, webhook } : undefined,
    }),
  );
  if (wish.program.isCopied) copyFolder(wish.program.cwd, workIn(folder));
  let stop = new AbortController();
  const relay: Relay = new Relay({
    handle: (request) => sandbox.handle(request),
    case: wish.case,
    unstable: wish.unstable,
    now: () => wish.clock.now(),
    kill: () => stop.abort('killed'),
    patienceMs: wish.program.limitMs,
  });
  const port = await portFor(wish.program, { ...sandbox, handle: (request) => relay.handle(request) });
  try {
    if (webhook !== undefined) await registerEndpoint(sandbox, port.url, publicUrl ?? webhook);
    const stage = { wish, folder, sandbox, url: port.url };
    const told = { printed: '' };
    let broken = await runBeside(stage, wish.program.before, told);
    const endings: ProgramEnd[] = [];
    for (let start = 1; broken === undefined && start <= wish.program.starts; start++) {
      relay.start = start;
      if (ready !== undefined)
        broken = await untilReady({
          ...{ url: ready, send: network.send },
          ...{ signal: wish.signal, limitMs: wish.program.limitMs },
        });
      if (broken !== undefined) break;
      stop = new AbortController();
      const ending = await runOnce(stage, stop, told);
      if (wish.program.attached) await untilQuiet(wish, relay, wish.program.attached.idleMs);
      endings.push(ending);
      if (ending.ok || wish.signal.aborted) break;
      if (start < wish.program.starts) await sandbox.advance(BETWEEN_MS[start - 1] ?? BETWEEN_MS[0] ?? 0);
    }
    const late = broken ?? (await runBeside(stage, wish.program.after, told));
    await port.close();
    await sandbox.advance(AFTERWARDS_MS);
    sandbox.audit();
    const wanted = wish.case.filter(({ way }) => wayInfo(way).place !== 'webhook');
    return {
      case: wish.case,
      exchanges: relay.exchanges,
      endings,
      payments: [...sandbox.payouts()].map(ledgerTransfer),
      deliveries,
      isMet: wanted.every((fault) => relay.met.has(fault)),
      printed: told.printed,
      broken: late,
    };
  } finally {
    await port.close();
    await sandbox.close();
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A port of the case's own, or the one that all cases have. */
async function portFor(
  { attached }: Program,
  sandbox: ServedSandbox,
): Promise<Pick<Listening, 'url' | 'close'>> {
  if (attached === undefined) return listen(sandbox, { port: 0 });
  attached.gate.serve(sandbox);
  return { url: attached.gate.url, close: async () => undefined };
}

const LOOK_MS = 50;

/** The longest that is waited for is what one start may take. */
async function untilQuiet({ program, signal }: CaseWish, relay: Relay, idleMs: number): Promise<void> {
  let last = relay.lastAt;
  let quietMs = 0;
  for (let ms = 0; quietMs < idleMs && ms < program.limitMs && !signal.aborted; ms += LOOK_MS) {
    await sleep(LOOK_MS, signal);
    quietMs = relay.lastAt === last ? quietMs + LOOK_MS : 0;
    last = relay.lastAt;
  }
}

async function sandboxFor(
  { program, case: faults, seed, clock }: CaseWish,
  transport: Transport,
): Promise<Sandbox> {
  const sandbox = await createSandbox({
    credentials: ACCOUNT,
    seed,
    clock: { mode: 'standing', machine: clock, start: clock.now() },
    transport,
    deliverTo: program.publicUrl === undefined ? [] : [new URL(program.publicUrl).hostname],
  });
  for (const { way } of faults) {
    if (way === 'webhook-first') await sandbox.control.ask('sandbox.faults.arm', { body: { fault: way } });
    if (way === 'webhook-twice')
      await sandbox.control.ask('sandbox.faults.arm', { body: { fault: 'webhook-duplicate' } });
  }
  return sandbox;
}

interface Stage {
  wish: CaseWish;
  folder: string;
  sandbox: Sandbox;
  url: string;
}

async function runOnce(stage: Stage, stop: AbortController, told: { printed: string }): Promise<ProgramEnd> {
  const { wish } = stage;
  const from = wish.clock.now();
  const interrupted = (): void => stop.abort('interrupted');
  wish.signal.addEventListener('abort', interrupted);
  if (wish.signal.aborted) interrupted();
  const end = await runToEnd({
    ...placeOf(stage),
    command: wish.program.command,
    input: '',
    timeoutMs: wish.program.limitMs,
    onOutput: hearing(told),
    stop: stop.signal,
    isWhole: true,
  });
  wish.signal.removeEventListener('abort', interrupted);
  return { ...end, ms: wish.clock.now() - from };
}

/** How it ended, where that was not with 0. */
async function runBeside(
  stage: Stage,
  command: readonly string[] | undefined,
  told: { printed: string },
): Promise<string | undefined> {
  if (command === undefined) return undefined;
  const own = { printed: '' };
  const end = await runToEnd({
    ...placeOf(stage),
    command,
    input: '',
    timeoutMs: stage.wish.program.limitMs,
    onOutput: hearing(own),
    stop: stage.wish.signal,
    isWhole: true,
  });
  if (end.ok) return undefined;
  told.printed = own.printed;
  return `${command.join(' ')} ended with ${end.answer}`;
}

const hearing =
  (told: { printed: string }) =>
  (text: string): void => {
    told.printed = (told.printed + text).slice(-PRINTED);
  };

function placeOf({ wish: { program }, folder, sandbox, url }: Stage) {
  const { key, secret } = sandbox.credentials;
  const given = { url, key, secret, host: new URL(url).host };
  const { REMIT_PROFILE: _, REMIT_REPORTS_URL: __, REMIT_PARTNER_PATH: ___, ...env } = program.env;
  return {
    cwd: program.isCopied ? workIn(folder) : program.cwd,
    env: {
      ...env,
      ...Object.fromEntries(Object.entries(program.names).map(([name, what]) => [name, given[what]])),
      REMIT_BASE_URL: url,
      REMIT_API_KEY: key,
      REMIT_API_SECRET: secret,
      REMIT_AUDIT_DIR: folder,
    },
  };
}

const workIn = (folder: string): string => join(folder, 'work');

/** Once in a case: between two starts the folder stays as the program left it. What was installed is shared, since a program does not write there. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !SHARED.includes(basename(path)) && basename(path) !== '.git',
  });
  for (const name of SHARED) if (existsSync(join(from, name))) symlinkSync(join(from, name), join(to, name));
}

const SHARED = ['node_modules', '.venv', 'vendor'];
