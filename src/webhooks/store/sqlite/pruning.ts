/** Deletes what is old, a part at a time, so that a listener on the same file never waits for long. */

import { setTimeout as pause } from 'node:timers/promises';
import { invariant } from '../../../core/invariants.ts';
import type { Database, Row } from '../../../disk/driver.ts';
import { StoreError, type StoreErrorKind } from '../../../disk/store-error.ts';
import type { InboxUpkeep } from '../port.ts';
import type { InboxHold } from './hold.ts';

const PART = 1000;
/** Between two parts: who waits for the file tries again now and then, and must find it free. */
const PAUSE_MS = 20;

export async function pruneDeliveries(
  database: Database,
  account: number,
  { before, deadLetters, forget }: Parameters<InboxUpkeep['prune']>[0],
): Promise<number> {
  let gone = 0;
  for (const state of ['kept', 'handed_on', ...(deadLetters ? ['dead_letter'] : [])]) {
    for (let more = true; more; ) {
      const count = database.transaction(() => {
        const old = database.all(OLD, account, state, before, PART);
        for (const row of old) remove(database, row, forget);
        if (old.length > 0) oweSpace(database, account);
        return old.length;
      });
      gone += count;
      more = count === PART;
      if (more) await pause(PAUSE_MS);
    }
  }
  return gone;
}

const OLD = `
  SELECT seq, account, state, handed, object_id, coalesce(transaction_id, object_id) AS subject, delivery_print, event_print
  FROM deliveries INDEXED BY deliveries_state
  WHERE account = ? AND state = ? AND received_at < ? ORDER BY received_at, seq LIMIT ?`;

function remove(database: Database, row: Row, forget: boolean): void {
  const { seq = 0, account = 0, subject = '', object_id = '', event_print = '', delivery_print = '' } = row;
  invariant(row.state !== 'waiting', 'what waits to be handed on is never deleted');
  if (row.handed === 1) database.run(OVERTAKE, account, subject, object_id, seq);
  database.run('DELETE FROM deliveries WHERE seq = ?', seq);
  database.run('DELETE FROM contents WHERE seq = ?', seq);
  if (forget) database.run(FORGET, account, event_print, delivery_print);
}

/** Notes on the earlier deliveries that stay, such as dead letters, that a later one was handed on. */
const OVERTAKE = `
  UPDATE deliveries SET overtaken = 1
  WHERE account = ? AND coalesce(transaction_id, object_id) = ? AND object_id = ? AND seq < ?`;
const FORGET = 'DELETE FROM prints WHERE account = ? AND event_print = ? AND delivery_print = ?';

/**
 * A deleted row leaves its place in the file, and now and then bytes of it in the gaps between rows. Writing
 * the file anew ends both; it takes as much room again, and blocks other writers.
 */
const OWED = 'space owed';
const BY = 'a prune, which gives space back';

/** Within the transaction that deletes: a process may end before it gives back. */
function oweSpace(database: Database, account: number): void {
  database.run("INSERT INTO notes VALUES (?, ?, '') ON CONFLICT DO NOTHING", account, OWED);
}

/** The whole file is written anew, whatever account the space is owed for. */
export async function giveBack(
  database: Database,
  hold: Pick<InboxHold, 'alone'>,
): Promise<Awaited<ReturnType<InboxUpkeep['giveBack']>>> {
  if (!database.get('SELECT 1 FROM notes WHERE name = ?', OWED)) return 'given_back';
  try {
    let whole = false;
    const alone = await hold.alone(BY, () => {
      whole = writeAnew(database);
    });
    if (!alone || !whole) return 'in_use';
    database.run('DELETE FROM notes WHERE name = ?', OWED);
    return 'given_back';
  } catch (error) {
    const without = error instanceof StoreError && DO_WITHOUT[error.kind];
    if (!without) throw error;
    return without;
  }
}

/** The copy is made in the folder for temporary files, which may be full, or not there for us. */
const DO_WITHOUT: Partial<Record<StoreErrorKind, 'in_use' | 'no_room'>> = {
  busy: 'in_use',
  full: 'no_room',
  unwritable: 'no_room',
};

/** False while a process reads the earlier rows: then it is in the file still. */
function writeAnew(database: Database): boolean {
  database.exec('VACUUM');
  return Number(database.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy) === 0;
}
