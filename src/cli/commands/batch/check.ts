/** Checks a file of payments: nothing of it is kept, and nothing is sent. */
import { type Said, said } from '../../../core/next.ts';
import { interrupted, usage } from '../../../core/problem.ts';
import type { Checked } from '../../../desk/payruns/files/check.ts';
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
  accounts: boolean;
}

export { check as command };

const check = command<CheckOptions>({
  description:
    'Lists everything that is wrong with a file of payments: row, column, and what would be right. Nothing is kept, and nothing is sent. It ends with 0 where nothing is wrong, and with 5 where something is. FILE is CSV, NDJSON, JSON, YAML or ISO 20022 pain.001; - reads standard input. What a spreadsheet destroyed (1.23E+11, a bank code without its zeros, a date in place of a name) is refused, never repaired. Senders are looked up, unless --offline is given.',
  args: [{ name: 'FILE', summary: 'the file of payments; - reads standard input' }],
  flags: [
    ...fileFlags,
    { flags: '--check-accounts', summary: 'ask the bank about each account, where it can be asked' },
    { flags: '--offline', summary: 'ask the service for nothing: senders are not looked up' },
  ],
  shows: [faultView],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit batch check wages.csv',
    'remit batch check wages.csv --type NGN::Bank --input-currency EUR --sender customer-17',
    'remit batch check november.csv --map bank_account=Account --offline',
  ],
  read(input) {
    const [offline, accounts] = [flagOn(input, 'offline'), flagOn(input, 'checkAccounts')];
    if (offline && accounts)
      throw usage('--offline asks nobody, and --check-accounts asks the banks: take one of them');
    return { ...readFileFlags(input), offline, accounts };
  },
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

async function checked(context: Context, options: CheckOptions): Promise<Outcome> {
  const { Totals } = await import('../../../desk/payruns/files/totals.ts');
  const notes = new Notes();
  const totals = new Totals();
  const faults: Fault[] = [];
  await context.working('checking the rows', async (progress) => {
    let done = 0;
    for await (const batch of await batchesOf(context, options, notes)) {
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
  return { faults, pairs: totals.pairs, notes: notes.all };
}

/** The rows, checked by themselves, then by what the service and the banks say, as far as they are asked. */
async function batchesOf(
  context: Context,
  { file, allowDuplicates, read, offline, accounts }: CheckOptions,
  notes: Notes,
): Promise<AsyncIterable<Checked>> {
  const [{ readRows }, { checkRows }, { withSenders }, { withAccounts }] = await Promise.all([
    import('../../../desk/payruns/files/read.ts'),
    import('../../../desk/payruns/files/check.ts'),
    import('../../../desk/payruns/files/senders.ts'),
    import('../../../desk/payruns/files/accounts.ts'),
  ]);
  const note = (words: string): void => notes.add(words);
  const rows = readRows(bytesOfFile(context.world, file), { ...read, name: file, note });
  const batches = checkRows(rows, { allowDuplicates });
  if (offline) return batches;
  const known = withSenders(context, batches);
  if (!accounts) return known;
  return withAccounts(context, known, { differ: (words) => notes.oneOf('names', words), unchecked: note });
}

const MORE = {
  roundings: 'amounts will be rounded up to whole units',
  names: 'accounts are in another name than their rows say',
};
const MOST_OF_A_KIND = 20;

/** What is good to know: each once, and of those that are alike the first twenty. */
class Notes {
  readonly #single = new Set<string>();
  readonly #alike = { roundings: [] as string[], names: [] as string[] };
  readonly #counts = { roundings: 0, names: 0 };

  add(words: string): void {
    this.#single.add(words);
  }

  oneOf(kind: keyof typeof MORE, words: string): void {
    if (++this.#counts[kind] <= MOST_OF_A_KIND) this.#alike[kind].push(words);
  }

  get all(): string[] {
    const kinds = ['roundings', 'names'] as const;
    return kinds
      .flatMap((kind) => {
        const more = this.#counts[kind] - this.#alike[kind].length;
        return more > 0 ? [...this.#alike[kind], `${thousands(more)} more ${MORE[kind]}`] : this.#alike[kind];
      })
      .concat([...this.#single]);
  }
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
