/** Deletes what is old, a part at a time, so that a listener on the same file never waits for long. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Inbox } from '../../core/ports/inbox.ts';
import type { Database, Row } from '../driver.ts';
import { HANDED, OVERTAKEN, REPEAT } from './rows.ts';
import { oweSpace } from './space.ts';
import { LAST_ID_NOTE, type Tail } from './tail.ts';

const PART = 1000;
/** Between two parts: who waits for the file tries again now and then, and must find it free. */
const PAUSE_MS = 20;

type Place = [receivedAt: number, seq: number];

/** Everything is merged before: only what is in `prints` is remembered, and only what is in `by_subject` is found there. */
export async function pruneDeliveries(
  database: Database,
  account: number,
  tail: Tail,
  { before, deadLetters, forget }: Parameters<Inbox['prune']>[0],
): Promise<number> {
  while (tail.merge()) await pause(PAUSE_MS);
  database.run(NOTE_LAST_ID, account);
  let gone = 0;
  for (let place: Place | null = [-1, -1]; place !== null; ) {
    const [receivedAt, seq]: Place = place;
    const rows = database.transaction(() => {
      const found = database.all(OLD, account, receivedAt, seq, before, PART);
      const old = found.filter(
        ({ state }) => state !== 'waiting' && (deadLetters || state !== 'dead_letter'),
      );
      for (const row of old) remove(database, row);
      if (forget) forgetPrints(database, account, old);
      if (old.length > 0) oweSpace(database, account);
      gone += old.length;
      return found;
    });
    const last = rows.at(-1);
    place = rows.length < PART || !last ? null : [Number(last.received_at), Number(last.seq)];
    if (place) await pause(PAUSE_MS);
  }
  return gone;
}

const NOTE_LAST_ID = `
  INSERT INTO notes SELECT ?1, '${LAST_ID_NOTE}', hex(id) FROM (
    SELECT max(id) AS id FROM deliveries WHERE account = ?1) WHERE id IS NOT NULL
  ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`;

const OLD = `
  SELECT seq, received_at, account, state, marks, object_id, coalesce(transaction_id, object_id) AS subject, id,
    delivery_print, event_print, hex(event_print) AS print
  FROM deliveries INDEXED BY deliveries_time
  WHERE account = ? AND (received_at, seq) > (?, ?) AND received_at < ? AND seq <= (SELECT keys_to FROM merged)
  ORDER BY received_at, seq LIMIT ?`;

function remove(database: Database, row: Row): void {
  const { seq = 0, account = 0, subject = '' } = row;
  if (Number(row.marks) & HANDED) database.run(OVERTAKE, account, subject, seq, row.object_id ?? '');
  database.run('DELETE FROM deliveries WHERE seq = ?', seq);
  database.run('DELETE FROM contents WHERE seq = ?', seq);
  database.run('DELETE FROM by_subject WHERE account = ? AND subject = ? AND seq = ?', account, subject, seq);
}

/** Those before it that stay, such as dead letters, remember it. */
const OVERTAKE = `
  UPDATE deliveries SET marks = marks | ${OVERTAKEN}
  WHERE seq IN (SELECT seq FROM by_subject WHERE account = ? AND subject = ? AND seq < ?) AND object_id = ?`;

/** An event of which another delivery stays is known by that one from now on. */
function forgetPrints(database: Database, account: number, gone: readonly Row[]): void {
  const subjects = new Set(gone.map(({ subject }) => String(subject)));
  const heirs = new Map(
    database.all(HEIRS, JSON.stringify([...subjects]), account).map((row) => [String(row.print), row.id]),
  );
  for (const { id = '', delivery_print = '', event_print = '', print = '' } of gone) {
    const heir = heirs.get(String(print));
    database.run(
      'DELETE FROM prints WHERE account = ? AND kind = 0 AND print = ? AND id = ?',
      account,
      delivery_print,
      id,
    );
    if (heir === undefined) database.run(FORGET_EVENT, account, event_print, id);
    else database.run(INHERIT, heir, account, event_print, id);
  }
}

/** The oldest comes last. Whatever was not marked a repeat when it came stands for its event itself. */
const HEIRS = `
  SELECT deliveries.id AS id, hex(event_print) AS print FROM json_each(?) AS subjects
    CROSS JOIN by_subject ON by_subject.account = ? AND by_subject.subject = subjects.value
    CROSS JOIN deliveries ON deliveries.seq = by_subject.seq
  WHERE marks & ${REPEAT} ORDER BY deliveries.seq DESC`;
const FORGET_EVENT = 'DELETE FROM prints WHERE account = ? AND kind = 1 AND print = ? AND id = ?';
const INHERIT = 'UPDATE prints SET id = ? WHERE account = ? AND kind = 1 AND print = ? AND id = ?';
