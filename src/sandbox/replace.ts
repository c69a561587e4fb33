/**
 * Everything that a sandbox holds, replaced by what an image says: the whole of it or nothing. The new records are put beside the old
 * ones, which go on answering, and take their place in one step. A file is then written anew, in one commit, which the caller makes.
 */
import type { Image } from './image-check.ts';
import { SnapshotError } from './image-reader.ts';
import { auditing } from './ledger/ledger.ts';
import type { Steps } from './slices.ts';
import type { State } from './state.ts';
import { memoryTables } from './store/memory.ts';
import type { SandboxStore } from './store/port.ts';
import type { Whole } from './store/whole.ts';

/** @throws SnapshotError; the tables are as they were then, and what was written to a file the caller takes back */
export function* replacing(state: State, store: SandboxStore, image: Image): Steps {
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

function take(state: State, store: SandboxStore, tables: SandboxStore, pieces: Image['pieces']): void {
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

function writePieces(state: State, pieces: Image['pieces']): void {
  for (const piece of state.shared) piece.write(pieces.get(piece.name));
}
