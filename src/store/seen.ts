/** The index of ids seen, on disk. Losing it costs time, never money. */
import type { Clock } from '../core/clock.ts';
import type { Seen, SeenIndex, SeenKind } from '../core/ports/seen.ts';
import type { Database, Row } from './driver.ts';

/**
 * Adds the newly known members; keeps those that an answer leaves out. The time at which an object was seen is kept
 * to the hour, so that reading the same again writes nothing.
 */
const UPSERT = `
  INSERT INTO seen (scope, id, kind, transaction_id, external_id, seen_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (scope, id) DO UPDATE SET
    kind = excluded.kind,
    transaction_id = COALESCE(excluded.transaction_id, transaction_id),
    external_id = COALESCE(excluded.external_id, external_id),
    seen_at = excluded.seen_at
  WHERE kind <> excluded.kind
    OR transaction_id IS NOT COALESCE(excluded.transaction_id, transaction_id)
    OR external_id IS NOT COALESCE(excluded.external_id, external_id)
    OR seen_at < excluded.seen_at - 3600000`;

/** Sorts after every character that an id has. */
const LAST = '\uffff';

export function createSeenIndex(database: Database, clock: Clock): SeenIndex {
  return {
    remember(scope, seen) {
      if (seen.length === 0) return;
      database.transaction(() => {
        for (const { id, kind, transactionId, externalId } of seen) {
          database.run(UPSERT, scope, id, kind, transactionId ?? null, externalId ?? null, clock.now());
        }
      });
    },
    find: (scope, id) => read(database.get('SELECT * FROM seen WHERE scope = ? AND id = ?', scope, id)),
    startingWith(scope, prefix, limit) {
      const rows = database.all(
        'SELECT * FROM seen WHERE scope = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?',
        scope,
        prefix,
        prefix + LAST,
        limit,
      );
      return rows.map(read).filter((seen) => seen !== undefined);
    },
  };
}

function read(row: Row | undefined): Seen | undefined {
  if (!row) return undefined;
  return {
    kind: row.kind as SeenKind,
    id: String(row.id),
    ...(row.transaction_id === null ? {} : { transactionId: String(row.transaction_id) }),
    ...(row.external_id === null ? {} : { externalId: String(row.external_id) }),
  };
}
