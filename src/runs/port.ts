/** Pay runs as other slices ask them (`payments/desk.ts`). */
import type { Intent } from '../client/store/port.ts';
import { counted } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import type { Desk, KeptEdit, UnsureRow, WaitingRun } from '../payments/desk.ts';
import { USUAL } from '../payments/shared-store.ts';
import { shownDigest } from '../profiles/digest.ts';
import { awaitsApproval } from './approve.ts';
import { openPayStore, runsOfFile } from './open-store.ts';
import { whoPlanned, whoRejected } from './persons.ts';
import { rowsIn } from './rows-in.ts';
import { isTwoPerson } from './rule.ts';
import { mayBecome, newsOfRecipient } from './states.ts';
import { rowStatesThat } from './store/port.ts';

export { onlyLookedFor } from './settle.ts';

const MOST_RUNS = 1000;

/** The account of a row is written as the edit asked for it: so the next file has it. */
export async function keepEdit(
  desk: Desk,
  { intentId, recipient, externalId, changes }: KeptEdit,
): Promise<void> {
  if (externalId === undefined) return;
  const { payruns } = await openPayStore(desk, USUAL);
  const { baseUrl } = await desk.connection();
  const date = (await desk.client()).date();
  const { shown, ...heard } = newsOfRecipient(recipient);
  if (shown === undefined) return;
  const by = { edit: intentId, at: date ?? desk.clock.now() };
  const news = { ...heard, shown: { ...shown, details: { ...shown.details, ...changes }, at: date, by } };
  for (const { id } of await payruns.list({ baseUrl, limit: MOST_RUNS })) {
    const row = await payruns.row(id, externalId);
    if (row?.externalId === externalId && row.recipientId === heard.recipientId)
      await payruns.observe(id, [{ externalId, news }], mayBecome);
  }
}

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
      hint`the other person says it: ${{ do: 'settle_run', name: run.name, rows: row.key }}`,
    );
  }
}

const UNSURE = rowStatesThat(({ unsure }) => unsure);

export async function unsureRows(desk: Desk, since: number): Promise<UnsureRow[]> {
  const { payruns } = await openPayStore(desk, USUAL);
  const { baseUrl } = await desk.connection();
  const found: UnsureRow[] = [];
  for (const run of await payruns.list({ baseUrl, limit: MOST_RUNS })) {
    if (run.forgotten !== undefined) continue;
    for await (const rows of rowsIn(payruns, run, [...UNSURE, 'handed_on']))
      for (const row of rows)
        if (row.updatedAt >= since)
          found.push({
            ...{ run: run.name, key: row.key, as: row.handed?.as ?? row.externalId },
            ...{ body: JSON.parse(row.body), state: row.state, at: row.updatedAt },
          });
  }
  return found;
}

/** Runs that wait for a person's approval. */
export async function waitingRuns(desk: Desk, most: number): Promise<WaitingRun[]> {
  const { payruns } = await openPayStore(desk, USUAL);
  const { baseUrl } = await desk.connection();
  const found = await payruns.list({ baseUrl, limit: most });
  return found
    .filter((run) => run.state !== 'cancelled' && awaitsApproval(run))
    .map((run) => ({
      id: run.id,
      at: isoTime(run.createdAt),
      summary: `pay run ${run.name}, ${counted(run.rows, 'row')}`,
      note: run.rejection ? `rejected by ${whoRejected(run.rejection)}: ${run.rejection.because}` : null,
      who: whoPlanned(run),
      next: { do: 'approve_run', name: run.name, digest: shownDigest(run.digest) },
      run: run.name,
    }));
}
