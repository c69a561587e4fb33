/**
 * A snapshot: everything that a sandbox holds as bytes, its credentials left out, and back. Lines of JSON, gzipped: a version,
 * the pieces, the records in the order they came, and a last line that counts and sums up the others.
 */

import { createHash, hash } from 'node:crypto';
import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { checking, emptyImage, type Image } from './image-check.ts';
import {
  DAMAGED,
  IMAGE_VERSION,
  ImageReader,
  imageLimits,
  NO_SNAPSHOT,
  SnapshotError,
} from './image-reader.ts';
import { auditing } from './ledger/ledger.ts';
import { inOneGo, inSlices, type Steps } from './slices.ts';
import type { SavedState } from './state.ts';
import { memoryTables, tableNames } from './store/memory.ts';
import type { SandboxStore, TableName } from './store/port.ts';
import type { Whole } from './store/table-contract.ts';

/** Reads change these too, while a snapshot is taken: they are looked at first, and are bounded. */
const CHANGED_BY_READS: readonly TableName[] = ['apiLogs', 'nonces'];

/** The lines but the last. All that may change before the last of them is read is looked at now. */
function linesOf(state: SavedState): Iterable<string> {
  const first = [JSON.stringify({ remit_sandbox_snapshot: IMAGE_VERSION })];
  for (const { name, read } of state.shared) first.push(JSON.stringify(['piece', name, read()]));
  const early = new Map(CHANGED_BY_READS.map((name) => [name, [...state.table(name).all()]]));
  return (function* () {
    yield* first;
    for (const name of tableNames) {
      for (const row of early.get(name) ?? state.table(name).all()) yield JSON.stringify(['row', name, row]);
    }
  })();
}

const lastLine = (lines: number, sha256: string): string => `${JSON.stringify({ lines, sha256 })}\n`;

export function writeImage(state: SavedState): Uint8Array {
  const lines = [...linesOf(state)];
  const text = lines.join('\n');
  return gzipSync(`${text}\n${lastLine(lines.length, hash('sha256', text, 'hex'))}`);
}

/** Text that is handed to the packer at a time: about a millisecond's work. */
const PART = 262_144;

/** The same in slices, packed beside the event loop. Nothing may change meanwhile but what reads change. */
export async function writeImageInSlices(state: SavedState): Promise<Uint8Array> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const sum = createHash('sha256');
  let part = '';
  let count = 0;
  const hand = async () => {
    sum.update(part);
    const hasRoom = gzip.write(part);
    part = '';
    await (hasRoom ? nextTurn() : once(gzip, 'drain'));
  };
  for (const line of linesOf(state)) {
    part += count === 0 ? line : `\n${line}`;
    count += 1;
    if (part.length >= PART) await hand();
  }
  await hand();
  gzip.end(`\n${lastLine(count, sum.digest('hex'))}`);
  await once(gzip, 'end');
  return Buffer.concat(chunks);
}

/** @throws SnapshotError */
export function readImage(state: SavedState, bytes: Uint8Array): Image {
  const reader = new ImageReader();
  reader.push(unpacked(bytes));
  const image = emptyImage();
  inOneGo(checking(state, reader.end(), image));
  return image;
}

function unpacked(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: imageLimits.maxBytes });
  } catch (error) {
    throw unreadable(error, bytes);
  }
}

/** The same from bytes as they come: no more of them is held than a line. @throws SnapshotError */
export async function readImageStream(state: SavedState, source: AsyncIterable<Uint8Array>): Promise<Image> {
  const reader = new ImageReader();
  let first: Uint8Array | undefined;
  const packed = (async function* () {
    for await (const chunk of source) {
      first ??= chunk;
      yield chunk;
    }
  })();
  const gunzip = createGunzip();
  pipeline(Readable.from(packed), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) reader.push(chunk);
    if (!first) throw new SnapshotError(NO_SNAPSHOT);
    const image = emptyImage();
    await inSlices(checking(state, reader.end(), image));
    return image;
  } catch (error) {
    throw unreadable(error, first ?? new Uint8Array());
  }
}

function unreadable(error: unknown, [one, two]: Uint8Array): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return new SnapshotError('the snapshot is too large unpacked');
  if (!code.startsWith('Z_')) return error;
  return new SnapshotError(one === 0x1f && two === 0x8b ? DAMAGED : NO_SNAPSHOT);
}

/**
 * Everything that a sandbox holds, replaced by what an image says: the whole of it or nothing. The new
 * records are put beside the old ones, which go on answering, and take their place in one step. A file is
 * then written anew, in one commit, which the caller makes.
 * @throws SnapshotError; the tables are as they were then, and what was written to a file the caller takes back
 */
export function* replacing(state: SavedState, store: SandboxStore, image: Image): Steps {
  try {
    const beside = memoryTables();
    yield* putting(image, beside);
    yield* auditing(beside.postings.all(), balancesOf(image));
    const before = { ...store };
    const pieces = new Map(state.shared.map(({ name, read }) => [name, structuredClone(read())]));
    try {
      take(state, store, beside, image.pieces);
    } catch (error) {
      take(state, store, before, pieces);
      throw error;
    }
  } catch (error) {
    throw new SnapshotError(`the snapshot does not fit: ${error instanceof Error ? error.message : error}`);
  }
  if (store.durable) yield* store.durable.rewriting();
}

function take(state: SavedState, store: SandboxStore, tables: SandboxStore, pieces: Image['pieces']): void {
  Object.assign(store, tables);
  writePieces(state, pieces);
  state.resume();
}

function* putting({ rows }: Image, store: SandboxStore): Steps {
  for (const [name, row] of rows) {
    (store[name] as Whole<unknown>).insert(row);
    yield 1;
  }
}

const balancesOf = ({ pieces }: Image) => pieces.get('balances') as Record<string, string>;

function writePieces(state: SavedState, pieces: Image['pieces']): void {
  for (const piece of state.shared) piece.write(pieces.get(piece.name));
}
