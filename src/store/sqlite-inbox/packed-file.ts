/**
 * Files of versions 1 and 2, which kept what had just come a batch in one row (`arrivals`) and merged keys later (decision
 * 0038). Such a file is brought over once, when it is opened, in one transaction. This may be deleted, with its test, after
 * release 0.2: whoever skipped that is then told that the file is too old.
 */
import { asBuffer } from '../../core/bytes.ts';
import { invariant } from '../../core/invariants.ts';
import type { ReceivedDelivery } from '../../core/ports/inbox.ts';
import type { Database, Row } from '../driver.ts';
import { withoutNul } from '../plain-text.ts';

/** From version 1 to 2, as it was released. */
export const addLists = `
  CREATE TABLE arrivals (
    last_seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, kept_at INTEGER NOT NULL, waiting INTEGER NOT NULL,
    entries BLOB NOT NULL, packed BLOB NOT NULL
  ) STRICT;
  DROP INDEX deliveries_open;
  DROP INDEX deliveries_done;
  DROP INDEX deliveries_event;
  ALTER TABLE deliveries DROP COLUMN listed;
  ALTER TABLE merged DROP COLUMN listed_to;
  CREATE INDEX deliveries_state ON deliveries (account, state, received_at, seq);
  CREATE INDEX deliveries_event ON deliveries (account, event, state, received_at, seq);`;

/** From version 2 to 3, whose tables `schema` makes. Bodies stay where they are. */
export function fromPacked(database: Database, schema: string): void {
  const named = (type: string): string[] =>
    database
      .all('SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL', type)
      .map(({ name }) => String(name));
  const tables = named('table');
  for (const index of named('index')) database.exec(`DROP INDEX ${index}`);
  for (const table of tables) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
  database.exec(schema);
  database.exec(COPY);
  // One batch at a time: all of their bodies might not fit into the memory.
  const after = (seq: Row[string]) =>
    database.get('SELECT * FROM old_arrivals WHERE last_seq > ? ORDER BY last_seq LIMIT 1', seq);
  for (let row = after(0); row; row = after(row.last_seq ?? 0)) unpack(database, row);
  database.exec(PRINTS_AND_IDS);
  for (const table of tables.filter((name) => name !== 'contents')) database.exec(`DROP TABLE old_${table}`);
}

/** `marks` held six yes-or-no's as bits. */
const COPY = `
  DROP TABLE contents;
  ALTER TABLE old_contents RENAME TO contents;
  INSERT INTO accounts SELECT account, name, NULL FROM old_accounts;
  INSERT INTO deliveries SELECT seq, account, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
    event_print, url, state, marks & 1, marks >> 1 & 1, marks >> 2 & 1, marks >> 3 & 1, marks >> 4 & 1, marks >> 5 & 1,
    attempts, answer, changed_at FROM old_deliveries ORDER BY seq;
  INSERT INTO lanes SELECT * FROM old_lanes;
  INSERT INTO webhooks SELECT * FROM old_webhooks;
  INSERT INTO refusals SELECT * FROM old_refusals;
  INSERT INTO notes SELECT * FROM old_notes WHERE name <> 'last id';`;

/**
 * Pruned deliveries are remembered by prints of two kinds (0 of a delivery, 1 of an event), which meet in an id. A
 * repeat left no print of its event, and is remembered with an empty one.
 */
const PRINTS_AND_IDS = `
  INSERT INTO prints SELECT account, event_print, delivery_print, id FROM deliveries;
  CREATE INDEX old_prints_id ON old_prints (account, id, kind);
  INSERT INTO prints SELECT of.account, coalesce(event.print, x''), of.print, of.id FROM old_prints AS of
    LEFT JOIN old_prints AS event ON event.account = of.account AND event.id = of.id AND event.kind = 1
    WHERE of.kind = 0 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE account = of.account AND id = of.id);
  UPDATE accounts SET last_id = (SELECT max(id) FROM (
    SELECT id FROM prints WHERE prints.account = accounts.account
    UNION ALL SELECT unhex(value) FROM old_notes WHERE old_notes.account = accounts.account AND name = 'last id'));`;

/** Bytes that an entry takes. A batch has one for each delivery: its two prints, its id, and whether it is a repeat. */
const ENTRY = 49;

function unpack(
  database: Database,
  { last_seq, account = 0, kept_at = 0, waiting, entries, packed }: Row,
): void {
  const count = (entries as Uint8Array).length / ENTRY;
  const deliveries = readPacked(asBuffer(packed as Uint8Array));
  invariant(
    deliveries.length === count,
    `the inbox acknowledged ${count} deliveries in one batch (${last_seq}) and holds ${deliveries.length} of them`,
  );
  deliveries.forEach((given, i) => {
    const delivery = withoutNul(given);
    const part = (from: number, to: number) =>
      (entries as Uint8Array).subarray(i * ENTRY + from, i * ENTRY + to);
    const seq = Number(last_seq) - count + 1 + i;
    const { receivedAt, webhook, event, objectId, transactionId, url } = delivery;
    const texts = [receivedAt, webhook, event, objectId, transactionId, part(0, 16), part(16, 32), url];
    const marks = [part(48, 49)[0], delivery.recovered, delivery.late].map(Number);
    const state = waiting ? 'waiting' : 'kept';
    database.run(INSERT_DELIVERY, seq, account, part(32, 48), ...texts, state, ...marks, kept_at);
    database.run(
      'INSERT INTO contents VALUES (?, ?, ?)',
      seq,
      JSON.stringify(delivery.headers),
      delivery.body,
    );
    database.run('INSERT INTO webhooks VALUES (?, ?) ON CONFLICT DO NOTHING', account, webhook);
    if (waiting) database.run(INSERT_LANE, account, objectId, seq);
  });
}

const INSERT_DELIVERY = `
  INSERT INTO deliveries (seq, account, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
    event_print, url, state, repeat, recovered, late, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0) ON CONFLICT DO NOTHING`;

type Packed = Omit<ReceivedDelivery, 'deliveryPrint' | 'eventPrint'>;

/** For each delivery the lengths of its head and its body (32 bits each, little-endian), the head as a JSON array, and the body. */
function readPacked(bytes: Buffer): Packed[] {
  const deliveries: Packed[] = [];
  for (let at = 0; at < bytes.length; ) {
    const body = at + 8 + bytes.readUInt32LE(at);
    const end = body + bytes.readUInt32LE(at + 4);
    const head = JSON.parse(bytes.toString('utf8', at + 8, body));
    const [webhook, event, objectId, transactionId, url, receivedAt, recovered, late, headers] = head;
    const texts = { webhook, event, objectId, transactionId, url };
    deliveries.push({ ...texts, receivedAt, recovered, late, headers, body: bytes.subarray(body, end) });
    at = end;
  }
  return deliveries;
}
