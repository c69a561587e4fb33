/** A journal as a table, in the columns that a file names (docs/journal.md): what programs of accounting import. */

import { hash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import * as z from 'zod/mini';
import { amountText, thousands } from '../../core/amount-words.ts';
import { byWord } from '../../core/by-word.ts';
import { isZero, sub } from '../../core/money.ts';
import { type Problem, refuse, usage } from '../../core/problem.ts';
import { dayAfter } from '../../core/zone.ts';
import { guard } from '../../tables/csv-guard.ts';
import type { JournalFormat, JournalHead, PostedEntry } from './formats.ts';
import { latin, oneLine } from './harmless.ts';
import { described } from './plain-text.ts';

const schema = z.strictObject({
  /** Heading, and the template of its cells: `{payee} / {reference}`. In quotes, each cell is written in quotes. */
  columns: z.record(z.string(), z.string(), 'has a heading and a template for each column'),
  /** A template of what stands above the headings. */
  head: z.optional(z.string()),
  separator: z.optional(z.enum([',', ';', '\t', '|'], 'is , ; | or a tab')),
  line_end: z.optional(z.enum(['lf', 'crlf'], 'is lf or crlf')),
  encoding: z.optional(z.enum(['utf-8', 'windows-1252'], 'is utf-8 or windows-1252')),
  date: z.optional(z.enum(['ymd', 'dmy', 'mdy', 'ddmm'], 'is ymd, dmy, mdy or ddmm')),
  decimal: z.optional(z.enum(['.', ','], 'is . or ,')),
  most_lines: z.optional(z.string().check(z.regex(/^[1-9]\d{0,6}$/, 'is a whole number above 0'))),
});

/** The columns of a journal. Each line is a movement; a posting, where a column has `{account}`; both sides, where one has `{contra}`. */
export type JournalColumns = z.output<typeof schema>;

export const PLAIN_COLUMNS: JournalColumns = {
  columns: {
    entry: '{id}',
    date: '{date}',
    kind: '{kind}',
    payee: '{payee}',
    reference: '{reference}',
    account: '{account}',
    amount: '{amount}',
    currency: '{currency}',
  },
};

interface Row {
  posted: PostedEntry;
  account: string;
  /** The account of the other side, where a line has both. */
  contra: string;
  amount: string;
  currency: string;
}

/** The longest number that QuickBooks and DATEV both take, of which two of a million movements are never the same. */
const NUMBER_LENGTH = 20;

const unsigned = ({ amount, currency }: Row): string =>
  amountText(amount.startsWith('-') ? sub('0', amount) : amount, currency) ?? '';
const isDebit = ({ amount }: Row): boolean => !amount.startsWith('-');

/** Texts from outside: a cell that has one is kept from a spreadsheet that would run it. */
const TEXTS = byWord<(row: Row) => string>({
  payee: ({ posted }) => posted.entry.payee,
  description: ({ posted }) => described(posted.entry),
  reference: ({ posted }) => posted.entry.reference,
  narration: ({ posted: { entry } }) => [described(entry), entry.reference].filter(Boolean).join(' / '),
  account: ({ account }) => account,
  contra: ({ contra }) => contra,
});

const VALUES = byWord<(row: Row, columns: JournalColumns) => string>({
  id: ({ posted }) => posted.entry.id,
  number: ({ posted }) => hash('sha256', posted.entry.id, 'hex').slice(0, NUMBER_LENGTH),
  date: ({ posted }, { date }) => dated(posted.entry.day, date),
  kind: ({ posted }) => posted.entry.kind,
  amount: ({ amount, currency }, { decimal }) => marked(amountText(amount, currency) ?? '', decimal),
  unsigned: (row, { decimal }) => marked(unsigned(row), decimal),
  debit: (row, { decimal }) => (isDebit(row) ? marked(unsigned(row), decimal) : ''),
  credit: (row, { decimal }) => (isDebit(row) ? '' : marked(unsigned(row), decimal)),
  side: (row) => (isDebit(row) ? 'S' : 'H'),
  currency: ({ currency }) => currency,
});

const HEAD_VALUES = ['first_day', 'last_day', 'month', 'currency'];

const marked = (amount: string, decimal = '.'): string => amount.replace('.', decimal);

function dated(day: string, form: JournalColumns['date'] = 'ymd'): string {
  const [year, month, date] = day.split('-');
  if (form === 'ymd') return day;
  if (form === 'ddmm') return `${date}${month}`;
  return form === 'dmy' ? `${date}/${month}/${year}` : `${month}/${date}/${year}`;
}

/** `{payee}`, and `{payee:40}` for its first 40 characters. */
const PLACE = /\{(\w+)(?::(\d{1,3}))?\}/g;

const hasPlace = (columns: JournalColumns, name: string): boolean =>
  Object.values(columns.columns).some((text) => [...text.matchAll(PLACE)].some(([, one]) => one === name));

/** True where a line is a posting. */
export const needsAccounts = (columns: JournalColumns): boolean =>
  hasPlace(columns, 'account') || hasPlace(columns, 'contra');
/** True where the lines do not say, or could not have, several currencies. */
export const needsOneBalance = (columns: JournalColumns): boolean =>
  !hasPlace(columns, 'currency') || hasPlace(columns, 'contra');

/** @param content of the file, whose scalars are texts. @throws Problem (usage) that names everything that is wrong in it */
export function readColumns(content: Readonly<Record<string, unknown>>, file: string): JournalColumns {
  const read = schema.safeParse(content);
  if (!read.success)
    throw usage(
      `${file}: ${read.error.issues.map(faultOf).join('; ')}`,
      'docs/journal.md says what a file of columns may have',
    );
  const { columns, head = '' } = read.data;
  const unknown = [
    ...Object.values(columns).flatMap((text) => placesBut(text, (name) => name in TEXTS || name in VALUES)),
    ...placesBut(head, (name) => HEAD_VALUES.includes(name)),
  ];
  if (unknown.length > 0)
    throw usage(
      `${file}: there is no {${unknown.join('}, no {')}}`,
      `a cell may have {${[...Object.keys(TEXTS), ...Object.keys(VALUES)].join('}, {')}}; the head {${HEAD_VALUES.join('}, {')}}`,
    );
  return read.data;
}

const faultOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `there is no member ${issue.keys.join(', ')}`
    : `${issue.path.join('.')} ${issue.path[1] === undefined ? issue.message : 'is no text'}`;

const placesBut = (text: string, isKnown: (name: string) => boolean): string[] =>
  [...text.matchAll(PLACE)].map(([, name = '']) => name).filter((name) => !isKnown(name));

/** @param only the currency of the journal, where it has one balance */
export function tableFormat(columns: JournalColumns, only: string | undefined): JournalFormat {
  const given = Object.values(columns.columns);
  const inQuotes = given.map((text) => /^".*"$/s.test(text));
  const templates = given.map((text, at) => (inQuotes[at] ? text.slice(1, -1) : text));
  const write = writerOf(columns);
  const most = columns.most_lines === undefined ? undefined : Number(columns.most_lines);
  const oneCurrency = needsOneBalance(columns) ? only : undefined;
  let lines = 0;
  let firstDay: string | undefined;
  return {
    summary: 'a line for each posting',
    ...(needsAccounts(columns) && { accounts: { fits: /\S/u, words: '' } }),
    head: (head) => `${headOf(columns, head, only)}${write(Object.keys(columns.columns))}`,
    entry(posted) {
      const rows = rowsOf(columns, posted, oneCurrency);
      lines += rows.length;
      firstDay ??= posted.entry.day;
      if (most !== undefined && lines > most) throw tooLong(most, firstDay, posted.entry.day);
      return rows
        .map((row) => ({ ...row, posted }))
        .map((row) =>
          write(
            templates.map((text) => rendered(text, row, columns)),
            inQuotes,
          ),
        )
        .join('');
    },
  };
}

function rendered(template: string, row: Row, columns: JournalColumns): string {
  let hasText = false;
  const text = template.replace(PLACE, (_, name: string, most?: string) => {
    const outside = TEXTS[name];
    hasText ||= outside !== undefined;
    const value = outside ? oneLine(outside(row)) : (VALUES[name]?.(row, columns) ?? '');
    return most === undefined ? value : [...value].slice(0, Number(most)).join('');
  });
  return hasText ? guard(text) : text;
}

/** @throws Problem (usage) where days without a year would stand for two years */
function headOf(
  { head, date, line_end }: JournalColumns,
  { firstDay, lastDay }: JournalHead,
  currency = '',
): string {
  if (date === 'ddmm' && firstDay.slice(0, 4) !== lastDay.slice(0, 4))
    throw usage('these columns have days without a year', 'name a time within one year');
  if (head === undefined) return '';
  const plain = (day: string): string => day.replaceAll('-', '');
  const values: Readonly<Record<string, string>> = {
    first_day: plain(firstDay),
    last_day: plain(lastDay),
    month: firstDay.slice(0, 7),
    currency,
  };
  return `${head.replace(PLACE, (_, name: string) => values[name] ?? '')}${line_end === 'crlf' ? '\r\n' : '\n'}`;
}

function rowsOf(columns: JournalColumns, { entry, legs }: PostedEntry, only: string | undefined) {
  if (!needsAccounts(columns))
    return [{ account: '', contra: '', amount: entry.amount, currency: entry.currency }];
  const own = legs.filter(
    ({ currency, amount }) => (only === undefined || currency === only) && !isZero(amount),
  );
  if (!hasPlace(columns, 'contra')) return own.map((leg) => ({ ...leg, contra: '' }));
  const [first, ...others] = own;
  return others.map((leg) => ({ ...leg, contra: first?.account ?? '' }));
}

function writerOf({ separator = ',', line_end, encoding }: JournalColumns) {
  const isLatin = encoding === 'windows-1252';
  return (cells: readonly string[], inQuotes: readonly boolean[] = []): string =>
    stringify([isLatin ? cells.map(latin) : [...cells]], {
      delimiter: separator,
      record_delimiter: line_end === 'crlf' ? '\r\n' : '\n',
      quoted_match: /[\r\n;\t|\ufeff]/,
      cast: { string: (value, { index }) => (inQuotes[index] ? { value, ...IN_QUOTES } : value) },
    });
}

const IN_QUOTES = { quoted: true, quoted_empty: true };

const tooLong = (most: number, firstDay: string, day: string): Problem =>
  refuse(
    'usage',
    'too_many_lines',
    `these columns take ${thousands(most)} lines a file, and there are more by ${day}`,
    {
      hint:
        firstDay === day
          ? 'that one day has too many: take another format'
          : `take the time until ${dayAfter(day, -1)} first, and then from ${day} on`,
    },
  );
