/**
 * Files of our own (decision 0023). A path from outside may lead anywhere: to a folder, a device, a planted link.
 * So a file is made with its mode and never changed afterwards, no link is followed, and what is not a regular file of this user
 * is left alone.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from './store-error.ts';

/** Windows has neither of the two flags: there they are nothing. */
const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const IS_WINDOWS = process.platform === 'win32';

/** The endings of files that SQLite keeps beside a database; it would follow a link of such a name. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Makes the file (0600), and folders that are missing (0700), where nothing is there yet. @throws StoreError, and errors of the
 * system
 */
export function claimDatabaseFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!isThere(path)) makeEmpty(path);
  refuseStrangeDatabase(path);
}

/**
 * Refuses a file, and companions of it, that others than this user can open or that are not regular.
 * @throws StoreError
 */
export function refuseStrangeDatabase(path: string): void {
  for (const file of [path, ...COMPANIONS.map((end) => path + end)]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats) refuseStrange(file, stats);
  }
}

/** The text of a small file of ours; undefined where there is none. A queue or a device is not waited for. @throws StoreError */
export function readOwnFile(path: string): string | undefined {
  if (!isThere(path)) return undefined;
  refuseStrange(path, lstatSync(path));
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    refuseStrange(path, fstatSync(file));
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces the file whole. The draft is made exclusively: where a link was put in its place meanwhile, nothing is
 * written. A link under the name itself is replaced, never followed.
 */
export function replaceOwnFile(path: string, text: string, draft = `${path}.new`): void {
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Makes a file (0600), whole or not at all: a draft beside it gets the name once all of it is on the disk. False where something
 * has that name already, unless it is to be replaced. Folders that are missing are made (0700).
 */
export function makeOwnFile(
  path: string,
  content: Uint8Array,
  { draft = `${path}.new`, replace = false }: { draft?: string; replace?: boolean } = {},
): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!replace && isThere(path)) return false;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    if (replace) renameSync(draft, path);
    else linkSync(draft, path);
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'link') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function makeEmpty(path: string): void {
  try {
    closeSync(openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  } catch (error) {
    // Another process made one meanwhile: it is looked at like any other.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function refuseStrange(path: string, stats: Stats): void {
  const detail = strangeness(path, stats);
  if (detail !== null) throw new StoreError('unsafe', path, detail);
}

/** Why it is not opened; null for a regular file of this user alone. */
function strangeness(path: string, stats: Stats): string | null {
  if (stats.isSymbolicLink()) return 'it is a link: name the file itself';
  if (stats.isDirectory()) return 'it is a folder: name a file in it';
  if (!stats.isFile()) return 'it is no regular file: name another one';
  if (IS_WINDOWS) return null;
  if (stats.uid !== process.geteuid?.())
    return `it belongs to another user (uid ${stats.uid}): name one of your own`;
  const mode = stats.mode & 0o777;
  if ((mode & 0o077) === 0) return null;
  const others = (mode & 0o022) !== 0 ? 'change' : 'read';
  return `other users can ${others} it (mode ${mode.toString(8)}): close it with chmod 600 ${path}`;
}
