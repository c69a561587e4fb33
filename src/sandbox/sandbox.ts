/** The whole service as a function: requests in, answers out, on a clock of its own. `http/listen.ts` opens a port. */
import { loadAllCorridors } from '../contract/corridors/index.ts';
import type { Credentials } from '../contract/signed-text.ts';
import type { Decimal } from '../core/money.ts';
import { seededRandom } from '../core/random.ts';
import type { Transport } from '../core/transport.ts';
import type { RecordDatabase } from '../disk/record-database.ts';
import { type ClockOptions, type SandboxClock, sandboxClock } from './clock.ts';
import { type Control, controlOf } from './control/control.ts';
import { Faults } from './faults/faults.ts';
import { ChangeLock } from './hold.ts';
import type { RawAnswer } from './http/answer.ts';
import type { Incoming } from './http/auth.ts';
import { refusedUnread, serveRequest } from './http/serve.ts';
import { Ledger } from './ledger/ledger.ts';
import { openingBalances, Partner } from './ledger/partner.ts';
import { type LedgerPayout, payoutsOf } from './payouts.ts';
import { type Heap, HeapRoom, heapOfNow } from './room.ts';
import { Schedule } from './schedule.ts';
import { Service } from './service.ts';
import { type BreakableRule, defaultSettings, type SandboxSettings } from './settings.ts';
import { deliveryRandom } from './state.ts';
import { durableStore } from './store/durable.ts';
import { memoryTables } from './store/memory.ts';

export interface SandboxOptions {
  /** The credentials of the sandbox. Those of `data` count, where it has some. */
  credentials: Credentials;
  /** A standing clock by default. */
  clock?: ClockOptions;
  /** The same seed and the same requests give the same ids, states and bytes. */
  seed?: number | string;
  settings?: Partial<SandboxSettings>;
  /** These replace the documented opening balances. */
  balances?: Readonly<Record<string, Decimal>>;
  /** How webhooks leave the process. */
  transport?: Transport | undefined;
  /** Host names beside loopback that webhooks may go to. */
  deliverTo?: readonly string[];
  /** Where everything is kept, as `openRecords` gives it; in memory alone without it. What is in it counts more than these options. */
  data?: RecordDatabase | undefined;
  /** Opens the controls over HTTP to its holder. */
  controlToken?: string;
  /** Waits for answers that a fault delays; the machine's own timer if left out. */
  sleep?: (ms: number) => Promise<void>;
  /** How much memory is left; that of this process if left out. */
  heap?: () => Heap;
  /** Rules to break on purpose, for tests that must see a failure. */
  breakRule?: readonly BreakableRule[];
}

export interface Sandbox {
  fetch(request: Request): Promise<Response>;
  /** The same without web objects: the target as sent, with its `host` header, or an absolute URL. */
  handle(request: Incoming): Promise<RawAnswer>;
  /** The answer to a request whose body need not be read; null where it is to be read. */
  refusedUnread(request: Omit<Incoming, 'body'>): RawAnswer | null;
  readonly clock: SandboxClock;
  readonly credentials: Readonly<Credentials>;
  readonly control: Control;
  /** Moves the clock; resolves when everything on the way has run, deliveries included. */
  advance(ms: number): Promise<void>;
  /** Runs what is due now and waits for deliveries on their way. */
  drain(): Promise<void>;
  /** Runs what is due now, without waiting. */
  runDue(): void;
  /** Tells when the next task is due, and calls back when one is added: for a listener on a running clock. */
  nextDue(): number | undefined;
  onDue(callback: () => void): void;
  /** Scheme, host and port under which it can be reached: files are answered with it. */
  servedAt(origin: string): void;
  /** Throws when a balance is not the sum of its entries. */
  audit(): void;
  /** Every recipient, and where its money is. */
  payouts(): Iterable<LedgerPayout>;
  /** Everything but the credentials, as bytes: at once, while nothing else runs. The control of this name takes turns. */
  snapshot(): Uint8Array;
  /** Takes a snapshot's place and time, in the same way. @throws SnapshotError, and then everything is as it was */
  restore(bytes: Uint8Array): void;
  /** A fresh sandbox again: opening balances and the ids of the seed; credentials, settings and the time stay. */
  reset(): void;
  /** Leaves `data` open, and everything in it. */
  close(): Promise<void>;
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const service = await serviceOf(options);
  const { sandbox } = service;
  const handle = (request: Incoming) => service.answer(request);
  return {
    handle,
    refusedUnread: (request) => refusedUnread(service, request),
    fetch: (request) => fetchBy(service, request),
    clock: sandbox.clock,
    credentials: sandbox.credentials,
    control: controlOf(service),
    advance: (ms) => service.advance(ms),
    drain: () => service.drain(),
    runDue: () => service.runDue(),
    nextDue: () => sandbox.schedule.nextDue(),
    onDue: (callback) => service.onDue(callback),
    servedAt(origin) {
      sandbox.origin = origin;
    },
    audit: () => sandbox.ledger.audit(),
    payouts: () => payoutsOf(sandbox),
    snapshot: () => service.snapshot(),
    restore: (bytes) => service.restore(bytes),
    reset: () => service.reset(),
    close: () => service.close(),
  };
}

async function serviceOf(options: SandboxOptions): Promise<Service> {
  const seed = options.seed ?? 1;
  const room = new HeapRoom(options.heap ?? heapOfNow);
  const store = options.data ? durableStore(options.data, room) : memoryTables();
  return new Service(
    {
      clock: sandboxClock(options.clock ?? { mode: 'standing' }),
      ledger: new Ledger(store),
      random: seededRandom(seed),
      store,
      schedule: new Schedule(store),
      beginning: { seed, balances: options.balances ?? openingBalances },
      saved: () => undefined,
      hold: new ChangeLock(),
      room,
      faults: new Faults(),
      partner: new Partner(),
      settings: { ...defaultSettings, ...options.settings },
      broken: new Set(options.breakRule ?? []),
      book: await loadAllCorridors(),
      credentials: { ...options.credentials },
      transport: options.transport,
      deliverTo: options.deliverTo ?? [],
      controlToken: options.controlToken,
      sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
      changes: { count: 0 },
      origin: 'http://127.0.0.1',
      emit: () => undefined,
    },
    deliveryRandom(seed),
    serveRequest,
  );
}

async function fetchBy(service: Service, request: Request): Promise<Response> {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  const refused = refusedUnread(service, { method, url, headers });
  if (refused) return new Response(refused.body, refused);
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const answer = await service.answer({ method, url, headers, body });
  if (answer.cut) throw new TypeError('fetch failed', { cause: cutError(answer.cut) });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

/** The error that a caller sees where the connection breaks. */
function cutError(cut: NonNullable<RawAnswer['cut']>): Error {
  return cut === 'refused'
    ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    : Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}
