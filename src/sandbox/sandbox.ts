/** The whole service as a function: requests in, answers out, on a clock of its own. `http/listen.ts` opens a port. */
import { loadAllCorridors } from '../contract/corridors/index.ts';
import type { Credentials } from '../contract/signing.ts';
import type { Decimal } from '../core/money.ts';
import type { Transport } from '../core/ports/transport.ts';
import { seededRandom } from '../core/random.ts';
import { type ClockOptions, type SandboxClock, sandboxClock } from './clock.ts';
import { type Control, controlOf } from './control/control.ts';
import type { Incoming } from './http/auth.ts';
import { type RawAnswer, serve } from './http/serve.ts';
import { Ledger } from './ledger/ledger.ts';
import { open, openingBalances } from './ledger/opening.ts';
import { Schedule } from './schedule.ts';
import { Service } from './service.ts';
import { type BreakableRule, defaultSettings, type Settings } from './settings.ts';
import { memoryStore } from './store/memory.ts';
import type { SandboxStore } from './store/port.ts';

export interface SandboxOptions {
  credentials: Credentials;
  /** A standing clock by default. */
  clock?: ClockOptions;
  /** The same seed and the same requests give the same ids, states and bytes. */
  seed?: number | string;
  settings?: Partial<Settings>;
  /** In place of the documented opening balances. */
  balances?: Readonly<Record<string, Decimal>>;
  /** How webhooks leave the process. */
  transport?: Transport | undefined;
  /** Host names beside loopback that webhooks may go to. */
  deliverTo?: readonly string[];
  store?: SandboxStore;
  /** Rules to break on purpose, for tests that must see a failure. */
  breakRule?: readonly BreakableRule[];
}

export interface Sandbox {
  fetch(request: Request): Promise<Response>;
  /** The same without web objects: the target as sent, with its `host` header, or an absolute URL. */
  handle(request: Incoming): Promise<RawAnswer>;
  readonly clock: SandboxClock;
  readonly control: Control;
  /** Moves the clock; resolves when everything on the way has run, deliveries included. */
  advance(ms: number): Promise<void>;
  /** Runs what is due now and waits for deliveries on their way. */
  settle(): Promise<void>;
  /** Runs what is due now, without waiting. */
  runDue(): void;
  /** Tells when the next task is due, and calls back when one is added: for a listener on a running clock. */
  nextDue(): number | undefined;
  onDue(callback: () => void): void;
  /** Throws when a balance is not the sum of its entries. */
  audit(): void;
  close(): Promise<void>;
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const service = await serviceOf(options);
  const { world } = service;
  const handle = (request: Incoming) => serve(service, request);
  return {
    handle,
    fetch: (request) => fetchBy(handle, request),
    clock: world.clock,
    control: controlOf(service),
    advance: (ms) => service.advance(ms),
    settle: () => service.settle(),
    runDue: () => service.runDue(),
    nextDue: () => world.schedule.nextDue(),
    onDue(callback) {
      world.schedule.onAdd = callback;
    },
    audit: () => world.ledger.audit(),
    close: () => service.close(),
  };
}

async function serviceOf(options: SandboxOptions): Promise<Service> {
  const seed = options.seed ?? 1;
  const clock = sandboxClock(options.clock ?? { mode: 'standing' });
  const ledger = new Ledger();
  open(ledger, options.balances ?? openingBalances, clock.now());
  return new Service(
    {
      clock,
      ledger,
      random: seededRandom(seed),
      store: options.store ?? memoryStore(),
      schedule: new Schedule(),
      settings: { ...defaultSettings, ...options.settings },
      broken: new Set(options.breakRule ?? []),
      book: await loadAllCorridors(),
      credentials: options.credentials,
      transport: options.transport,
      deliverTo: options.deliverTo ?? [],
      emit: () => undefined,
    },
    seededRandom(`deliveries ${seed}`),
  );
}

async function fetchBy(handle: Sandbox['handle'], request: Request): Promise<Response> {
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  const answer = await handle({ method: request.method, url: request.url, headers, body });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}
