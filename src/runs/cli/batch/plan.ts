import { money } from '../../../core/amount-words.ts';
import { decimalsOf } from '../../../core/currency.ts';
import { parseAmount } from '../../../core/money.ts';
import { hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { result, wholeList } from '../../../payments/cli/result.ts';
import { momentIn } from '../../../payments/lists/period.ts';
import { planLines, repeatedLines } from '../../approve.ts';
import { rowCosts } from '../../estimate.ts';
import { FileNotes, faultNotes } from '../../files/rows-of-file.ts';
import { planRun, TOLERANCE } from '../../plan.ts';
import type { PlanTotal } from '../../plan-text.ts';
import { plannedNotes } from '../../run-lines.ts';
import { shownRunSummary } from '../../run-output.ts';
import { runSummaryOf } from '../../run-summary.ts';
import {
  acceptChangedFlag,
  acceptPaidBeforeFlag,
  maxInputFlag,
  notBeforeFlag,
  readAcceptChanged,
  readAcceptPaidBefore,
  readMaxInput,
  readNotBefore,
  readTolerance,
  repeatFlag,
  toleranceFlag,
} from '../flags/batch.ts';
import { faultView } from '../views/payrun.ts';
import { runSummaryView } from '../views/run-summary.ts';
import { checkingFlags, paymentsIn, readChecking } from './shared/read-file.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Checks the file as remit batch check does, and keeps its rows as a run: totals, the rates of now, what it should cost, the balance before and after, and a digest over all of that. Nothing is sent. A name stands for its rows: the same file under the same name is the same run, and other rows under that name are refused, so that no slip pays twice. The same rows under another name are another run, and are paid again: where more than half of them are those of a run that was planned less than 6 days before (repeat_days of the profile), that needs --repeat RUN; later, rows that look like those of a run of the last 35 days are named. A row that pays what a payment of the last 7 days outside the runs here paid needs --repeat ID, or at a terminal your word. The service is asked which rows with an external id of their own are paid already: these are not paid again, and need --accept-paid-before with their exact number; an id that names another payment is a fault of its row.`,
  args: [{ name: 'FILE', summary: 'the file of payments; - reads standard input' }],
  flags: {
    name: { value: 'name', summary: 'what the run is called, such as wages-2026-11' },
    ...maxInputFlag,
    ...toleranceFlag,
    ...notBeforeFlag,
    repeat: { ...repeatFlag.repeat, summary: 'pay rows of this run, or of the payment with this ID, again' },
    ...acceptPaidBeforeFlag,
    ...acceptChangedFlag,
    strictPayees: {
      summary: 'count first payments, and those of more than three times the usual, among changed payees',
    },
    offline: { summary: 'do not ask the service which rows are paid already' },
    ...checkingFlags,
    ...sharedStoreFlags,
  },
  shows: [runSummaryView, faultView],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.validation, exitCodes.check],
  examples: [
    'remit batch plan wages.csv --name wages-2026-11 --max-input EUR=12000',
    'remit batch plan suppliers.xml --name suppliers-2026-11 --type NGN::Bank --input-currency EUR --sender customer-17 --max-input EUR=500',
  ],
  read(input) {
    const name = input.flags.name;
    if (name === undefined) throw usage('the run needs a name', 'such as --name wages-2026-11');
    return {
      ...readChecking(input),
      offline: false,
      name,
      maxInput: readMaxInput(input),
      tolerance: readTolerance(input) ?? TOLERANCE,
      repeats: input.flags.repeat,
      notBefore: readNotBefore(input),
      acceptPaidBefore: readAcceptPaidBefore(input),
      acceptChanged: readAcceptChanged(input),
      isStrict: input.flags.strictPayees,
      // The service is not asked which rows are paid already; it is asked for senders and rates all the same.
      isUnasked: input.flags.offline,
      store: readStore(input),
    };
  },
  async run(context, options) {
    const { name, maxInput, tolerance, repeats, acceptPaidBefore, acceptChanged } = options;
    const { isStrict, isUnasked, store, notBefore } = options;
    const opened = await openStore(context, store);
    const notes = new FileNotes();
    let at = notBefore && momentIn(notBefore, context.zone);
    const rows = await paymentsIn(context, options, notes, {
      onLater(asked) {
        at ??= asked;
      },
    });
    const ended = await context.working('planning the run', (progress) =>
      planRun(context, opened, {
        name,
        rows,
        maxInput,
        tolerance,
        repeats,
        acceptPaidBefore,
        acceptChanged,
        isStrict,
        isUnasked,
        confirmer: {
          ...context.confirmer,
          confirm(question) {
            progress.stop();
            return context.confirmer.confirm(question);
          },
        },
        notBefore: () => (at === undefined ? undefined : { at, zone: context.zone }),
        askCeiling(totals) {
          // A line that is drawn again and again would write over the question.
          progress.stop();
          return askCeiling(context, totals);
        },
      }),
    );
    if (ended.kind === 'faults')
      return wholeList(faultView, ended.faults, {
        exit: exitCodes.validation,
        notes: [...notes.all, ...faultNotes(ended.faults)],
      });
    const { planned } = ended;
    for (const line of planLines(planned.run, planned.plan)) context.say(`  ${line}`);
    for (const line of repeatedLines(planned.plan)) context.say(`  ${line}`, context.paint.yellow);
    const summary = await runSummaryOf(opened.payruns, planned.run);
    return result(runSummaryView, shownRunSummary(summary), {
      notes: [...notes.all, ...plannedNotes(planned)],
    });
  },
});

/** On a terminal the limit is asked for, with what the run should cost beside it. */
async function askCeiling(context: Context, totals: readonly PlanTotal[]): Promise<Record<string, string>> {
  const costs = Object.entries(rowCosts(totals));
  if (!context.interactive)
    throw usage(
      'a run needs a limit where nobody can be asked',
      hint`the most that it may cost: ${{ give: 'max_input', value: costs.map(([currency, cost]) => `${currency}=${cost}`).join(',') }}`,
    );
  const { askText } = await import('../../../frame/terminal/prompt.ts');
  const ceilings: Record<string, string> = {};
  for (const [currency, cost] of costs) {
    const given = await askText(
      context,
      `The most that the run may cost, in ${currency} (about ${money(cost, currency)})`,
      {
        required: true,
        validate: (text) => wrongAmount(text, currency) ?? true,
      },
    );
    ceilings[currency] = parseAmount(given.trim(), decimalsOf(currency), currency);
  }
  return ceilings;
}

function wrongAmount(text: string, currency: string): string | undefined {
  try {
    parseAmount(text.trim(), decimalsOf(currency), currency);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
