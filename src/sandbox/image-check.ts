/** Checks what a snapshot's lines say before anything is replaced: a line that does not fit refuses all of it. */
import { SnapshotError } from './image-reader.ts';
import { isPlain } from './rules/reading.ts';
import { badSetting, badSettings } from './settings.ts';
import type { Steps } from './slices.ts';
import type { SavedState } from './state.ts';
import { tableNames } from './store/memory.ts';
import type { TableName } from './store/port.ts';

export interface Image {
  pieces: Map<string, unknown>;
  rows: [table: TableName, row: unknown][];
}

export const emptyImage = (): Image => ({ pieces: new Map(), rows: [] });

/** Puts what the lines say into the image, a line a step. @throws SnapshotError */
export function* checking(state: SavedState, lines: readonly unknown[], image: Image): Steps {
  const seen = new Set<string>();
  for (const line of lines) {
    const [kind, name, value] = Array.isArray(line) ? line : [];
    if (kind === 'piece' && typeof name === 'string') image.pieces.set(name, value);
    else if (kind === 'row') image.rows.push([tableOf(name), rowOf(name, value, seen)]);
    else throw new SnapshotError('the snapshot has a line that is neither a piece nor a row');
    yield 1;
  }
  for (const { name, read } of state.shared) checkPiece(name, image.pieces.get(name), read());
}

function tableOf(name: unknown): TableName {
  const found = tableNames.find((known) => known === name);
  if (!found) throw new SnapshotError(`the snapshot holds ${name}, which this sandbox does not know`);
  return found;
}

function rowOf(table: string, row: unknown, seen: Set<string>): unknown {
  const key = isPlain(row) ? (table === 'tasks' ? taskKey(row) : row.id) : undefined;
  if (typeof key !== 'string') throw new SnapshotError(`the snapshot has a row of ${table} that is none`);
  const name = `${table} ${key}`;
  if (seen.has(name)) throw new SnapshotError(`the snapshot has ${name} twice`);
  seen.add(name);
  return row;
}

function taskKey({ sequence, due, body }: Record<string, unknown>): string | undefined {
  const whole = Number.isSafeInteger(sequence) && Number.isFinite(due) && isPlain(body);
  return whole ? String(sequence) : undefined;
}

/** Pieces of which every member is needed; the others are lists and maps that may have any. */
const FIXED: readonly string[] = ['clock', 'faults', 'changes'];

function checkPiece(name: string, value: unknown, now: unknown): void {
  const odd = () => new SnapshotError(`the snapshot's ${name.replaceAll('_', ' ')} cannot be read`);
  if (kindOf(value) !== kindOf(now)) throw odd();
  if (Array.isArray(now) && !(value as unknown[]).every((each) => kindOf(each) === kindOf(now[0])))
    throw odd();
  if (FIXED.includes(name) && isPlain(now) && isPlain(value)) {
    const wrong = Object.keys(now).some((member) => kindOf(value[member]) !== kindOf(now[member]));
    if (wrong) throw odd();
  }
  if (name !== 'settings' || !isPlain(value)) return;
  const [bad] = badSettings(value);
  if (bad !== undefined) throw new SnapshotError(`the snapshot's settings cannot be: ${badSetting(bad)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
