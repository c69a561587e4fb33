/**
 * Everything that a sandbox holds, replaced by what an image says: the whole of it or nothing. In memory the new records are put
 * beside the old ones, which go on answering, and take their place in one step. In a file it is one commit, which the caller makes.
 */
import type { Image } from './image-check.ts';
import { SnapshotError } from './image-reader.ts';
import { auditing } from './ledger/ledger.ts';
import type { Steps } from './slices.ts';
import { type State, tableNames } from './state.ts';
import { memoryStore } from './store/memory.ts';
import type { SandboxStore } from './store/port.ts';
import type { Whole } from './store/whole.ts';

/** Records between two writes to a file that are not a commit: what was written need not stay in memory. */
const AT_ONE_WRITE = 1_000;

/** @throws SnapshotError; in memory everything is as it was then, and in a file the caller takes it back */
export function* replacing(state: State, store: SandboxStore, image: Image): Steps {
  try {
    if (store.durable) yield* replacingInFile(state, store, image);
    else yield* replacingInMemory(state, store, image);
  } catch (error) {
    throw new SnapshotError(`the snapshot does not fit: ${error instanceof Error ? error.message : error}`);
  }
}

function* replacingInMemory(state: State, store: SandboxStore, image: Image): Steps {
  const beside = memoryStore();
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
}

function take(state: State, store: SandboxStore, tables: SandboxStore, pieces: Image['pieces']): void {
  Object.assign(store, tables);
  writePieces(state, pieces);
  state.resume();
}

function* replacingInFile(state: State, store: SandboxStore, image: Image): Steps {
  for (const name of tableNames) {
    store[name].clear();
    store.durable?.write();
    yield AT_ONE_WRITE;
  }
  yield* putting(image, store);
  yield* auditing(store.postings.all(), balancesOf(image));
  writePieces(state, image.pieces);
  yield* state.resuming();
}

function* putting({ rows }: Image, store: SandboxStore): Steps {
  let count = 0;
  for (const [name, row] of rows) {
    (store[name] as Whole<unknown>).insert(row);
    count += 1;
    if (count % AT_ONE_WRITE === 0) store.durable?.write();
    yield 1;
  }
}

const balancesOf = ({ pieces }: Image) => pieces.get('balances') as Record<string, string>;

function writePieces(state: State, pieces: Image['pieces']): void {
  for (const piece of state.shared) piece.write(pieces.get(piece.name));
}
