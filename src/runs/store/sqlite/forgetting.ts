/**
 * A run without the persons that it is about. That it was forgotten is written first, in one step with the look at its rows; what is
 * left to do is written with it, so that a process that dies in between leaves a run that can be forgotten again.
 *
 * What was written over is zeros in the file (`secure_delete`), but bytes of it may stay in the gaps between rows and in the log.
 * Writing the file anew ends both.
 */
import { invariant } from '../../../core/invariants.ts';
import type { Database } from '../../../disk/driver.ts';
import { StoreError, type StoreErrorKind } from '../../../disk/store-error.ts';
import type { BytesLeft, PayRuns } from '../port.ts';
import { EMPTIED, EMPTIED_AT_ONCE, OWED } from '../sql.ts';
import { type PayRunDependencies, SEQ } from './dependencies.ts';

type Forgetting = Pick<PayRuns, 'lastChange' | 'forget' | 'clearForgotten'>;

const LAST_CHANGE = `SELECT max(r.updated_at, COALESCE((SELECT max(updated_at) FROM payrun_rows WHERE run = r.seq), 0)) AS at
  FROM payruns r WHERE r.id = ?`;
const STANDS_IN_THE_WAY = `SELECT 1 FROM payrun_sums
  WHERE run = ${SEQ} AND rows > 0 AND state IN (SELECT value FROM json_each(?)) LIMIT 1`;
const MARK = `UPDATE payruns SET forgotten_at = COALESCE(forgotten_at, ?), forget_owed = ${OWED.rows}, plan = ?, digest = '', why = NULL,
  statements = ?, rejection = NULL WHERE id = ?`;
const NEXT_ROWS = `SELECT n, intent_id FROM payrun_rows WHERE run = ${SEQ} AND n > ? ORDER BY n LIMIT ${EMPTIED_AT_ONCE}`;
const EMPTY = `UPDATE payrun_rows SET ${EMPTIED} WHERE run = ${SEQ} AND n BETWEEN ? AND ?`;

export function createForgetting(
  database: Database,
  { clock, intents, write }: PayRunDependencies,
): Forgetting {
  /** The last of the rows that were emptied; undefined where none is left. */
  function emptySome(id: string, after: number): number | undefined {
    const rows = database.all(NEXT_ROWS, id, after);
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    const emptied = database.run(EMPTY, id, after + 1, last.n ?? 0);
    invariant(emptied === rows.length, 'a row that is forgotten is emptied');
    intents.forget(rows.flatMap(({ intent_id: intent }) => (intent === null ? [] : [String(intent)])));
    return Number(last.n);
  }

  return {
    async lastChange(id) {
      return Number(database.get(LAST_CHANGE, id)?.at);
    },
    async forget(id, { unless, plan, statements = [] }) {
      const isMarked = await write(() => {
        if (database.get(STANDS_IN_THE_WAY, id, JSON.stringify(unless)) !== undefined) return false;
        return database.run(MARK, clock.now(), plan, JSON.stringify(statements), id) === 1;
      });
      if (!isMarked) return false;
      for (let after: number | undefined = 0; after !== undefined; ) {
        const from: number = after;
        after = await write(() => emptySome(id, from));
      }
      await write(() => database.run('UPDATE payruns SET forget_owed = ? WHERE id = ?', OWED.bytes, id));
      return true;
    },
    async clearForgotten() {
      const owed = database.all('SELECT id FROM payruns WHERE forget_owed = ?', OWED.bytes);
      if (owed.length === 0) return 'gone';
      const bytes = writeAnew(database);
      if (bytes !== 'gone') return bytes;
      const ids = JSON.stringify(owed.map(({ id }) => id));
      const sql = `UPDATE payruns SET forget_owed = NULL
        WHERE forget_owed = ? AND id IN (SELECT value FROM json_each(?))`;
      await write(() => database.run(sql, OWED.bytes, ids));
      return 'gone';
    },
  };
}

/** Another process that reads what was there before keeps it in the file. */
function writeAnew(database: Database): BytesLeft {
  try {
    database.exec('VACUUM');
    return Number(database.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy) === 0 ? 'gone' : 'in_use';
  } catch (error) {
    const left = error instanceof StoreError && KEEPS[error.kind];
    if (!left) throw error;
    return left;
  }
}

/** The copy is made in the folder for temporary files, which may be full, or not there for us. */
const KEEPS: Partial<Record<StoreErrorKind, BytesLeft>> = {
  busy: 'in_use',
  full: 'no_room',
  unwritable: 'no_room',
};
