/**
 * Plans a run from a file that was dropped on the page, as `batch plan` does. Nothing is sent: senders, rates and what is paid already are
 * asked for. If this process dies before the run is kept there is none; after it, the same file under the same name is the same run.
 */
import { decimalsOf } from '../../core/currency.ts';
import { parseAmount } from '../../core/money.ts';
import { nobody } from '../../desk/payments/gate.ts';
import { planLines, repeatedLines } from '../../desk/payruns/approve.ts';
import { costsOf } from '../../desk/payruns/estimate.ts';
import { faultNotes, Notes, rowsOfFile } from '../../desk/payruns/files/taken-in.ts';
import { openPayStore } from '../../desk/payruns/open-store.ts';
import { planRun, TOLERANCE } from '../../desk/payruns/plan.ts';
import { plannedNotes } from '../../desk/payruns/told.ts';
import { USUAL } from '../../desk/places/shared-store.ts';
import { spoken } from '../../desk/words/questions.ts';
import type { Call } from '../call.ts';
import type { RunFile } from '../wire/runs.ts';
import type { AnswerOf } from '../wire.ts';

const MOST_FAULTS = 200;

/** Thrown where the limits are not said yet, with what the run should cost. */
class NeedsLimit extends Error {
  constructor(readonly costs: [currency: string, cost: string][]) {
    super('the most that the run may cost is not said');
  }
}

export async function planFile({ desk, text }: Call, file: RunFile): Promise<AnswerOf<'planRun'>> {
  const store = await openPayStore(desk, USUAL);
  const notes = new Notes();
  const { type, inputCurrency, sender } = file;
  const defaults = Object.entries({ type, input_currency: inputCurrency, sender }).filter(
    ([, value]) => value,
  );
  const given = {
    name: file.file,
    bytes: bytesOf(file.content),
    read: { defaults: Object.fromEntries(defaults) as Record<string, string> },
    ...{ allowDuplicates: false, offline: false, accounts: false, asWritten: undefined },
  };
  const rows = await rowsOfFile(desk, given, notes);
  const limits = Object.entries(file.maxInput).map(([currency, amount]) => [
    currency,
    parseAmount(amount, decimalsOf(currency), currency),
  ]);
  try {
    const ended = await planRun(desk, store, {
      name: file.name,
      rows,
      maxInput: Object.fromEntries(limits),
      tolerance: TOLERANCE,
      repeats: file.repeats ? [file.repeats] : [],
      acceptChanged: file.acceptChanged,
      books: { choice: USUAL },
      approver: nobody,
      askCeiling(totals) {
        throw new NeedsLimit(Object.entries(costsOf(totals)));
      },
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
  } catch (error) {
    if (!(error instanceof NeedsLimit)) throw error;
    return {
      kind: 'limit',
      costs: error.costs.map(([currency, cost]) => ({ label: currency, text: spoken(cost, currency) })),
    };
  }
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content, 'base64');
}
