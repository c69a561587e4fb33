/** The data file of a sandbox as a plain database, for what only an earlier or a later version would write. */
import { type Database, openDatabase, type Versions } from '../../src/disk/driver.ts';
import { SANDBOX_FILE } from '../../src/disk/record-file.ts';

export async function inDatabase<T>(
  path: string,
  versions: Versions,
  work?: (database: Database) => T,
): Promise<T | undefined> {
  const database = await openDatabase(path, versions, {
    first: `PRAGMA application_id=${SANDBOX_FILE.kind}`,
  });
  const result = work?.(database);
  // A statement that nobody collected yet holds a file with a log.
  database.exec('PRAGMA journal_mode=DELETE');
  database.close();
  return result;
}
