import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { onFlags, readOn } from '../../../payments/cli/flags/on.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { happenedShape } from '../../../payments/shapes/machine.ts';
import { authorizeRun } from '../../approve.ts';
import { runConclusion } from '../../conclusion.ts';
import { findRun, refuseOtherAccount } from '../../find-run.ts';
import { acceptPaidBefore } from '../../paid-before.ts';
import { refuseWider } from '../../plan-limits.ts';
import { hasOpenRows } from '../../rows-in.ts';
import { EVENTS_OF_RUN, eventsOfRun } from '../../run-events.ts';
import {
  acceptPaidBeforeFlag,
  payFlags,
  readAcceptPaidBefore,
  readInFlight,
  readPerSecond,
  readTolerance,
  toleranceFlag,
} from '../flags/batch.ts';
import { rowView } from '../views/row.ts';
import { runSummaryView } from '../views/run-summary.ts';
import { showConclusion } from './shared/ending.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Pays every row that is not paid yet. It can be interrupted, killed, run again, and run by two people at once: no row is paid twice. Ctrl-C waits for what is on its way. It pauses by itself where a rate moved too far, the balance is too small, ten rows in a row are refused alike, the key is refused, or a row turns out to be paid before, and not by this run (--accept-paid-before goes on without it); run it again to go on. Without a terminal a line is printed every ten seconds; -o ndjson prints each row as it becomes something.

Ends with 0 when every row is paid for, 8 when rows are left to send, 9 when it is not known whether a row was paid, 10 when some were refused, 1 when none was paid.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    ...payFlags,
    ...toleranceFlag,
    ...acceptPaidBeforeFlag,
    ...onFlags(EVENTS_OF_RUN),
    ...sharedStoreFlags,
  },
  shows: [runSummaryView, rowView],
  tells: [happenedShape],
  effect: 'money',
  local: 'write',
  exits: [exitCodes.pending, exitCodes.check, exitCodes.unknown],
  examples: [
    'remit batch run wages-2026-11',
    'remit batch run wages-2026-11 --in-flight 64 --per-second 20',
    'remit batch run wages-2026-11 --yes --live=acme -o ndjson',
  ],
  read: (input) => ({
    run: input.args[0] ?? '',
    inFlight: readInFlight(input),
    perSecond: readPerSecond(input),
    tolerance: readTolerance(input),
    acceptPaidBefore: readAcceptPaidBefore(input),
    on: readOn(input, EVENTS_OF_RUN),
    store: readStore(input),
  }),
  async run(context, { run: given, store: choice, acceptPaidBefore: number, on, ...terms }) {
    const store = await openStore(context, choice);
    const found = await findRun(context, store.payruns, given, 'write');
    const joins = await store.intents.joins();
    await refuseOtherAccount(context, { run: found, payruns: store.payruns, joins });
    refuseWider(found, terms.tolerance);
    if (number !== undefined) await acceptPaidBefore(store.payruns, found, number);
    if (found.state !== 'cancelled' && !(await hasOpenRows(store.payruns, found)))
      return showConclusion(await runConclusion(store.payruns, found));
    const { permit, run } = await authorizeRun(context, store, { run: found, confirmer: context.confirmer });
    const [books, { payRun }, { countPaid }, { storeFailed }, { payProgress }, { hookRunner }] =
      await Promise.all([
        context.ports.books?.(),
        import('../../pay.ts'),
        import('../../progress.ts'),
        import('../../store-failed.ts'),
        import('./shared/progress.ts'),
        import('../../../payments/cli/output/hook-programs.ts'),
      ]);
    const progress = await payProgress(context, await countPaid(store.payruns, run, context.mask));
    const feed = await books?.answerFeed(context);
    const tell = hookRunner(context, on);
    const hears = { onRow: progress.onRow, onTransaction: feed?.add };
    try {
      const end = await payRun(context, store, { run, permit: permit, ...terms, ...hears });
      await progress.stop();
      tell(() => eventsOfRun(store.payruns, run));
      return showConclusion(await runConclusion(store.payruns, run, { end }));
    } catch (error) {
      throw await storeFailed(store.payruns, run, error);
    } finally {
      await progress.stop();
      await feed?.end();
    }
  },
});
