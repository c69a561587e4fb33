/** Tells which deliveries were taken before, in one SQLite file, for all processes of one machine. */
import type { Clock } from '../../core/clock.ts';
import { committedTogether } from '../../disk/commit-together.ts';
import { openDatabase, type Versions } from '../../disk/driver.ts';
import { refuseForeign } from '../../disk/foreign-file.ts';
import { type SqliteNonces, UNFINISHED_SECONDS } from './nonces-port.ts';

const KIND = 0x72_6d_6e_6f;

const VERSIONS: Versions = {
  newest: 1,
  holds: 'nonces',
  steps: {},
  whole: `CREATE TABLE nonces (
    print TEXT PRIMARY KEY, owner TEXT NOT NULL, claimed_at INTEGER NOT NULL, taken_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX nonces_claimed ON nonces (claimed_at);`,
};

/** Changes one row for the claimant that gets it; none where another has it, or it was taken. */
const CLAIM = `
  INSERT INTO nonces (print, owner, claimed_at) VALUES (?, ?, ?)
  ON CONFLICT (print) DO UPDATE SET claimed_at = excluded.claimed_at, owner = excluded.owner
  WHERE nonces.taken_at IS NULL AND nonces.claimed_at < excluded.claimed_at - ${UNFINISHED_SECONDS * 1000}`;
const IS_TAKEN = 'SELECT 1 FROM nonces WHERE print = ? AND taken_at IS NOT NULL';
const FINISH = `
  INSERT INTO nonces (print, owner, claimed_at, taken_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (print) DO UPDATE SET taken_at = excluded.taken_at`;
const RELEASE = 'DELETE FROM nonces WHERE print = ? AND owner = ? AND taken_at IS NULL';

/**
 * Opens the file, or makes it. `owner` names one process: a claim that was given to another is not released by who had it before.
 * @throws StoreError: `foreign` for a file that is something else, and those of a file
 */
export async function openSqliteNonces(
  path: string,
  { clock, owner }: { clock: Clock; owner: string },
): Promise<SqliteNonces> {
  refuseForeign(path, { kind: KIND, what: 'store of nonces' });
  const database = await openDatabase(path, VERSIONS, { first: `PRAGMA application_id=${KIND}` });
  const write = committedTogether(database);
  return {
    claim: (print) =>
      write(() => {
        if (database.run(CLAIM, print, owner, clock.now()) === 1) return 'new';
        return database.get(IS_TAKEN, print) ? 'taken' : 'under_way';
      }),
    async finish(print) {
      await write(() => database.run(FINISH, print, owner, clock.now(), clock.now()));
    },
    async release(print) {
      await write(() => database.run(RELEASE, print, owner));
    },
    forget: (before) =>
      write(() => database.run('DELETE FROM nonces WHERE claimed_at < ?', before.getTime())),
    end: async () => database.close(),
  };
}
