import { parseDuration } from '../../../core/clock.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { readCurrencies } from '../../../frame/flags/currency.ts';
import type { Input, TextFlag } from '../../../frame/flags/flag.ts';
import { isScreen } from '../../../frame/terminal/rendering.ts';
import {
  countActs,
  type Source,
  type TriageQuery,
  triageNotes,
  triageSource,
  triageStates,
} from '../../cases/triage.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { dateFlags, listFlags, paidInNote, readDates, readLimits } from '../flags/listing.ts';
import { limitsOf } from '../output/limits.ts';
import { printList } from '../output/show-list.ts';
import type { Result } from '../result.ts';
import { startFeed } from '../triage/feed.ts';
import { doneView, triageView } from '../views/triage.ts';

const ON_THE_BOARD = 1_000;
const DEFAULT_PENDING = '1h';

export const command = defineCommand({
  description: `Lists recipients in error, manual, stuck, overpaid and exception, and those pending for long, grouped by who must act: edit, cancel, ask the operator, or wait. Each row has the age, the amount, what is allowed, and the time left until the automatic refund (24 hours after the creation; up to an hour more, since a payment may be funded an hour late).
On a terminal: choose one, see it explained, correct it, cancel it or leave it, and come back to the list; every choice shows its command. Elsewhere, and with -o or --no-input, the same rows are printed as they are read.`,
  flags: {
    state: { value: 'state', summary: 'only in this state; repeat it', many: true, choices: triageStates },
    currency: { value: 'currency', summary: 'only paid from this input currency; repeat it', many: true },
    ...dateFlags,
    pendingAfter: {
      value: 'duration',
      summary: `leave out payouts that are pending for less; ${DEFAULT_PENDING} if you do not say`,
    },
    ...listFlags,
  },
  shows: [doneView, triageView],
  isTabular: true,
  // On a terminal it edits and cancels, behind the same guard.
  effect: 'money',
  exits: [exitCodes.pending, exitCodes.check],
  examples: [
    'remit recipient triage',
    'remit recipient triage --state error --currency EUR --since 2026-01-05',
    'remit recipient triage -o json --query "[?standing.act==\'edit\'].id"',
  ],
  read: (input) => {
    const states = input.flags.state;
    return {
      states: states.length > 0 ? states : triageStates,
      currency: readCurrencies(input),
      dates: readDates(input),
      ...readLimits(input),
      pendingAfterMs: readPending(input),
    };
  },
  async run(context, asked) {
    const { globals } = context;
    const isPlain = globals.output === undefined && globals.fields === undefined;
    const isBoard = context.interactive && isPlain && isScreen(context.process, globals);
    const limits = limitsOf(context, asked);
    const open = (): Source =>
      triageSource(context, { ...asked, limit: isBoard ? (asked.limit ?? ON_THE_BOARD) : limits.limit });
    if (isBoard) {
      // The first page is on its way while the board is loaded.
      const feed = startFeed(context, open);
      const [{ sitAt }, { shownRound }] = await Promise.all([
        import('../triage/session.ts'),
        import('../triage/round.ts'),
      ]);
      return shownRound(await sitAt(context, feed));
    }
    return printed(context, open(), { ...asked, ...limits });
  },
});

function readPending(input: Input<{ pendingAfter: TextFlag }>): number {
  const given = input.flags.pendingAfter ?? DEFAULT_PENDING;
  const ms = parseDuration(given);
  if (ms === null) throw usage(`"${given}" is not a duration`, 'such as --pending-after 90m');
  return ms;
}

async function printed(context: Context, source: Source, query: TriageQuery): Promise<Result> {
  const counts = new Map<string, number>();
  const { progressed } = source;
  return printList(context, query, {
    view: triageView,
    pages: source.pages(),
    what: 'recipients',
    looked: () => ({ rows: progressed.looked, expected: progressed.total }),
    async learn(rows) {
      countActs(counts, rows);
    },
    meta: () => ({ complete: !progressed.cut, looked_at: progressed.looked, total: progressed.total }),
    notes: () => {
      const none = progressed.found === 0 ? paidInNote(query.currency) : undefined;
      return [...(none === undefined ? [] : [none]), ...triageNotes(counts, progressed)];
    },
  });
}
