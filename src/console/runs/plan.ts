/**
 * Plans a run from a file that was dropped on the page, as `batch plan` does. Nothing is sent: senders, rates and what is paid already are
 * asked for. If this process dies before the run is kept there is none; after it, the same file under the same name is the same run.
 */

import { thousands } from '../../core/amount-words.ts';
import { decimalsOf } from '../../core/currency.ts';
import { parseAmount } from '../../core/money.ts';
import { noConfirmer } from '../../payments/gate.ts';
import { USUAL } from '../../payments/shared-store.ts';
import { spoken } from '../../payments/words/questions.ts';
import { planLines, repeatedLines } from '../../runs/approve.ts';
import { rowCosts } from '../../runs/estimate.ts';
import { FileNotes, faultNotes, rowsOfFile } from '../../runs/files/taken-in.ts';
import { openPayStore } from '../../runs/open-store.ts';
import { type PlanWish, planRun as planFrom, TOLERANCE } from '../../runs/plan.ts';
import { plannedNotes } from '../../runs/told.ts';
import { Asks, orAsked, type PageCall, sentBytes } from '../call.ts';
import type { RunFile } from '../wire/runs.ts';
import type { AnswerOf } from '../wire.ts';

const MOST_FAULTS = 200;

export const planRun = (call: PageCall, file: RunFile): Promise<AnswerOf<'planRun'>> =>
  planned(call, file).catch(orAsked<AnswerOf<'planRun'>>);

async function planned({ desk, text }: PageCall, file: RunFile): Promise<AnswerOf<'planRun'>> {
  const store = await openPayStore(desk, USUAL);
  const notes = new FileNotes();
  const ended = await planFrom(desk, store, {
    name: file.name,
    rows: await rowsOfFile(desk, givenIn(file), notes),
    maxInput: Object.fromEntries(
      Object.entries(file.maxInput).map(([currency, amount]) => [
        currency,
        parseAmount(amount, decimalsOf(currency), currency),
      ]),
    ),
    tolerance: TOLERANCE,
    repeats: file.repeats ? [file.repeats] : [],
    confirmer: noConfirmer,
    ...askedOf(file),
  });
  if (ended.kind === 'faults')
    return {
      kind: 'faults',
      faults: ended.faults.slice(0, MOST_FAULTS).map(({ at, column, words, right }) => ({
        label: [at, column].filter(Boolean).join(', '),
        text: [words, right].filter(Boolean).join('; '),
      })),
      notes: [...notes.all, ...faultNotes(ended.faults).map(text)],
    };
  const { run, plan } = ended.planned;
  return {
    kind: 'planned',
    name: run.name,
    lines: [...planLines(run, plan), ...repeatedLines(plan)],
    notes: [...notes.all, ...plannedNotes(ended.planned).map(text)],
  };
}

function givenIn({ file, type, inputCurrency, sender }: RunFile) {
  const defaults = Object.entries({ type, input_currency: inputCurrency, sender }).filter(
    ([, value]) => value,
  );
  return {
    name: file.name,
    bytes: sentBytes(file),
    read: { defaults: Object.fromEntries(defaults) as Record<string, string> },
    ...{ allowDuplicates: false, offline: false, accounts: false, asWritten: undefined },
  };
}

/** The questions of a plan. Each is answered by the file's next try. */
const askedOf = ({ asked }: RunFile): Pick<PlanWish, 'askCeiling' | 'askChanged'> => ({
  askCeiling(totals) {
    const costs = Object.entries(rowCosts(totals));
    throw new Asks<AnswerOf<'planRun'>>({
      kind: 'limit',
      costs: costs.map(([currency, cost]) => ({ label: currency, text: spoken(cost, currency) })),
    });
  },
  askChanged(payees) {
    const ticked = new Set(asked);
    if (payees.length === ticked.size && payees.every(({ id }) => ticked.has(id))) return payees.length;
    throw new Asks<AnswerOf<'planRun'>>({
      kind: 'changed',
      payees: {
        heads: ['Asked', 'Row', 'Is paid now', 'Before'],
        rows: payees.map(({ id, n, key, now, before }) => [
          id,
          `${thousands(n)} (${key})`,
          now,
          before.join('; '),
        ]),
      },
    });
  },
});
