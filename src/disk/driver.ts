/**
 * One SQLite file through the `node:sqlite` API: the built-in where the runtime has it, else a native package with the same
 * API. Every write is on disk when it returns (WAL, `synchronous=FULL`).
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { claimDatabaseFile, refuseStrangeDatabase } from './own-file.ts';
import { asStoreError, isBusy, type StoreContent, StoreError } from './store-error.ts';

/** Whole numbers beyond 2^53 are given as bigint, and read as text by a CAST. */
type Value = string | number | null | Uint8Array;
type Given = Value | bigint;

interface RawStatement {
  run(...values: Given[]): { changes: number | bigint };
  get(...values: Given[]): unknown;
  all(...values: Given[]): unknown[];
}

interface RawDatabase {
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (path: string, options: { timeout: number; readOnly?: boolean }) => RawDatabase;
}

let loaded: SqliteModule | undefined;

/**
 * SQLite is built into Node from 22.13 on; before that it is the compiled package that ours has with it. A bundler takes our code
 * along, and not that package: it is then found from the package as it is installed beside the program. It is looked for once in a
 * process, since finding the package costs milliseconds.
 * @throws StoreError: `unavailable`
 */
export function loadSqlite(path: string): SqliteModule {
  loaded ??=
    (quietly(() => process.getBuiltinModule?.('node:sqlite')) as SqliteModule | undefined) ?? packaged(path);
  return loaded;
}

/** The packages that this code is published in, each of which names its SQLite. */
const OURS = ['remit-cli/package.json', '@remit/client/package.json'];

/**
 * By require: import() of a package outside the bundle would start Node's ESM loader, 20 ms of every start. A bundler that saw the import
 * of `createRequire` would look for what is required, and warn that it cannot tell.
 */
const { createRequire } = process.getBuiltinModule('node:module');

const WANTED =
  'Node has it from 22.13 on; with an older one the package remit-cli, or @remit/client with @photostructure/sqlite, must be installed beside the program, in a bundle too';

function packaged(path: string): SqliteModule {
  const home = places().flatMap((place) => OURS.flatMap((ours) => resolved(place, ours)))[0];
  if (home === undefined) throw new StoreError('unavailable', path, WANTED);
  try {
    return createRequire(home)('#sqlite') as SqliteModule;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StoreError('unavailable', path, code === 'MODULE_NOT_FOUND' ? WANTED : message, {
      cause: error,
    });
  }
}

/** Where this code is, which a bundle may not know or may say of the machine that made it; and the program that was started. */
const places = (): string[] =>
  [import.meta.url as string | undefined, process.argv[1]].filter((place) => typeof place === 'string');

function resolved(place: string, ours: string): string[] {
  try {
    return [createRequire(place).resolve(ours)];
  } catch {
    return [];
  }
}

/** The built-in announces itself as experimental on stderr, which is no news to who moves money. */
function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

export type Row = Record<string, Value>;

export interface Database {
  run(sql: string, ...values: Given[]): number;
  get(sql: string, ...values: Given[]): Row | undefined;
  all(sql: string, ...values: Given[]): Row[];
  exec(sql: string): void;
  /** All or nothing, and alone: other processes wait, at most about five seconds, else `StoreError` busy. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** SQLite's own name for a database without a file. */
export const IN_MEMORY = ':memory:';

/**
 * A writer that waits is not queued: of ten that begin at once, one may go without for over two seconds on a slow machine. Where SQLite does
 * not wait at all, since two would wait for each other, we pause before the next try.
 */
const BUSY_MS = 250;
const PATIENCE_MS = 5_000;
const PAUSE_MS = 10;

/** How a file of a kind gets its tables: made whole, or brought on by one step per version, in order. */
export interface Versions {
  newest: number;
  /** The content of the file, named in the errors that are about it. */
  holds?: StoreContent;
  /** Steps by the version that each begins with. Where one is missing, files of that version are refused: they were never published. */
  steps: Readonly<Record<number, (database: Database) => void>>;
  /** SQL that makes an empty file. */
  whole?: string;
}

/**
 * The file is a regular one of ours alone, made 0600 in a 0700 folder where it was missing, and at the newest version. `first` is run before anything else, while the
 * file is not yet in WAL mode. @throws StoreError
 */
export async function openDatabase(
  path: string,
  versions: Versions,
  { first = '' }: { first?: string } = {},
): Promise<Database> {
  const { DatabaseSync } = loadSqlite(path);
  const open = (): Database => {
    claim(path);
    const raw = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      const database = wrap(raw, path, versions.holds);
      if (first !== '') database.exec(first);
      database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
      migrate(database, path, versions);
      return database;
    } catch (error) {
      raw.close();
      throw error;
    }
  };
  return guarded(path, open, versions.holds);
}

/**
 * Reads one answer from a file that is there, and leaves nothing behind: not even the two files that SQLite puts beside a
 * file in WAL mode, unless another process has them open. @throws StoreError, or whatever SQLite says
 */
export async function readOnce(path: string, sql: string, ...values: Value[]): Promise<Row[]> {
  refuseStrangeDatabase(path);
  const { DatabaseSync } = loadSqlite(path);
  const inUse = existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  const name = inUse ? path : `${pathToFileURL(path).href}?immutable=1`;
  const raw = new DatabaseSync(name, { timeout: BUSY_MS, readOnly: true });
  try {
    return raw.prepare(sql).all(...values) as Row[];
  } finally {
    raw.close();
  }
}

/** Holds the file for this process alone until it is let go of or the process ends; null when another one has it. */
export async function holdFile(path: string): Promise<{ letGo(): void } | null> {
  const { DatabaseSync } = loadSqlite(path);
  return guarded(path, () => {
    claim(path);
    const raw = new DatabaseSync(path, { timeout: 0 });
    try {
      raw.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
      return { letGo: () => raw.close() };
    } catch (error) {
      raw.close();
      if (isBusy(error)) return null;
      throw error;
    }
  });
}

/** Only a missing file is opened for this: closing one would drop the locks that this process has on it (POSIX). */
function claim(path: string): void {
  if (path !== IN_MEMORY) claimDatabaseFile(path);
}

function migrate(database: Database, path: string, { newest, steps, whole }: Versions): void {
  if (versionOf(database) === newest) return;
  database.transaction(() => {
    let version = versionOf(database);
    if (version > newest) throw new StoreError('newer', path, `its version is ${version}`);
    if (version === 0 && whole !== undefined) {
      database.exec(whole);
      version = newest;
    }
    for (; version < newest; version++) {
      const step = steps[version];
      if (step === undefined) throw new StoreError('older', path, `its version is ${version}`);
      step(database);
    }
    database.exec(`PRAGMA user_version=${newest}`);
  });
}

const versionOf = (database: Database): number =>
  Number(database.get('PRAGMA user_version')?.user_version ?? 0);

function wrap(raw: RawDatabase, path: string, holds: StoreContent | undefined): Database {
  const statements = new Map<string, RawStatement>();
  const attempt = <T>(work: () => T): T => guarded(path, () => persistently(work), holds);
  const prepared = (sql: string): RawStatement => {
    const statement = statements.get(sql) ?? raw.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, ...values) => attempt(() => Number(prepared(sql).run(...values).changes)),
    get: (sql, ...values) => attempt(() => prepared(sql).get(...values) as Row | undefined),
    all: (sql, ...values) => attempt(() => prepared(sql).all(...values) as Row[]),
    exec: (sql) => attempt(() => raw.exec(sql)),
    transaction(work) {
      attempt(() => raw.exec('BEGIN IMMEDIATE'));
      return guarded(path, () => committed(raw, work), holds);
    },
    close: () => raw.close(),
  };
}

function committed<T>(raw: RawDatabase, work: () => T): T {
  try {
    const result = work();
    raw.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(raw);
    throw error;
  }
}

/** A full disk may have rolled back already: then there is nothing left to undo, and the first error is the one that counts. */
function rollBack(raw: RawDatabase): void {
  try {
    raw.exec('ROLLBACK');
  } catch {}
}

/** A statement that found the file locked changed nothing: it can be run again. */
function persistently<T>(work: () => T): T {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

function guarded<T>(path: string, work: () => T, holds?: StoreContent): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(error, path, holds);
  }
}
