/**
 * What was kept lately and is not merged yet. Its prints are held in memory by a process that keeps, and are read from the file
 * when another process wrote to it, so that what is a duplicate is always known exactly.
 */
import { invariant } from '../../core/invariants.ts';
import type { Database } from '../driver.ts';
import type { Arrivals } from './arrivals.ts';
import { idOf } from './rows.ts';

const DELIVERY = 0;
const EVENT = 1;

export interface Tail {
  /** Within a transaction, before anything is looked up: what other processes kept, merged or deleted. */
  refresh(): void;
  /** Asks the table about all of these at once, for the next two: a question for each would cost as much as keeping it. */
  lookUp(asked: readonly Prints[]): void;
  /** Of the earlier one its place, if it is not merged yet, else its id. */
  delivery(print: string): number | string | undefined;
  idAt(seq: number): string;
  event(print: string): boolean;
  next(): { seq: number; after: string };
  add(arrival: Placed): void;
  /** After a transaction that failed: what was added is not there. */
  doubt(): void;
  /** How many wait for a merge, as far as this process knows. */
  size(): number;
  /** The oldest part of those in the tables: many at once are cheap each, too many hold up who waits. False when none is left. */
  merge(): boolean;
}

export interface Prints {
  deliveryPrint: string;
  eventPrint: string;
}

interface Placed extends Prints {
  seq: number;
  id: string;
}

export function createTail(database: Database, account: number, arrivals: Arrivals): Tail {
  /** From print to place, oldest first: no more than that, since there may be hundreds of thousands. */
  const deliveries = new Map<string, number>();
  const events = new Map<string, number>();
  /** Of those that were asked about, the ones in the table. */
  let merged = new Map<string, string>();
  let version = -1;
  let mergedTo = 0;
  let lastSeq = 0;
  let lastId = '';

  const forget = () => {
    deliveries.clear();
    events.clear();
    lastSeq = mergedTo;
    lastId = '';
  };
  const take = ({ seq, id, deliveryPrint, eventPrint }: Placed) => {
    deliveries.set(deliveryPrint, seq);
    if (!events.has(eventPrint)) events.set(eventPrint, seq);
    lastSeq = seq;
    lastId = id;
  };
  /** They are in the table now. */
  const drop = (to: number) => {
    for (const prints of [deliveries, events]) {
      for (const [print, seq] of prints) {
        if (seq > to) break;
        prints.delete(print);
      }
    }
  };
  const catchUp = () => {
    // Whoever merged them: those are in the table, and their places are taken for ever, also when their rows were pruned.
    lastSeq = Math.max(lastSeq, mergedTo);
    const latest = database.get(LATEST_ID, account);
    if (latest && idOf(latest.id) > lastId) lastId = idOf(latest.id);
    for (const row of database.all(TAIL_PRINTS, lastSeq, account)) {
      take({
        seq: Number(row.seq),
        id: idOf(row.id),
        deliveryPrint: String(row.delivery_print),
        eventPrint: String(row.event_print),
      });
    }
    for (const arrival of arrivals.after(lastSeq)) take(arrival);
    lastSeq = Math.max(lastSeq, lastRow(database), arrivals.lastSeq());
  };

  return {
    refresh() {
      const now = Number(database.get('PRAGMA data_version')?.data_version);
      if (now === version) return;
      const to = frontier(database);
      if (to !== mergedTo || version === -1) {
        mergedTo = to;
        forget();
      }
      catchUp();
      version = now;
    },
    lookUp(asked) {
      merged = inTable(database, account, asked);
    },
    delivery(print) {
      return deliveries.get(print) ?? merged.get(`${DELIVERY}${print}`);
    },
    idAt(seq) {
      const row = database.get('SELECT id FROM deliveries WHERE seq = ?', seq);
      const id = row ? idOf(row.id) : arrivals.idAt(seq);
      invariant(id !== undefined, 'what is remembered by its place is there');
      return id;
    },
    event: (print) => events.has(print) || merged.has(`${EVENT}${print}`),
    next: () => ({ seq: lastSeq + 1, after: lastId }),
    add: take,
    doubt() {
      version = -1;
    },
    size: () => lastSeq - mergedTo,
    merge() {
      const { to, more } = database.transaction(() => mergePart(database));
      if (version !== -1 && to > mergedTo) {
        mergedTo = to;
        drop(to);
      }
      return more;
    },
  };
}

const TAIL_PRINTS = `
  SELECT seq, id, lower(hex(delivery_print)) AS delivery_print, lower(hex(event_print)) AS event_print
  FROM deliveries WHERE seq > ? AND account = ? ORDER BY seq`;

/** Also where all were pruned: later ones are greater, whatever the clock says. */
export const LAST_ID_NOTE = 'last id';
const LATEST_ID = `
  SELECT id FROM (
    SELECT max(id) AS id FROM deliveries WHERE account = ?1
    UNION ALL SELECT unhex(value) FROM notes WHERE account = ?1 AND name = '${LAST_ID_NOTE}')
  WHERE id IS NOT NULL ORDER BY id DESC LIMIT 1`;

const frontier = (database: Database): number =>
  Number(database.get('SELECT keys_to AS seq FROM merged')?.seq);

const lastRow = (database: Database): number =>
  Number(database.get('SELECT max(seq) AS seq FROM deliveries')?.seq ?? 0);

/** By kind and print. */
function inTable(database: Database, account: number, asked: readonly Prints[]): Map<string, string> {
  const pairs = asked.flatMap(({ deliveryPrint, eventPrint }) => [
    `${DELIVERY}${deliveryPrint}`,
    `${EVENT}${eventPrint}`,
  ]);
  const rows = database.all(IN_TABLE, JSON.stringify(pairs), account);
  return new Map(rows.map(({ asked: pair, id }) => [String(pair), idOf(id)]));
}

/** CROSS: what is asked for is looked up in the table, never the other way round. */
const IN_TABLE = `
  SELECT asked.value AS asked, prints.id AS id FROM json_each(?) AS asked
    CROSS JOIN prints ON prints.account = ? AND prints.kind = CAST(substr(asked.value, 1, 1) AS INTEGER)
      AND prints.print = unhex(substr(asked.value, 2))`;

const PART = 5_000;

/** Whoever merges does it for every account of the file. */
function mergePart(database: Database): { to: number; more: boolean } {
  const from = frontier(database);
  const last = lastRow(database);
  const to = Math.max(from, Math.min(last, from + PART));
  if (to > from) {
    for (const sql of KEYS) database.run(sql, from, to);
    database.run('UPDATE merged SET keys_to = ?', to);
  }
  return { to, more: to < last };
}

/** Sorted, so that each page is written once. */
const KEYS = [
  `INSERT INTO prints SELECT account, ${DELIVERY}, delivery_print, id FROM deliveries WHERE seq > ? AND seq <= ?
   ORDER BY account, delivery_print ON CONFLICT DO NOTHING`,
  `INSERT INTO prints SELECT account, ${EVENT}, event_print, id FROM deliveries WHERE seq > ? AND seq <= ?
   ORDER BY account, event_print, seq ON CONFLICT DO NOTHING`,
  `INSERT INTO by_subject SELECT account, coalesce(transaction_id, object_id), seq FROM deliveries
   WHERE seq > ? AND seq <= ? ORDER BY 1, 2, 3`,
];

/** Which of these events were ever kept, by any process. Reads only. */
export function knownEvents(database: Database, account: number, prints: readonly string[]): Set<string> {
  const asked = JSON.stringify(prints);
  const rows = database.all(KNOWN, asked, account, account, asked);
  return new Set(rows.map(({ print }) => String(print)));
}

/** CROSS: what is asked for is looked up in the table, never the other way round. */
const KNOWN = `
  SELECT asked.value AS print FROM json_each(?) AS asked
    CROSS JOIN prints ON prints.account = ? AND prints.kind = ${EVENT} AND prints.print = unhex(asked.value)
  UNION
  SELECT lower(hex(event_print)) FROM deliveries
    WHERE seq > (SELECT keys_to FROM merged) AND account = ?
      AND event_print IN (SELECT unhex(value) FROM json_each(?))`;
