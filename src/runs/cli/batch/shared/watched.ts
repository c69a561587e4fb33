/** A worker as `--admin` tells of it: its store, the rows of its account, and its requests to the service. */

import type { AdminAddress } from '../../../../payments/cli/admin/flag.ts';
import { gauge, type Readings, secondsOf } from '../../../../payments/cli/admin/meter.ts';
import { openAdmin } from '../../../../payments/cli/admin/open.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import type { OpenedPayStore } from '../../../open-store.ts';

type Watching = NonNullable<OpenedPayStore['watching']>;

export interface WatchedWorker {
  /** Its store is there. */
  opened(store: OpenedPayStore): void;
}

export async function watchWorker(context: Context, address: AdminAddress): Promise<WatchedWorker> {
  const { baseUrl } = await context.connection();
  let watching: Watching | undefined;
  await openAdmin(context, address, {
    troubles: () => (watching === undefined ? ['the store is not open'] : []),
    commit: async () => watching?.commit(),
    stored: async () => (watching === undefined ? {} : readingsOf(await watching.figures(baseUrl))),
  });
  return {
    opened(store) {
      watching = store.watching;
    },
  };
}

const readingsOf = (figures: Awaited<ReturnType<Watching['figures']>>): Readings => ({
  remit_outcomes_unknown: gauge(figures.unsettled),
  remit_outcomes_unknown_oldest_timestamp_seconds: gauge(secondsOf(figures.oldestUnsettledAt)),
  remit_run_rows: Object.entries(figures.rows).map(([state, rows]) => [[state], rows]),
  remit_runs_paused: gauge(figures.paused),
});
