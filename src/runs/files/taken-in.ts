/** The rows of a file of payments, checked, and what there is to say of them: of a file on the command line, or one dropped on a page. */

import { thousands } from '../../core/amount-words.ts';
import { type Hint, hint } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import type { Desk } from '../../payments/desk.ts';
import type { Fault } from '../../tables/row.ts';
import type { CheckedRows } from './check.ts';
import type { ReadOptions } from './formats.ts';
import type { ShownDivided } from './split-name.ts';

export interface GivenFile {
  /** The file's name, or `-`. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  read: Omit<ReadOptions, 'name' | 'clock' | 'note' | 'onDivided' | 'onLater'>;
  allowDuplicates: boolean;
  /** Asks the service for nothing. */
  offline: boolean;
  /** Asks the bank about each account. */
  accounts: boolean;
  /** The number of rows that have an account that looks wrong and is meant. */
  asWritten: number | undefined;
}

/** The rows, checked by themselves, then by what the service and the banks say, as far as they are asked. */
export async function rowsOfFile(
  desk: Desk,
  { name, bytes, read, allowDuplicates, offline, accounts, asWritten }: GivenFile,
  notes: FileNotes,
  hear: Pick<ReadOptions, 'onLater' | 'onDivided'> = {},
): Promise<AsyncIterable<CheckedRows>> {
  const [{ readRows }, { shownDivided }, { checkRows }, { withSenders }, { withAccounts }] =
    await Promise.all([
      import('./read.ts'),
      import('./split-name.ts'),
      import('./check.ts'),
      import('./senders.ts'),
      import('./accounts.ts'),
    ]);
  const note = (words: string): void => notes.add(words);
  const clock = { now: desk.clock.now(), zone: desk.zone };
  const rows = readRows(bytes, {
    ...read,
    ...{ name, clock, note },
    onDivided: (row) => notes.oneOf('divided', dividedWords(shownDivided(row, desk.mask))),
    ...hear,
  });
  const rule = asWritten !== undefined ? 'as_written' : (await isSandbox(desk)) ? 'sandbox' : 'refuse';
  const checked = checkRows(rows, { allowDuplicates, accounts: rule });
  const batches = withDoubts(checked, { asWritten, doubt: (words) => notes.oneOf('accounts', words) });
  if (offline) return batches;
  const known = withSenders(desk, batches);
  if (!accounts) return known;
  return withAccounts(desk, known, { differ: (words) => notes.oneOf('names', words), unchecked: note });
}

/** Where no profile says which account it is, it may be a live one. */
async function isSandbox(desk: Desk): Promise<boolean> {
  try {
    return (await desk.connection()).environment === 'sandbox';
  } catch {
    return false;
  }
}

/** Says what looks wrong and is taken all the same. @throws Problem (usage), after the last row, where another number was said */
async function* withDoubts(
  batches: AsyncIterable<CheckedRows>,
  { asWritten, doubt }: { asWritten: number | undefined; doubt: (words: string) => void },
): AsyncGenerator<CheckedRows> {
  const rows = new Set<number | undefined>();
  let hasFaults = false;
  for await (const batch of batches) {
    for (const { row, at, column, words } of batch.doubts) {
      rows.add(row);
      doubt(`${at ?? ''}: ${column ?? ''} ${words}; it is taken as it is written`);
    }
    hasFaults ||= batch.faults.length > 0;
    yield batch;
  }
  if (asWritten === undefined || hasFaults || rows.size === asWritten) return;
  throw usage(
    `${thousands(rows.size)} ${rows.size === 1 ? 'row has an account that looks' : 'rows have accounts that look'} wrong, and you said ${thousands(asWritten)}`,
    rows.size === 0
      ? 'leave the number out'
      : hint`look at them again; if they are meant: ${{ give: 'accounts_as_written', value: String(rows.size) }}`,
  );
}

/** `line 3: Ada Obi is first name Ada, last name Obi`. */
export const dividedWords = ({ at, name, first_name: first, last_name: last }: ShownDivided): string =>
  `${at}: ${name} is first name ${first}, last name ${last}`;

const MORE = {
  accounts: 'accounts look wrong, and are taken as they are written',
  roundings: 'amounts will be rounded up to whole units',
  names: 'accounts are in another name than their rows say',
  divided: 'names are divided like that; a check of the file lists all',
};
const MOST_OF_A_KIND = 20;

/** The notes that are good to know: each once, and of those that are alike the first twenty. */
export class FileNotes {
  readonly #single = new Set<string>();
  readonly #alike = {
    accounts: [] as string[],
    roundings: [] as string[],
    names: [] as string[],
    divided: [] as string[],
  };
  readonly #counts = { accounts: 0, roundings: 0, names: 0, divided: 0 };

  add(words: string): void {
    this.#single.add(words);
  }

  oneOf(kind: keyof typeof MORE, words: string): void {
    if (++this.#counts[kind] <= MOST_OF_A_KIND) this.#alike[kind].push(words);
  }

  get all(): string[] {
    const kinds = ['accounts', 'roundings', 'names', 'divided'] as const;
    return kinds
      .flatMap((kind) => {
        const more = this.#counts[kind] - this.#alike[kind].length;
        return more > 0 ? [...this.#alike[kind], `${thousands(more)} more ${MORE[kind]}`] : this.#alike[kind];
      })
      .concat([...this.#single]);
  }
}

/** How many, and the flags that would take some of them away. */
export function faultNotes(faults: readonly Fault[]): Hint[] {
  const rows = new Set(faults.map(({ row }) => row)).size;
  const wrong = new Set(faults.filter(({ code }) => code === 'wrong_account').map(({ row }) => row)).size;
  const has = (code: string, column?: string): boolean =>
    faults.some((one) => one.code === code && (column === undefined || one.column === column));
  return [
    `${thousands(faults.length)} ${faults.length === 1 ? 'fault' : 'faults'} in ${thousands(rows)} ${rows === 1 ? 'row' : 'rows'}; nothing was kept, and nothing was sent`,
    ...(has('missing', 'type')
      ? [hint`${{ give: 'type', value: 'TYPE' }} is the type of rows that name none`]
      : []),
    ...(has('missing', 'input_currency')
      ? [hint`${{ give: 'input_currency', value: 'CURRENCY' }} is what rows are paid in that do not say it`]
      : []),
    ...(has('missing', 'sender')
      ? [hint`${{ give: 'sender', value: 'ID' }} is the sender of rows that name none`]
      : []),
    ...(has('no_sender')
      ? [hint`A sender exists before somebody is paid for them: ${{ do: 'create_sender', externalId: 'ID' }}`]
      : []),
    ...(wrong === 0
      ? []
      : [
          hint`If accounts are meant as they are written: ${{ give: 'accounts_as_written', value: String(wrong) }}`,
        ]),
    ...(has('decimal_comma') ? [hint`${{ give: 'decimal_comma' }} reads 0,50 as 0.50`] : []),
    ...(has('duplicate_payment')
      ? [hint`${{ give: 'allow_duplicates' }} takes payments that are there twice`]
      : []),
  ];
}
