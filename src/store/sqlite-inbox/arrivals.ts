/**
 * What has just been kept, a batch in one row: a commit writes one place of the file for it, where rows of their own and their
 * indexes would take ten. It is moved into the tables (`unpacking.ts`) when nothing comes, when it has become much, or when
 * somebody asks for what is there. A process that dies leaves it to the next one.
 */
import { asBuffer } from '../../core/bytes.ts';
import type { Database, Row } from '../driver.ts';
import { bytesOf, idOf } from './rows.ts';

export interface Arrival {
  /** Its place, which it keeps. */
  seq: number;
  id: string;
  deliveryPrint: string;
  eventPrint: string;
  repeat: boolean;
}

/** A batch that is kept: its deliveries have neighbouring places. */
export interface Batch {
  keptAt: number;
  handOn: boolean;
  fresh: readonly Arrival[];
  /** The same, in the same order. */
  packed: Uint8Array;
}

export interface Arrivals {
  add(batch: Batch): void;
  /** Of any account. */
  count(): number;
  /** Whether any is to be handed on. */
  anyWaits(): boolean;
  /** The last place; 0 where there is none. */
  lastSeq(): number;
  /** This account's, after a place. */
  after(seq: number): Arrival[];
  idAt(seq: number): string | undefined;
}

export function createArrivals(database: Database, account: number): Arrivals {
  return {
    add({ keptAt, handOn, fresh, packed }) {
      const lastSeq = fresh.at(-1)?.seq ?? 0;
      const waiting = handOn ? fresh.length : 0;
      database.run(INSERT, lastSeq, account, keptAt, waiting, writeEntries(fresh), packed);
    },
    count: () => Number(database.get(COUNT)?.n ?? 0),
    anyWaits: () => database.get(ANY_WAITS, account) !== undefined,
    lastSeq: () => Number(database.get('SELECT max(last_seq) AS seq FROM arrivals')?.seq ?? 0),
    after: (seq) =>
      database
        .all(AFTER, seq, account)
        .flatMap(readEntries)
        .filter((arrival) => arrival.seq > seq),
    idAt(seq) {
      const row = database.get(ID_AT, seq);
      return row && idOf(row.id);
    },
  };
}

const INSERT = `
  INSERT INTO arrivals (last_seq, account, kept_at, waiting, entries, packed) VALUES (?, ?, ?, ?, ?, ?)`;
const ANY_WAITS = 'SELECT 1 FROM arrivals WHERE account = ? AND waiting > 0 LIMIT 1';
const AFTER = 'SELECT last_seq, entries FROM arrivals WHERE last_seq > ? AND account = ? ORDER BY last_seq';

/** Of each delivery: its two prints, its id, and whether it is a repeat. */
const ENTRY = 49;
const EVENT_PRINT = 16;
const ID = 32;
const IS_REPEAT = 48;

/** Counted from the end, where the last one stands. */
const ID_AT = `
  SELECT substr(entries, ${ENTRY} * (?1 - last_seq - 1) + ${ID}, ${IS_REPEAT - ID}) AS id
  FROM (SELECT last_seq, entries FROM arrivals WHERE last_seq >= ?1 ORDER BY last_seq LIMIT 1)
  WHERE ?1 > last_seq - length(entries) / ${ENTRY}`;

const COUNT = `SELECT sum(length(entries)) / ${ENTRY} AS n FROM arrivals`;

function writeEntries(arrivals: readonly Arrival[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(arrivals.length * ENTRY);
  arrivals.forEach(({ id, deliveryPrint, eventPrint, repeat }, i) => {
    const at = i * ENTRY;
    bytes.write(deliveryPrint, at, 'hex');
    bytes.write(eventPrint, at + EVENT_PRINT, 'hex');
    bytes.set(bytesOf(id), at + ID);
    bytes[at + IS_REPEAT] = repeat ? 1 : 0;
  });
  return bytes;
}

/** Of a row of the table. */
export function readEntries({ last_seq: lastSeq, entries }: Row): Arrival[] {
  const bytes = asBuffer(entries as Uint8Array);
  const count = bytes.length / ENTRY;
  return Array.from({ length: count }, (_, i) => {
    const at = i * ENTRY;
    return {
      seq: Number(lastSeq) - count + 1 + i,
      deliveryPrint: bytes.toString('hex', at, at + EVENT_PRINT),
      eventPrint: bytes.toString('hex', at + EVENT_PRINT, at + ID),
      id: idOf(bytes.subarray(at + ID, at + IS_REPEAT)),
      repeat: bytes[at + IS_REPEAT] === 1,
    };
  });
}
