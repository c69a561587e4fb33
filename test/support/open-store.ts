/** The local store with all that slices keep in it at hand. */
import { createPrepared } from '../../src/agents/store/prepared.ts';
import type { StoreDependencies } from '../../src/client/store/intent-writes.ts';
import { type JournalFile, openJournalFile } from '../../src/client/store/journal-file.ts';
import { createLetThrough } from '../../src/payments/store/let-through.ts';
import { runsOfFile } from '../../src/runs/open-store.ts';

export async function openStore(path: string, dependencies: StoreDependencies) {
  const file: JournalFile = await openJournalFile(path, dependencies);
  return {
    ...file,
    letThrough: file.part(createLetThrough),
    prepared: file.part(createPrepared),
    payruns: () => file.part(runsOfFile),
  };
}
export type Store = Awaited<ReturnType<typeof openStore>>;
