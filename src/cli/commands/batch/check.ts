/** Checks a file of payments: nothing of it is kept, and nothing is sent. */
import { type Said, said } from '../../../core/next.ts';
import type { Fault } from '../../../desk/payruns/files/row.ts';
import type { PairTotal } from '../../../desk/payruns/files/totals.ts';
import { amountText, thousands } from '../../../desk/words/amount.ts';
import { command, wholeList } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { bytesOfFile, type FileFlags, fileFlags, readFileFlags } from '../../flags/batch-file.ts';
import { flagOn } from '../../flags/flag.ts';
import { faultView } from '../../views/batch.ts';

export interface CheckOptions extends FileFlags {
  offline: boolean;
}

export { check as command };

const check = command<CheckOptions>({
  description:
    'Lists everything that is wrong with a file of payments: row, column, and what would be right. Nothing is kept, and nothing is sent. It ends with 0 where nothing is wrong, and with 5 where something is. FILE is CSV, NDJSON, JSON, YAML or ISO 20022 pain.001; - reads standard input. What a spreadsheet destroyed (1.23E+11, a bank code without its zeros, a date in place of a name) is refused, never repaired. Senders are looked up, unless --offline is given.',
  args: [{ name: 'FILE', summary: 'the file of payments; - reads standard input', optional: true }],
  flags: [...fileFlags, { flags: '--offline', summary: 'do not look up the senders' }],
  shows: [faultView],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit batch check wages.csv',
    'remit batch check wages.csv --type NGN::Bank --input-currency EUR --sender customer-17',
    'remit batch check wages.csv --map bank_account=Account --offline',
  ],
  read: (input) => ({ ...readFileFlags(input), offline: flagOn(input, 'offline') }),
  async run(context, options) {
    const { faults, pairs, notes } = await checked(context, options);
    if (faults.length === 0) {
      for (const note of notes) context.note(note);
      context.say(totalWords(pairs));
      return wholeList(faultView, []);
    }
    return wholeList(faultView, faults, {
      exit: exitCodes.validation,
      notes: [...notes, ...faultNotes(faults)],
    });
  },
});

interface Outcome {
  faults: Fault[];
  pairs: PairTotal[];
  notes: string[];
}

async function checked(
  context: Context,
  { file, allowDuplicates, read, offline }: CheckOptions,
): Promise<Outcome> {
  const [{ readRows }, { checkRows }, { withSenders }, { Totals }] = await Promise.all([
    import('../../../desk/payruns/files/read.ts'),
    import('../../../desk/payruns/files/check.ts'),
    import('../../../desk/payruns/files/senders.ts'),
    import('../../../desk/payruns/files/totals.ts'),
  ]);
  const notes: string[] = [];
  const totals = new Totals();
  const faults: Fault[] = [];
  await context.working('checking the rows', async (progress) => {
    const rows = readRows(bytesOfFile(context.world, file), {
      ...read,
      name: file,
      note: (words) => notes.includes(words) || notes.push(words),
    });
    const batches = checkRows(rows, { allowDuplicates });
    let rounded = 0;
    let done = 0;
    for await (const batch of offline ? batches : withSenders(context, batches)) {
      if (context.signal.aborted) throw (await import('../../../core/problem.ts')).interrupted();
      for (const payment of batch.payments) {
        totals.add(payment);
        if (payment.roundings.length > 0 && ++rounded === 1) notes.push(...payment.roundings);
      }
      faults.push(...batch.faults);
      done += batch.payments.length + batch.faults.length;
      progress.tell(done);
    }
    if (rounded > 1) notes.push(`${thousands(rounded - 1)} more amounts will be rounded up to whole units`);
  });
  return { faults, pairs: totals.pairs, notes };
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
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`} ${currency}`;
}

const listWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** How many, and the flags that would take some of them away. */
function faultNotes(faults: readonly Fault[]): Said[] {
  const rows = new Set(faults.map(({ row }) => row)).size;
  const has = (code: string, column?: string): boolean =>
    faults.some((one) => one.code === code && (column === undefined || one.column === column));
  return [
    `${thousands(faults.length)} ${faults.length === 1 ? 'fault' : 'faults'} in ${thousands(rows)} ${rows === 1 ? 'row' : 'rows'}; nothing was sent`,
    ...(has('missing', 'type')
      ? [said`${{ give: 'type', value: 'TYPE' }} is the type of rows that name none`]
      : []),
    ...(has('missing', 'input_currency')
      ? [said`${{ give: 'input_currency', value: 'CURRENCY' }} is what rows are paid in that do not say it`]
      : []),
    ...(has('missing', 'sender')
      ? [said`${{ give: 'sender', value: 'ID' }} is the sender of rows that name none`]
      : []),
    ...(has('decimal_comma') ? [said`${{ give: 'decimal_comma' }} reads 0,50 as 0.50`] : []),
    ...(has('duplicate_payment')
      ? [said`${{ give: 'allow_duplicates' }} takes payments that are there twice`]
      : []),
  ];
}
