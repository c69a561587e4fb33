/** The local store with all that slices keep in it at hand. */
import { createPrepared } from '../../src/agents/store/prepared.ts';
import type { StoreDependencies } from '../../src/client/store/intent-writes.ts';
import { type JournalFile, openJournalFile } from '../../src/client/store/journal-file.ts';
import { createDailyAllowance } from '../../src/payments/store/daily-allowance.ts';
import { runsOfFile } from '../../src/runs/open-store.ts';

export async function openStore(path: string, dependencies: StoreDependencies) {
  const file: JournalFile = await openJournalFile(path, dependencies);
  return {
    ...file,
    letThrough: file.part(createDailyAllowance),
    prepared: file.part(createPrepared),
    payruns: () => file.part(runsOfFile),
  };
}
export type Store = Awaited<ReturnType<typeof openStore>>;
