/** Errors of the file that we keep things in, as sentences for people. When one occurs, nothing is sent. */
import { byWord } from '../core/by-word.ts';
export type StoreErrorKind =
  | 'unwritable'
  | 'full'
  | 'broken'
  | 'corrupt'
  | 'busy'
  | 'newer'
  | 'older'
  | 'foreign'
  | 'unsafe'
  | 'unreachable'
  /** It is unknown whether a write to it stands. */
  | 'unsure'
  | 'denied'
  | 'untrusted'
  | 'unreadable'
  | 'remade'
  | 'unavailable'
  | 'failed';

/** The kind of things that are kept there, where the opener named it. */
export type StoreContent = 'journal' | 'inbox' | 'sandbox' | 'books' | 'nonces';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly holds: StoreContent | undefined;
  constructor(
    readonly kind: StoreErrorKind,
    readonly path: string,
    readonly detail: string,
    { cause, holds }: { cause?: unknown; holds?: StoreContent | undefined } = {},
  ) {
    super(`${sentence(kind, path)} (${detail})`, cause === undefined ? undefined : { cause });
    this.holds = holds;
  }
}

/** A store with an address is not a local one. The path is a text of its own: no sign in it means anything. */
function sentence(kind: StoreErrorKind, path: string): string {
  const text = path.includes('://') ? SENTENCES[kind].replace('local store', 'store') : SENTENCES[kind];
  return text.replace('PATH', () => path);
}

const SENTENCES: Record<StoreErrorKind, string> = {
  unwritable: 'the local store PATH cannot be opened or written: check that its folder exists and is yours',
  full: 'the local store PATH cannot grow: the disk is full',
  broken: 'the local store PATH could not be read or written: look whether its disk is full, or broken',
  corrupt: 'the local store PATH is damaged',
  busy: 'the local store PATH is held by another process: wait for it to end, and try again',
  newer: 'the local store PATH was written by a newer version of remit: use that one',
  older: 'the local store PATH was written by a version of remit before 0.1, and is left as it is',
  foreign: 'PATH is left as it is: choose another file',
  unsafe: 'PATH is not opened, and was left as it is',
  unreachable: 'the store PATH does not answer: check that it runs, and its address',
  unsure:
    'the store PATH did not say whether it kept what was written, and could not be asked: nothing more was done',
  denied:
    'the store PATH does not let us in: check the user, the password, the database and the rights in it',
  untrusted: 'the store PATH is not sent anything: who it is could not be verified',
  unreadable: 'a file that the address of the store PATH names cannot be read',
  remade: 'the local store PATH was made anew meanwhile: try again',
  unavailable: 'the local store PATH cannot be opened, since SQLite was not found',
  failed: 'the local store PATH failed',
};

/** SQLite's primary result codes. */
const BY_RESULT: Readonly<Record<number, StoreErrorKind>> = {
  3: 'unwritable',
  5: 'busy',
  6: 'busy',
  8: 'unwritable',
  10: 'broken',
  11: 'corrupt',
  13: 'full',
  14: 'unwritable',
  26: 'corrupt',
};
const BY_CODE: Readonly<Record<string, StoreErrorKind>> = byWord({
  EACCES: 'unwritable',
  EPERM: 'unwritable',
  EROFS: 'unwritable',
  ENOTDIR: 'unwritable',
  EISDIR: 'unwritable',
  EEXIST: 'unwritable',
  ENOENT: 'unwritable',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
});

export function isBusy(error: unknown): boolean {
  return kindOf(error) === 'busy';
}

/** The error for people; errors that are not of the file system or the database are handed back as they are. */
export function asStoreError(error: unknown, path: string, holds?: StoreContent): unknown {
  if (error instanceof StoreError)
    return error.holds !== undefined || holds === undefined
      ? error
      : new StoreError(error.kind, error.path, error.detail, { cause: error.cause, holds });
  const kind = kindOf(error);
  return kind === null
    ? error
    : new StoreError(kind, path, (error as Error).message, { cause: error, holds });
}

function kindOf(error: unknown): StoreErrorKind | null {
  if (!(error instanceof Error)) return null;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  if (code === 'ERR_SQLITE_ERROR') return BY_RESULT[(errcode ?? 0) & 0xff] ?? 'failed';
  return BY_CODE[code ?? ''] ?? null;
}
