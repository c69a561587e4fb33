/**
 * SQLite itself: built into Node from 22.13 on, else the compiled package that ours has with it. A bundler takes our code along, and
 * not that package: it is then found from the package as it is installed beside the program.
 */
import { StoreError } from '../files/store-error.ts';

/** Whole numbers beyond 2^53 are given as bigint, and read as text by a CAST. */
export type Value = string | number | null | Uint8Array;
export type Given = Value | bigint;

export interface RawStatement {
  run(...values: Given[]): { changes: number | bigint };
  get(...values: Given[]): unknown;
  all(...values: Given[]): unknown[];
}

export interface RawDatabase {
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (path: string, options: { timeout: number; readOnly?: boolean }) => RawDatabase;
}

let loaded: SqliteModule | undefined;

/** Looked for once in a process: finding the package costs milliseconds. @throws StoreError: `unavailable` */
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
