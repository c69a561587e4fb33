import {
  type PayRow,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowState,
} from '../../../core/ports/payruns.ts';
import { usage } from '../../../core/problem.ts';
import { findRun } from '../../../desk/payruns/find-run.ts';
import { forgottenNotes } from '../../../desk/payruns/forgotten.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { openStore } from '../../batch/store.ts';
import { command } from '../../command.ts';
import { type AskedLimit, listFlags, readLimits } from '../../flags/listing.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';
import { limitsOf } from '../../output/limits.ts';
import { printKept } from '../../output/show-list.ts';
import { rowView, type ShownRow, shownRow } from '../../views/payrun-row.ts';

interface RowsOptions {
  run: string;
  states: RowState[];
  limits: AskedLimit;
  store: StoreChoice;
}

export { rows as command };

const rows = command({
  description: 'Rows in the order of the file, with what became of each.',
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    state: {
      value: 'state',
      summary: 'rows in this state; may be given several times',
      choices: ROW_STATES,
      many: true,
    },
    ...listFlags,
    ...sharedStoreFlags,
  },
  shows: [rowView],
  effect: 'read',
  examples: ['remit batch rows wages-2026-11 --state refused', 'remit batch rows wages-2026-11 -o csv'],
  read: (input): RowsOptions => ({
    run: input.args[0] ?? '',
    states: input.flags.state.map(stateNamed),
    limits: readLimits(input),
    store: readStore(input),
  }),
  async run(context, { run: given, states, limits: asked, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    const limits = limitsOf(context, asked);
    const sums = await payruns.sums(run.id);
    const total = sums
      .filter(({ state }) => states.length === 0 || states.includes(state))
      .reduce((all, sum) => all + sum.rows, 0);
    return printKept(context, limits, {
      view: rowView,
      what: 'rows',
      pages: pagesOf(payruns, run, states, limits.limit),
      total,
      notes: forgottenNotes(run),
    });
  },
});

function stateNamed(given: string): RowState {
  const state = ROW_STATES.find((one) => one === given.toLowerCase().replaceAll('-', '_'));
  if (state === undefined) throw usage(`a row has no state "${given}"`, ROW_STATES.join(', '));
  return state;
}

const PAGE = 500;

async function* pagesOf(
  payruns: PayRuns,
  run: PayRun,
  states: readonly RowState[],
  limit: number,
): AsyncGenerator<ShownRow[]> {
  let left = limit;
  let last: PayRow | undefined;
  while (left > 0) {
    const page: PayRow[] = await payruns.rows(run.id, {
      states: states.length === 0 ? undefined : states,
      after: last?.n,
      limit: Math.min(PAGE, left),
    });
    if (page.length === 0) return;
    yield page.map(shownRow);
    left -= page.length;
    last = page.at(-1);
  }
}
