import { hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes, exitOfEndings } from '../../../frame/exit-codes.ts';
import { logFlag } from '../../../frame/log/flag.ts';
import type { Log } from '../../../frame/log/log.ts';
import { streamOf } from '../../../frame/output/stream-out.ts';
import { adminFlag, readAdmin } from '../../../payments/cli/admin/flag.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { onFlags, readOn } from '../../../payments/cli/flags/on.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { toldPrograms } from '../../../payments/cli/output/told-programs.ts';
import { happenedShape } from '../../../payments/shapes/machine.ts';
import { namedStore } from '../../../payments/shared-store.ts';
import { isPostgres } from '../../../profiles/paths.ts';
import { endingsOfWorked } from '../../conclusion.ts';
import { EVENTS_OF_RUN, eventsOfRun } from '../../happened.ts';
import { shownRun } from '../../shown.ts';
import { type Working, whenReachable, workOn } from '../../work.ts';
import { leaseFlag, payFlags, readInFlight, readLease, readPerSecond } from '../flags/batch.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `A worker: takes part in every approved run of its account, with any number of others on any machine, until Ctrl-C. Each takes rows in windows under a lease; the window of one that dies is taken over within a minute, and no row is paid twice. It approves nothing, and asks nobody: in production it needs --yes and --live=<profile>. A run that may not be paid as its profile wants it is left alone, and it is said why.

With --once it ends as remit batch run does, with the worst of its runs: 0 when every row is paid for, 8 when rows are left to send, 9 when it is not known whether a row was paid, 10 when some were refused. One that it left alone counts as it would for remit batch run: 2 where it is not approved, 1 where somebody rejected it, 10 where a signature is forged.`,
  flags: {
    ...payFlags,
    ...leaseFlag,
    ...onFlags(EVENTS_OF_RUN),
    once: { summary: 'end when no approved run has rows left to send' },
    ...sharedStoreFlags,
    ...adminFlag,
    ...logFlag,
  },
  shows: [runView],
  tells: [happenedShape],
  effect: 'money',
  local: 'write',
  exits: [exitCodes.pending, exitCodes.check, exitCodes.unknown],
  examples: [
    'remit batch work --store postgres://remit@localhost/remit',
    'remit batch work --store postgres://remit@localhost/remit --once --in-flight 64',
  ],
  read(input) {
    return {
      inFlight: readInFlight(input),
      perSecond: readPerSecond(input),
      leaseMs: readLease(input),
      once: input.flags.once,
      on: readOn(input, EVENTS_OF_RUN),
      store: readStore(input),
      admin: readAdmin(input),
    };
  },
  async run(context, { store: choice, once, on, admin, ...terms }) {
    const where = namedStore(context, choice);
    if (where === undefined || !isPostgres(where))
      throw usage(
        'workers share a PostgreSQL',
        hint`such as ${{ give: 'store', value: 'postgres://user@db.example.com/remit' }}; on one machine, ${{ do: 'pay_run', name: 'RUN' }} is enough`,
      );
    const watch = admin && (await import('./shared/watched.ts')).watchWorker;
    const watched = admin && watch && (await watch(context, admin));
    const open = () => openStore(context, choice);
    // A worker started with --once is started again, and does not wait.
    const store = once ? await open() : await whenReachable(context, open);
    if (store === undefined) return { done: true };
    watched?.opened(store);
    const { log } = context.process;
    if (log) await tellReady(context, log, store.where);
    const show = await streamOf(context, runView);
    const tell = toldPrograms(context, on);
    const feed = await (await context.ports.books?.())?.answerFeed(context);
    try {
      const worked = await workOn(context, store, {
        ...terms,
        once,
        confirmer: context.confirmer,
        onTransaction: feed?.add,
        onRow: log && rowLog(log),
        onEnd(run) {
          log?.event('run_ended', { run: run.name, state: run.state, rows: run.rows });
          tell(() => eventsOfRun(store.payruns, run));
          return show(shownRun(run));
        },
      });
      if (!once) return { done: true };
      return { done: true, exit: exitOfEndings(await endingsOfWorked(store.payruns, worked)) };
    } finally {
      await feed?.end();
    }
  },
});

async function tellReady(context: Context, log: Log, store: string): Promise<void> {
  const { name: profile } = await context.connection();
  log.event('ready', { of: 'worker', profile, url: null, registered: null, forward_to: null, store });
}

/** A row that only learnt its amounts did not become anything. */
const rowLog =
  (log: Log): NonNullable<Working['onRow']> =>
  ({ name: run }, { n: row }, { state, transactionId, code }) => {
    if (state !== undefined)
      log.event('row_changed', {
        run,
        row,
        state,
        transaction_id: transactionId ?? null,
        code: code ?? null,
      });
  };
