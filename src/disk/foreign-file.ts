/**
 * Tells whether a file is of the kind that we are about to open, by the mark in the header that SQLite keeps for
 * this.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { StoreError } from './store-error.ts';

const MAGIC = 'SQLite format 3\0';
const KIND_AT = 68;
const HEADER_BYTES = 100;

/** A queue is not waited for, and no link is followed. Windows has neither of the two flags. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Looked at before anything is opened: opening would change the file. An empty or missing one is a new one.
 * @throws StoreError: `foreign`
 */
export function refuseForeign(path: string, { kind, what }: { kind: number; what: string }): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const length = readHeader(path, header);
  if (length === 0) return;
  const isSqlite = length === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC;
  if (isSqlite && header.readInt32BE(KIND_AT) === kind) return;
  throw new StoreError('foreign', path, `it is no ${what}`);
}

function readHeader(path: string, header: Buffer): number {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return readSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    /* Missing, or unreadable: opening it says so in its own words. */
    return 0;
  }
}
