import { type Said, said } from '../../../core/next.ts';
import type { BytesLeft, PayRuns } from '../../../core/ports/payruns.ts';
import { usage } from '../../../core/problem.ts';
import type { Desk } from '../../../desk/desk.ts';
import { instantOf, type When } from '../../../desk/lists/period.ts';
import { findRun } from '../../../desk/payruns/find-run.ts';
import {
  type Candidate,
  candidateOf,
  candidatesBefore,
  forgetRuns,
  isEnded,
  refuseUnended,
} from '../../../desk/payruns/forget.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { counted } from '../../../desk/words/amount.ts';
import { openStore } from '../../batch/store.ts';
import { command, wholeList } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';
import { readWhen } from '../../flags/when.ts';
import { forgettingView, shownForgetting } from '../../views/payrun-forgetting.ts';

interface ForgetOptions {
  run: string | undefined;
  before: When | undefined;
  conflicts: boolean;
  dryRun: boolean;
  store: StoreChoice;
}

export { forget as command };

const forget = command({
  description: `Removes the names and accounts of a run that is over, the reasons of its rows, and what payments are compared by: no byte of them stays in the file of the store. States, amounts, counts and ids stay, so remit batch list, status, rows and report still work. With --before every run of the account that is over and was changed last before that day, in UTC.

A run is over when no row is planned, sending, unknown or in error; a row in conflict needs somebody, and --conflicts says that somebody looked. A run that was forgotten cannot be run, approved, cancelled or handed on, and its name stays taken. The service keeps what it has, and so do files that rows were handed on to, the books and the inbox (docs/pay-runs.md).`,
  args: [{ name: 'RUN', summary: 'the run’s name or id', optional: true }],
  flags: {
    before: {
      value: 'date',
      summary: 'runs that were changed last before then: 2026-11-21, 2026-10, or an age such as 90d; in UTC',
    },
    conflicts: { summary: 'runs too with rows whose external id another payment has' },
    dryRun: { summary: 'say what would be forgotten, and change nothing' },
    ...sharedStoreFlags,
  },
  shows: [forgettingView],
  effect: 'read',
  local: 'destructive',
  exits: [exitCodes.pending],
  examples: [
    'remit batch forget wages-2026-11',
    'remit batch forget --before 2026-01-01 --dry-run',
    'remit batch forget --before 90d --yes',
  ],
  read(input): ForgetOptions {
    const before = input.flags.before;
    const run = input.args[0];
    if ((run === undefined) === (before === undefined))
      throw usage('say what is to be forgotten', 'one of RUN, and --before DATE such as --before 2026-01-01');
    return {
      run,
      before: before === undefined ? undefined : readWhen(before, 'before'),
      conflicts: input.flags.conflicts,
      dryRun: input.flags.dryRun,
      store: readStore(input),
    };
  },
  async run(context, { store, dryRun, ...wish }) {
    const { payruns } = await openStore(context, store);
    const found = await candidatesOf(context, payruns, wish);
    const candidates = found.filter((one) => isEnded(one) && one.run.forgotten?.isOwed !== false);
    if (dryRun || candidates.length === 0)
      return wholeList(
        forgettingView,
        found.map((one) => shownForgetting(one, isEnded(one) ? 'would be forgotten' : 'not over')),
        { notes: dryRun ? ['dry run: nothing was changed'] : ['nothing was changed'] },
      );
    const { conflicts } = wish;
    const bytes = await forgetRuns(context, payruns, { candidates, conflicts, approver: context.approver });
    const { baseUrl } = await context.connection();
    const shown = found.map(async (one) => {
      const [run = one.run] = await payruns.find(baseUrl, one.run.id);
      return shownForgetting({ ...one, run }, isEnded(one) ? 'forgotten' : 'not over');
    });
    return wholeList(forgettingView, await Promise.all(shown), {
      exit: bytes === 'in_use' || bytes === 'no_room' ? exitCodes.pending : exitCodes.ok,
      notes: notesOf(candidates, bytes),
    });
  },
});

/**
 * Returns the runs to forget. A run that is named must be over; of those before a day the others are left,
 * and said.
 */
async function candidatesOf(
  desk: Desk,
  payruns: PayRuns,
  { run: given, before, conflicts }: Pick<ForgetOptions, 'run' | 'before' | 'conflicts'>,
): Promise<Candidate[]> {
  if (given === undefined) {
    if (before === undefined) throw usage('say what is to be forgotten');
    const at = instantOf(before, { now: await payruns.now(), zone: 'UTC', toEnd: false });
    return candidatesBefore(desk, payruns, { before: at, conflicts });
  }
  const candidate = await candidateOf(payruns, await findRun(desk, payruns, given, 'forget'), { conflicts });
  refuseUnended(candidate);
  return [candidate];
}

function notesOf(candidates: readonly Candidate[], bytes: BytesLeft): Said[] {
  const [first] = candidates;
  const name = first?.run.name ?? '';
  const done = `The names and accounts of ${counted(candidates.length, 'run')} were forgotten`;
  switch (bytes) {
    case 'gone':
      return [`${done}: no byte of them is left in the store's file.`];
    case 'of_server':
      return [`${done}. The database keeps bytes of them in its log and its backups for a while.`];
    case 'in_use':
      return [
        said`${done}, but bytes of them are left in the store's file, which another process uses. Once it does not: ${{ do: 'forget_run', name }}`,
      ];
    case 'no_room':
      return [
        said`${done}, but bytes of them are left in the store's file: the disk has no room to write it anew. Make room, then ${{ do: 'forget_run', name }}`,
      ];
  }
}
