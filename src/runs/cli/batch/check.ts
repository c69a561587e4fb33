/** Checks a file of payments: nothing of it is kept, and nothing is sent. */

import { amountText, grouped, thousands } from '../../../core/amount-words.ts';
import { interrupted } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { wholeList } from '../../../payments/cli/result.ts';
import type { Fault } from '../../../tables/row.ts';
import type { Divided, ShownDivided } from '../../files/split-name.ts';
import { dividedWords, FileNotes, faultNotes } from '../../files/taken-in.ts';
import type { PairTotal } from '../../files/totals.ts';
import { dividedView, faultView } from '../views/payrun.ts';
import { checkingFlags, offlineFlag, paymentsIn, type Reading, readChecking } from './shared/read-file.ts';

export const command = defineCommand({
  description:
    'Lists everything that is wrong with a file of payments: row, column, and what would be right. Nothing is kept, and nothing is sent. It ends with 0 where nothing is wrong, and with 5 where something is. FILE is CSV, NDJSON, JSON, YAML or ISO 20022 pain.001; - reads standard input. What a spreadsheet destroyed (1.23E+11, a bank code without its zeros, a date in place of a name) is refused, never repaired. Senders are looked up, unless --offline is given. With --split-name, a file in which nothing is wrong is listed by what was made of each name.',
  args: [{ name: 'FILE', summary: 'the file of payments; - reads standard input' }],
  flags: { ...checkingFlags, ...offlineFlag },
  shows: [faultView, dividedView],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit batch check wages.csv',
    'remit batch check wages.csv --type NGN::Bank --input-currency EUR --sender customer-17',
    'remit batch check november.csv --map bank_account=Account --offline',
    'remit batch check export.csv --mapping payroll',
  ],
  read: readChecking,
  async run(context, options) {
    const { faults, divided, pairs, notes } = await checked(context, options);
    if (faults.length === 0) {
      for (const note of notes.all) context.note(note);
      context.say(totalWords(pairs));
      return divided.length > 0 ? wholeList(dividedView, divided) : wholeList(faultView, []);
    }
    for (const row of divided) notes.oneOf('divided', dividedWords(row));
    return wholeList(faultView, faults, {
      exit: exitCodes.validation,
      notes: [...notes.all, ...faultNotes(faults)],
    });
  },
});

interface Outcome {
  faults: Fault[];
  divided: ShownDivided[];
  pairs: PairTotal[];
  notes: FileNotes;
}

async function checked(context: Context, options: Reading): Promise<Outcome> {
  const [{ FileTotals }, { shownDivided }] = await Promise.all([
    import('../../files/totals.ts'),
    import('../../files/split-name.ts'),
  ]);
  const notes = new FileNotes();
  const totals = new FileTotals();
  const faults: Fault[] = [];
  const divided: ShownDivided[] = [];
  const hear = { onDivided: (row: Divided) => void divided.push(shownDivided(row, context.mask)) };
  await context.working('checking the rows', async (progress) => {
    let done = 0;
    for await (const batch of await paymentsIn(context, options, notes, hear)) {
      if (context.signal.aborted) throw interrupted();
      for (const payment of batch.payments) {
        totals.add(payment);
        for (const rounding of payment.roundings) notes.oneOf('roundings', rounding);
      }
      faults.push(...batch.faults);
      done += batch.payments.length + batch.faults.length;
      progress.tell(done);
    }
  });
  return { faults, divided, pairs: totals.pairs, notes };
}

/** `3 payments: 45,000 NGN and 20 GHS, paid in EUR`. */
function totalWords(pairs: readonly PairTotal[]): string {
  const rows = pairs.reduce((sum, pair) => sum + pair.rows, 0);
  const inputs = [...new Set(pairs.map(({ inputCurrency }) => inputCurrency))];
  const parts = inputs.map((input) => {
    const amounts = pairs.filter(({ inputCurrency }) => inputCurrency === input).map(amountWords);
    return `${listWords(amounts)}, paid in ${input}`;
  });
  return `${thousands(rows)} ${rows === 1 ? 'payment' : 'payments'}: ${parts.join('; ')}`;
}

function amountWords({ amount, currency }: PairTotal): string {
  const [whole = '', fraction] = (amountText(amount, currency) ?? '').split('.');
  return `${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`} ${currency}`;
}

const listWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
