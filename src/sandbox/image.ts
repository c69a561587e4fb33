/**
 * A snapshot: everything that a sandbox holds as bytes, its credentials left out, and back. Lines of JSON, gzipped: a version,
 * the pieces, the records in the order they came, and a last line that counts and sums up the others.
 */
import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type State, tableNames } from './state.ts';

const VERSION = 1;

/** These bytes are no snapshot that can be restored; the message says why. Nothing was changed. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

type Line = ['piece', string, unknown] | ['row', string, unknown];

export function writeImage(state: State): Uint8Array {
  const lines = [JSON.stringify({ remit_sandbox_snapshot: VERSION })];
  for (const { name, read } of state.shared) lines.push(JSON.stringify(['piece', name, read()]));
  for (const name of tableNames) {
    for (const row of state.table(name).all()) lines.push(JSON.stringify(['row', name, row]));
  }
  const text = lines.join('\n');
  const end = JSON.stringify({ lines: lines.length, sha256: hash('sha256', text, 'hex') });
  return gzipSync(`${text}\n${end}\n`);
}

/** @throws SnapshotError before anything is changed */
export function restoreImage(state: State, bytes: Uint8Array): void {
  const lines = readLines(bytes);
  for (const name of tableNames) state.table(name).clear();
  const pieces = new Map(state.shared.map((piece) => [piece.name, piece]));
  for (const [kind, name, value] of lines) {
    if (kind === 'piece') pieces.get(name)?.write(value);
    else state.table(name as (typeof tableNames)[number]).insert(value);
  }
  state.resume();
}

function readLines(bytes: Uint8Array): Line[] {
  const lines = unpacked(bytes).split('\n');
  const end = lines.splice(-2)[0] ?? '';
  const [first = ''] = lines;
  const version = member(first, 'remit_sandbox_snapshot');
  if (version === undefined) throw new SnapshotError('this is no snapshot of a sandbox');
  if (version !== VERSION) throw new SnapshotError(`the snapshot has version ${version}, not ${VERSION}`);
  const whole = member(end, 'lines') === lines.length;
  if (!whole || member(end, 'sha256') !== hash('sha256', lines.join('\n'), 'hex')) {
    throw new SnapshotError('the snapshot is damaged or cut short');
  }
  const rest = lines.slice(1).map((line) => JSON.parse(line) as Line);
  const strange = rest.find(([kind, name]) => kind === 'row' && !tableNames.some((known) => known === name));
  if (strange) throw new SnapshotError(`the snapshot holds ${strange[1]}, which this sandbox does not know`);
  return rest;
}

function unpacked(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    throw new SnapshotError(
      packed ? 'the snapshot is damaged or cut short' : 'this is no snapshot of a sandbox',
    );
  }
}

function member(line: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return (value as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}
