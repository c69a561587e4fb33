/** A store of pay runs as those see it who watch its workers. */
import type { RowState } from './port.ts';

/** Figures of one account to monitor a worker. Times are milliseconds since 1970. */
export interface StoreFigures {
  /** Rows of the runs that are approved or paused and were planned within 31 days. Each state is there. */
  rows: Readonly<Record<RowState, number>>;
  /** Runs that are paused, whenever they were planned. */
  paused: number;
  /** Intents that are open or unknown, those under way among them. */
  unsettled: number;
  oldestUnsettledAt: number | null;
}

/** Reads and tries a store that several machines share, beside the work. */
export interface StoreWatching {
  /** Writes something that changes nothing, and resolves when it is committed. @throws StoreError */
  commit(): Promise<void>;
  /** Reads in one question. @throws StoreError */
  figures(baseUrl: string): Promise<StoreFigures>;
}
