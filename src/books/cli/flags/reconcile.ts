/** Flags of a comparison with a ledger. */
import { usage } from '../../../core/problem.ts';
import { readCurrency } from '../../../frame/flags/currency.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { readPairs } from '../../../payments/cli/flags/details.ts';
import { type AskedLimit, listFlags, readLimits } from '../../../payments/cli/flags/listing.ts';
import { checkReason } from '../../../payments/manual-outcome.ts';
import { DAY_ORDERS, type DayOrder } from '../../reconcile/dates.ts';
import { ENDINGS, type RowEnding } from '../../reconcile/endings.ts';
import { PAYMENT_SIGNS, type PaymentSign } from '../../reconcile/ledger-columns.ts';
import { DAYS } from '../../reconcile/match.ts';
import { AMOUNTS, type AmountKind } from '../../reconcile/service.ts';
import type { Sums } from '../../reconcile/statement.ts';

/** The sides of a comparison, and how their files are read. */
export const comparisonFlags = flags({
  against: {
    value: 'what',
    summary:
      'service, books (the copy on this machine), reports (those that the service makes each month), or the file of a bank’s statement (camt.052, camt.053, camt.054, MT940, MT942); repeat it; the service if you do not say, and the books where a month is closed',
    many: true,
  },
  days: {
    value: 'n',
    summary: `so many days may lie between the dates of a payment that is matched by its reference; ${DAYS} if you do not say`,
  },
  by: {
    value: 'amount',
    summary:
      'the ledger has what payouts cost (input), or what was asked for (requested); input if you do not say',
    choices: AMOUNTS,
  },
  map: {
    value: 'column=header',
    summary: 'the ledger has this column under another name, such as external_id=Voucher; repeat it',
    many: true,
  },
  columns: {
    value: 'name',
    summary:
      'read the ledger by these columns of the rules; if you do not say, by those whose headings it has',
  },
  decimalComma: { summary: 'amounts have a comma for their decimals: 1250,50' },
  currency: {
    value: 'currency',
    summary: 'the currency of rows that name none, in the ledger and in a bank’s statement',
  },
  sums: {
    value: 'what',
    summary:
      'what to do with a statement whose sums are wrong or missing: refuse it, or read it and say what is wrong (warn); refuse if you do not say',
    choices: ['refuse', 'warn'] satisfies Sums[],
  },
  payments: {
    value: 'which',
    summary: 'which amounts of the ledger are payments, where it has both signs, or debits and credits',
    choices: PAYMENT_SIGNS,
  },
  dates: {
    value: 'order',
    summary: 'dates such as 03/10/2026 begin with the day (dmy) or with the month (mdy)',
    choices: DAY_ORDERS,
  },
  decisions: {
    value: 'file',
    summary:
      'read decisions from such a file: what is accepted is no difference; with --rules they are added to the rules',
  },
  rules: {
    value: 'file',
    summary:
      'your rules in YAML: column maps, counterparties, tolerances for bank charges, bundles, decisions; on a terminal each suggestion is asked about, and what you accept is added to it',
  },
});

export const reconcileFlags = flags({
  ...comparisonFlags,
  month: { value: 'month', summary: 'such as 2026-10; if you do not say, the days of the ledger' },
  ending: {
    value: 'ending',
    summary: 'only rows that end so; repeat it; if you do not say, the differences',
    many: true,
    choices: ENDINGS,
  },
  totals: { summary: 'list the totals of both sides by currency and ending instead' },
  balances: {
    summary:
      'list the accounts of the bank instead, with their opening and closing balances and those of the ledger',
  },
  exceptions: { value: 'file', summary: 'write the differences to a new CSV file, to be decided in it' },
  accept: {
    value: 'n',
    summary: 'you saw the suggestions, exactly so many: accept them, and add that to the rules',
  },
  because: { value: 'text', summary: 'why, for --accept; the words of each suggestion if you do not say' },
  ...listFlags,
});

export interface ComparisonFlags {
  file: string;
  service: { by: AmountKind; from: Source } | undefined;
  statements: string[];
  days: number;
  map: Record<string, string>;
  columns: string | undefined;
  decimalComma: boolean;
  currency: string | undefined;
  sums: Sums | undefined;
  payments: PaymentSign | undefined;
  dayOrder: DayOrder | undefined;
  decisions: string | undefined;
  rules: string | undefined;
}

export interface ReconcileFlags extends ComparisonFlags {
  month: string | undefined;
  endings: RowEnding[];
  totals: boolean;
  balances: boolean;
  exceptions: string | undefined;
  accept: number | undefined;
  because: string | undefined;
  limits: AskedLimit;
}

/** Where the service's side is read from. */
const SOURCES = ['service', 'books', 'reports'] as const;
type Source = (typeof SOURCES)[number];

const isSource = (one: string): boolean => SOURCES.some((source) => source === one);
const isIn =
  (given: readonly string[]) =>
  (source: Source): boolean =>
    given.includes(source);

/** @throws Problem (usage) */
export function readReconcile(input: Input<typeof reconcileFlags>): ReconcileFlags {
  const [file] = input.args;
  if (file === undefined) throw usage('which ledger?', 'such as october.csv, or - for standard input');
  return {
    ...readComparison(input, file),
    month: input.flags.month,
    endings: input.flags.ending as RowEnding[],
    ...readLists(input.flags),
    exceptions: input.flags.exceptions,
    ...readAccept(input),
    limits: readLimits(input),
  };
}

/** @throws Problem (usage) */
export function readComparison(
  input: Input<typeof comparisonFlags>,
  file: string,
  fallback: Source = 'service',
): ComparisonFlags {
  const against = input.flags.against;
  const statements = against.filter((one) => !isSource(one));
  if ([file, ...statements].filter((one) => one === '-').length > 1)
    throw usage('only one file can come from standard input');
  const [from, ...others] = against.length === 0 ? [fallback] : SOURCES.filter(isIn(against));
  if (others.length > 0)
    throw usage(
      'the books and the reports say what the service says',
      `one of ${SOURCES.map((one) => `--against ${one}`).join(', ')}`,
    );
  const by = (input.flags.by ?? 'input') as AmountKind;
  const currency = input.flags.currency;
  return {
    file,
    service: from === undefined ? undefined : { by, from },
    statements: [...new Set(statements)],
    days: readDays(input.flags.days),
    map: readPairs(input.flags.map, '--map'),
    columns: input.flags.columns,
    decimalComma: input.flags.decimalComma,
    currency: currency === undefined ? undefined : readCurrency(currency),
    sums: input.flags.sums as Sums | undefined,
    payments: input.flags.payments as PaymentSign | undefined,
    dayOrder: input.flags.dates as DayOrder | undefined,
    decisions: input.flags.decisions,
    rules: input.flags.rules,
  };
}

function readLists({ totals, balances, against }: Input<typeof reconcileFlags>['flags']) {
  if (totals && balances) throw usage('--totals and --balances list different things: take one of them');
  if (balances && against.every((one) => SOURCES.some(isIn([one]))))
    throw usage('--balances needs the statement of a bank', 'such as --against bank.xml');
  return { totals, balances };
}

function readAccept({
  flags: { accept, because, rules },
}: Input<typeof reconcileFlags>): Pick<ReconcileFlags, 'accept' | 'because'> {
  if (accept === undefined && because !== undefined) throw usage('--because goes with --accept');
  if (accept === undefined) return { accept: undefined, because: undefined };
  if (!/^\d{1,6}$/.test(accept)) throw usage(`--accept ${accept} is not a number of suggestions`);
  if (rules === undefined)
    throw usage('--accept needs --rules, where it is kept', 'such as --rules rules.yaml');
  const reason = { of: 'an acceptance', such: '"agreed with the bank, ticket 4711"' };
  return {
    accept: Number(accept),
    because: because === undefined ? undefined : checkReason(because, reason),
  };
}

function readDays(given: string | undefined): number {
  if (given === undefined) return DAYS;
  if (!/^\d{1,2}$/.test(given)) throw usage(`--days ${given} is not a number of days`, 'at most 99');
  return Number(given);
}
