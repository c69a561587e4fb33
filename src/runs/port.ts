/** Pay runs as payments ask them (`payments/desk.ts`). */
import type { Intent } from '../client/store/port.ts';
import { said } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { runsOfFile } from './open-store.ts';
import { isTwoPerson } from './rule.ts';

export { onlyLookedFor } from './settle.ts';

const MOST_RUNS = 1000;

/** A row of a run for two persons is called unpaid by the other of the two, who has another key. @throws Problem (usage) */
export async function refuseRowOfTwo(
  desk: Desk,
  { id, baseUrl, command, externalId }: Intent,
): Promise<void> {
  if (externalId === undefined || !command.startsWith('batch ')) return;
  const payruns = await (await desk.store()).part(runsOfFile);
  for (const run of (await payruns.list({ baseUrl, limit: MOST_RUNS })).filter(isTwoPerson)) {
    const row = await payruns.row(run.id, externalId);
    if (row?.intentId !== id) continue;
    throw usage(
      `it is row ${row.key} of the run "${run.name}", which wants two persons`,
      said`the other person says it: ${{ do: 'settle_run', name: run.name, rows: row.key }}`,
    );
  }
}
