/**
 * A snapshot: everything that a sandbox holds as bytes, its credentials left out, and back. Lines of JSON, gzipped: a version,
 * the pieces, the records in the order they came, and a last line that counts and sums up the others.
 */
import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { type Image, imageOf } from './image-check.ts';
import {
  DAMAGED,
  IMAGE_VERSION,
  ImageReader,
  imageLimits,
  NO_SNAPSHOT,
  SnapshotError,
} from './image-reader.ts';
import { type State, tableNames } from './state.ts';

export function writeImage(state: State): Uint8Array {
  const lines = [JSON.stringify({ remit_sandbox_snapshot: IMAGE_VERSION })];
  for (const { name, read } of state.shared) lines.push(JSON.stringify(['piece', name, read()]));
  for (const name of tableNames) {
    for (const row of state.table(name).all()) lines.push(JSON.stringify(['row', name, row]));
  }
  const text = lines.join('\n');
  const end = JSON.stringify({ lines: lines.length, sha256: hash('sha256', text, 'hex') });
  return gzipSync(`${text}\n${end}\n`);
}

/** @throws SnapshotError */
export function readImage(state: State, bytes: Uint8Array): Image {
  const reader = new ImageReader();
  reader.push(unpacked(bytes));
  return imageOf(state, reader.end());
}

function unpacked(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: imageLimits.maxBytes });
  } catch (error) {
    throw unreadable(error, bytes);
  }
}

/** The same from bytes as they come: no more of them is held than a line. @throws SnapshotError */
export async function readImageStream(state: State, source: AsyncIterable<Uint8Array>): Promise<Image> {
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
    return imageOf(state, reader.end());
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

/** @throws whatever stood in the way; then half of it may be there, and `undo` is asked for */
export function putImage(state: State, { pieces, rows }: Image): void {
  for (const name of tableNames) state.table(name).clear();
  for (const piece of state.shared) piece.write(pieces.get(piece.name));
  for (const [table, row] of rows) state.table(table).insert(row);
  state.resume();
}

/** What is there now, to be put back: rows by reference, since nobody changes them meanwhile. */
export function imageOfNow(state: State): Image {
  const pieces = state.shared.map(({ name, read }) => [name, structuredClone(read())] as const);
  const rows = tableNames.flatMap((name) =>
    [...state.table(name).all()].map((row): Image['rows'][number] => [name, row]),
  );
  return { pieces: new Map(pieces), rows };
}
