/** Every engine behind the inbox's port, for the suite that each must pass. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import type { DeliveryKeeper, Inbox, ReceivedDelivery, StoreResult } from '../../src/webhooks/store/port.ts';
import { connect } from '../../src/webhooks/store/postgres/connection.ts';
import { openPostgresInbox } from '../../src/webhooks/store/postgres.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { real } from './clock.ts';
import { ownDatabase } from './one-postgres.ts';
import type { PostgresDatabase } from './postgres.ts';
import { standingClock } from './stores.ts';

export interface InboxPlace {
  /** Another handle on the same inbox, as another process has it; of another account if one is named. */
  open(account?: string): Promise<Inbox>;
  /** Its time, as far as leases and pauses go. */
  advance(ms: number): Promise<void>;
  clock: Clock;
}

export interface InboxMaker {
  name: string;
  /** Kept when it is closed, and open to several handles. */
  durable: boolean;
  place(): Promise<InboxPlace>;
}

export const ACCOUNT = 'http://127.0.0.1:1/v1 0f0f';

let seed = 1;

export function temporaryInboxPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'remit-inbox-')), 'inner', 'inbox.db');
}

export const sqliteMakers: InboxMaker[] = [
  { name: 'in memory', durable: false, place: async () => embeddedPlace(':memory:') },
  {
    name: 'in a file',
    durable: true,
    place: async () => embeddedPlace(temporaryInboxPath()),
  },
];

function embeddedPlace(path: string): InboxPlace {
  const clock = standingClock();
  return {
    open: (account = ACCOUNT) => openSqliteInbox(path, { account, clock, random: seededRandom(seed++) }),
    advance: async (ms) => clock.advance(ms),
    clock,
  };
}

/** Begun by the first test that needs it; each place is an account of its own. */
export function postgresMaker(): InboxMaker & { stop(): Promise<void> } {
  let server: Promise<PostgresDatabase> | undefined;
  let places = 0;
  return {
    name: 'in PostgreSQL',
    durable: true,
    async place() {
      server ??= ownDatabase();
      return postgresPlace((await server).url, `place ${++places}`);
    },
    stop: async () => (await server)?.stop(),
  };
}

function postgresPlace(url: string, own: string): InboxPlace {
  return {
    open: (account = own) => openPostgresInbox({ url }, { account, random: seededRandom(seed++) }),
    /* The server's clock is its own: what it compares with it is moved instead. */
    async advance(ms) {
      const connection = await connect({ url });
      await connection.query(
        `UPDATE remit_inbox.lanes SET free_at = free_at - $1 * interval '1 millisecond'
         WHERE account = (SELECT account FROM remit_inbox.accounts WHERE name = $2)`,
        [ms, own],
      );
      await connection.close();
    },
    clock: real,
  };
}

let made = 0;
const hex = (n: number): string => n.toString(16).padStart(32, '0');

/** All of them are handed on, or none. */
export const keepIn = (
  inbox: DeliveryKeeper,
  deliveries: readonly ReceivedDelivery[],
  { handOn }: { handOn: boolean },
): Promise<StoreResult[]> => inbox.keep(deliveries.map((delivery) => ({ ...delivery, handOn })));

export const receivedMany = (count: number, over: Partial<ReceivedDelivery> = {}): ReceivedDelivery[] =>
  Array.from({ length: count }, () => received(over));

/** One that nothing else is like, unless told. */
export function received(over: Partial<ReceivedDelivery> = {}): ReceivedDelivery {
  made++;
  return {
    webhook: 'w-1',
    event: 'recipient.error',
    objectId: `r-${made}`,
    transactionId: null,
    deliveryPrint: hex(made),
    eventPrint: hex(made + 2 ** 40),
    body: new Uint8Array([123, 0, 255, 125]),
    url: 'https://partner.example/hooks',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Two', 'a'],
      ['x-two', 'ä'],
    ],
    receivedAt: 1_790_000_000_000,
    recovered: false,
    late: false,
    ...over,
  };
}
