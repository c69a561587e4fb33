import { thousands } from '../../../core/amount-words.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { onFlags, readOn } from '../../../payments/cli/flags/on.ts';
import { hookRunner } from '../../../payments/cli/output/hook-programs.ts';
import { result, wholeList } from '../../../payments/cli/result.ts';
import { happenedShape } from '../../../payments/shapes/machine.ts';
import { openBooks, openWithoutNames } from '../../open-books.ts';
import { paceAt, syncBooks, syncedWords } from '../../sync.ts';
import { unexplainedSince } from '../../unexplained.ts';
import { perMinuteFlags, readPerMinute } from '../flags/per-minute.ts';
import { differenceView, syncedView } from '../views/books.ts';

const EVENTS = ['ended', 'unexplained'] as const;
export const command = defineCommand({
  description: `Copies the account’s transactions to this machine, so that remit search asks the service for nothing. The first time it reads every page; later it reads what is new and what was not final. It can be interrupted, killed and run again: it goes on where it was. --check compares every record with the service, and the movements and sums from which a statement proves itself; it changes nothing, and ends with 10 where something differs.

The copy has names, accounts and phone numbers in full, in a file of this user alone (0600). remit books forget removes it. With --no-names, at the first sync, it keeps keyed hashes in their place: remit search finds a name or an account by the whole of it alone.`,
  flags: {
    check: { summary: 'compare with the service instead, record by record' },
    all: { summary: 'read every page again' },
    noNames: { summary: 'begin books that keep hashes in place of names and accounts' },
    ...perMinuteFlags,
    ...onFlags(EVENTS),
  },
  shows: [syncedView, differenceView],
  tells: [happenedShape],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.check, exitCodes.pending],
  examples: ['remit books sync', 'remit books sync --no-names', 'remit books sync --check -o json'],
  read(input) {
    const check = input.flags.check;
    const all = input.flags.all;
    if (check && all) throw usage('--check reads every page in any case', 'leave --all out');
    const names = !input.flags.noNames;
    if (check && !names)
      throw usage('--check changes nothing', 'leave --no-names out: books without names stay so');
    const on = readOn(input, EVENTS);
    if (check && on.programs.length > 0) throw usage('--check changes nothing', 'leave --on out');
    return { check, all, names, perMinute: readPerMinute(input), on };
  },
  async run(context, { check, all, names, perMinute: asked, on }) {
    const { baseUrl } = await context.connection();
    const perMinute = asked ?? paceAt(baseUrl);
    const { books, hider } = await (names ? openBooks : openWithoutNames)(context);
    // Before anything is asked of the service.
    hider?.();
    if (check) {
      const { checkBooks } = await import('../../check.ts');
      const { compared, differences, count, isCut } = await checkBooks(context, books, {
        perMinute,
        hider,
      });
      const more =
        count > differences.length
          ? [`${thousands(count)} differ; the first ${thousands(differences.length)} are named.`]
          : [];
      return wholeList(differenceView, differences, {
        notes: [`${thousands(compared)} records were compared.`, ...more],
        exit: count > 0 ? exitCodes.check : isCut ? exitCodes.interrupted : exitCodes.ok,
      });
    }
    const beganAt = context.clock.now();
    const tell = hookRunner(context, on);
    const unexplained = await unexplainedSince(books);
    const { isComplete, again, ...done } = await syncBooks(context, books, { perMinute, all });
    const seconds = ((context.clock.now() - beganAt) / 1000).toFixed(1);
    const cut = context.signal.aborted ? exitCodes.interrupted : exitCodes.pending;
    tell(async () => [
      ...(await unexplained()),
      { event: 'ended', of: 'books', ending: isComplete ? 'done' : 'pending' },
    ]);
    return result(
      syncedView,
      { ...done, complete: isComplete, seconds },
      { exit: isComplete ? exitCodes.ok : cut, notes: isComplete ? [syncedWords({ ...done, again })] : [] },
    );
  },
});
