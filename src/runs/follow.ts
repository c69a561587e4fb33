/** Follows the rows of a run to their ends, within the service's budget of reads (docs/rules.md 11). */
import { isLoopback } from '../core/hosts.ts';
import type { Desk } from '../payments/desk.ts';
import { tolerant } from '../payments/polling.ts';
import { inboxFeed, observeByList } from './observe.ts';
import { type RowsByState, rowsByState } from './progress.ts';
import { summaryOfRun } from './run-summary.ts';
import type { PayRun, PayRuns, RowSum } from './store/port.ts';

const FREQUENT_MS = 500;
/** A whole list is some pages: it is read often at first, then every ten minutes. */
const SPARSE_MS = [30_000, 60_000, 120_000, 300_000];
const SPARSE_THEN_MS = 600_000;
const INBOX_MS = 1_000;

export interface Following {
  run: PayRun;
  timeoutMs: number | undefined;
  onLook(rows: RowsByState): void;
}

/** Ends when nothing will change by itself, when the time is up, or when the desk's signal fires. */
export async function followRun(
  desk: Desk,
  payruns: PayRuns,
  { run, timeoutMs, onLook }: Following,
): Promise<void> {
  const { baseUrl } = await desk.connection();
  const frequent = isLoopback(new URL(baseUrl).hostname);
  const feed = await inboxFeed(desk, payruns, run);
  const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : desk.clock.now() + timeoutMs;
  const look = tolerant(desk);
  let listAt = Number.NEGATIVE_INFINITY;
  for (let lists = 0; ; ) {
    await feed?.read();
    const pause = frequent ? FREQUENT_MS : (SPARSE_MS[lists] ?? SPARSE_THEN_MS);
    if (desk.clock.now() - listAt >= (lists === 0 ? 0 : pause)) {
      await look(() => observeByList(desk, payruns, run));
      listAt = desk.clock.now();
      lists += 1;
    }
    const sums = await payruns.sums(run.id);
    onLook(rowsByState(sums));
    if (isOver(run, sums)) return;
    const left = Math.min(until - desk.clock.now(), listAt + pause - desk.clock.now());
    if (until <= desk.clock.now() || desk.signal.aborted) return;
    await desk.sleep(Math.max(1, feed === undefined ? left : Math.min(left, INBOX_MS)), desk.signal);
    if (desk.signal.aborted) return;
  }
}

/** An error waits for people; a planned row waits for a user to pay it. */
function isOver(run: PayRun, sums: readonly RowSum[]): boolean {
  const { counts } = summaryOfRun(run, { sums, found: [] }, 'paid');
  return counts.created === 0 && counts.sending === 0;
}
