/**
 * A deleted row leaves its place in the file, and now and then bytes of it in the gaps between rows. Writing the file
 * anew ends both; it takes as much room again, and nobody else can write meanwhile.
 */
import type { InboxUpkeep } from '../../core/ports/inbox.ts';
import { StoreError, type StoreErrorKind } from '../../files/store-error.ts';
import type { Database } from '../driver.ts';
import type { Hold } from './hold.ts';

const OWED = 'space owed';
const BY = 'a prune, which gives space back';

/** Within the transaction that deletes: a process may end before it gives back. */
export function oweSpace(database: Database, account: number): void {
  database.run("INSERT INTO notes VALUES (?, ?, '') ON CONFLICT DO NOTHING", account, OWED);
}

/** The whole file is written anew, whatever account the space is owed for. */
export async function giveBack(
  database: Database,
  hold: Pick<Hold, 'alone'>,
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

/** False while somebody reads what was there before: then it is in the file still. */
function writeAnew(database: Database): boolean {
  database.exec('VACUUM');
  return Number(database.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy) === 0;
}
