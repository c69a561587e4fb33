/** The rows of a file that is named on the command line, checked, and what there is to say of them. */
import { type Said, said } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import type { Checked } from '../../desk/payruns/files/check.ts';
import type { Fault } from '../../desk/payruns/files/row.ts';
import { thousands } from '../../desk/words/amount.ts';
import type { Context } from '../context.ts';
import { bytesOfFile, type FileFlags, fileFlags, readFileFlags } from '../flags/batch-file.ts';
import { type Flag, flagOn, type Input } from '../flags/flag.ts';

export const checkingFlags: readonly Flag[] = [
  ...fileFlags,
  { flags: '--check-accounts', summary: 'ask the bank about each account, where it can be asked' },
];

export const offlineFlag: Flag = {
  flags: '--offline',
  summary: 'ask the service for nothing: senders are not looked up',
};

export interface Reading extends FileFlags {
  offline: boolean;
  accounts: boolean;
}

/** @throws Problem (usage) */
export function readChecking(input: Input): Reading {
  const [offline, accounts] = [flagOn(input, 'offline'), flagOn(input, 'checkAccounts')];
  if (offline && accounts)
    throw usage('--offline asks nobody, and --check-accounts asks the banks: take one of them');
  return { ...readFileFlags(input), offline, accounts };
}

/** The rows, checked by themselves, then by what the service and the banks say, as far as they are asked. */
export async function paymentsIn(
  context: Context,
  { file, allowDuplicates, read, offline, accounts }: Reading,
  notes: Notes,
): Promise<AsyncIterable<Checked>> {
  const [{ readRows }, { checkRows }, { withSenders }, { withAccounts }] = await Promise.all([
    import('../../desk/payruns/files/read.ts'),
    import('../../desk/payruns/files/check.ts'),
    import('../../desk/payruns/files/senders.ts'),
    import('../../desk/payruns/files/accounts.ts'),
  ]);
  const note = (words: string): void => notes.add(words);
  const clock = { now: context.clock.now(), zone: context.zone };
  const rows = readRows(bytesOfFile(context.world, file), { ...read, name: file, clock, note });
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
export class Notes {
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

/** How many, and the flags that would take some of them away. */
export function faultNotes(faults: readonly Fault[]): Said[] {
  const rows = new Set(faults.map(({ row }) => row)).size;
  const has = (code: string, column?: string): boolean =>
    faults.some((one) => one.code === code && (column === undefined || one.column === column));
  return [
    `${thousands(faults.length)} ${faults.length === 1 ? 'fault' : 'faults'} in ${thousands(rows)} ${rows === 1 ? 'row' : 'rows'}; nothing was kept, and nothing was sent`,
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
