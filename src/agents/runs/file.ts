/** Plans a pay run from the rows that an agent gives, as the file of one is planned. What a person would be asked is refused here, in words. */

import type { RecipientWrite } from '../../contract/resources/transaction.ts';
import { counted } from '../../core/amount-words.ts';
import { decimalsOf } from '../../core/currency.ts';
import { parseAmount } from '../../core/money.ts';
import { unsent } from '../../core/problem.ts';
import { noConfirmer } from '../../payments/gate.ts';
import { USUAL } from '../../payments/shared-store.ts';
import { planLines, repeatedLines } from '../../runs/approve.ts';
import { FileNotes, rowsOfFile } from '../../runs/files/rows-of-file.ts';
import { openPayStore } from '../../runs/open-store.ts';
import { type PlanWish, planRun, TOLERANCE } from '../../runs/plan.ts';
import type { ToolCall } from '../call.ts';
import { planNames } from '../prepared/alike.ts';
import type { PreparedAs } from '../prepared/prepare.ts';
import { AlikeFound, prepareRun, refuseLikePlans } from './prepare.ts';

export interface RunAsked {
  name: string;
  csv: string;
  type?: string | undefined;
  pays_in?: string | undefined;
  sender?: string | undefined;
  most: Readonly<Record<string, string>>;
  not_the_same_as?: readonly string[] | undefined;
}

export async function runOf(
  { desk, client }: ToolCall,
  { name, csv, type, pays_in, sender, most, not_the_same_as: given = [] }: RunAsked,
): Promise<PreparedAs | { faults: string[] }> {
  const store = await openPayStore(desk, USUAL);
  const notes = new FileNotes();
  const defaults = Object.entries({ type, input_currency: pays_in, sender }).filter(([, value]) => value);
  const rows = await rowsOfFile(
    desk,
    {
      name: `${name}.csv`,
      bytes: bytesOf(csv),
      read: { defaults: Object.fromEntries(defaults) as Record<string, string> },
      ...{ allowDuplicates: false, offline: false, accounts: false, asWritten: undefined },
    },
    notes,
  );
  const maxInput = Object.entries(most).map(
    ([currency, amount]) => [currency, parseAmount(amount, decimalsOf(currency), currency)] as const,
  );
  const notTheSameAs = await planNames(desk, given);
  const recipients: RecipientWrite[] = [];
  const planning = planRun(desk, store, {
    ...{ name, rows: seen(rows, recipients), maxInput: Object.fromEntries(maxInput), tolerance: TOLERANCE },
    ...{ repeats: notTheSameAs, confirmer: noConfirmer },
    async judgeAlike(earlier) {
      if (earlier.length > 0) throw new AlikeFound(earlier);
      await refuseLikePlans(desk, recipients, notTheSameAs);
    },
    askCeiling: () => {
      throw unsent(
        'usage',
        'most_missing',
        'the most that the run may cost is missing for a currency',
        'say it in most',
      );
    },
    askChanged: () => {
      throw unsent(
        'usage',
        'changed_payees',
        'payees have another account than before',
        'a person plans this run, and looks at each',
      );
    },
  });
  const ended = await planning.catch((error) => {
    if (error instanceof AlikeFound) return { kind: 'alike', earlier: error.earlier } as const;
    throw error;
  });
  if (ended.kind === 'alike') return ended;
  if (ended.kind === 'faults')
    return {
      faults: ended.faults.map(({ at, column, words }) => [at, column, words].filter(Boolean).join(', ')),
    };
  const { run, plan, stood } = ended.planned;
  return prepareRun(desk, run, {
    ...{ by: client, notTheSameAs, recipients, stood },
    summary: `pay run ${run.name}, ${counted(run.rows, 'row')}`,
    lines: [...repeatedLines(plan), ...planLines(run, plan)],
  });
}

/** The same rows; whom they pay is noted as they pass. */
async function* seen(rows: PlanWish['rows'], recipients: RecipientWrite[]): PlanWish['rows'] {
  for await (const batch of rows) {
    for (const { body } of batch.payments) recipients.push(...body.recipients);
    yield batch;
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'utf8');
}
