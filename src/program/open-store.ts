/** The local store: its file, with the pay runs that are kept there. */

import type { StoreDependencies } from '../client/store/intent-writes.ts';
import { type JournalFile, openJournalFile } from '../client/store/journal-file.ts';
import type { PayRuns } from '../runs/store/port.ts';

export interface Store extends Omit<JournalFile, 'parts'> {
  /** Loaded when it is first asked for. */
  payruns(): Promise<PayRuns>;
}

/** Opens the file, or makes it. @throws StoreError when it cannot be opened, read or written */
export async function openStore(path: string, dependencies: StoreDependencies): Promise<Store> {
  const { parts, ...file } = await openJournalFile(path, dependencies);
  return {
    ...file,
    async payruns() {
      const { createPayRuns } = await import('../runs/store/sqlite.ts');
      const { database, ...more } = parts;
      return createPayRuns(database, { ...dependencies, ...more });
    },
  };
}
