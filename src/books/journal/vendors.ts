/**
 * Journals that are tables: our own CSV, and what Xero, QuickBooks and DATEV import. Their columns are data (`vendors.json`), each with the
 * rule of the vendor, the page that says it and the day on which it was read. They were checked against those rules, and never imported.
 */

import { hash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { amountText, thousands } from '../../core/amount-words.ts';
import { byWord } from '../../core/by-word.ts';
import { isZero, sub } from '../../core/money.ts';
import { type Problem, refuse, usage } from '../../core/problem.ts';
import { dayAfter } from '../../core/zone.ts';
import type { Accounts, Setting } from './accounts.ts';
import type { JournalFormat, JournalHead, PostedEntry } from './formats.ts';
import { cell, latin } from './harmless.ts';
import { described } from './plain-text.ts';
import data from './vendors.json' with { type: 'json' };

type Dates = 'ymd' | 'dmy' | 'mdy';
type Value = keyof typeof VALUES;

/** A column: its heading, the value of each line, the vendor's rule for it. */
interface Column {
  name: string;
  value: string;
  /** It stands in quotes, empty too. */
  isText?: boolean;
  rule?: string;
  page?: string;
}

/** One table, as `vendors.json` has it. */
export interface Table {
  summary: string;
  /** The subject of a line: a posting, a movement of one balance, or a posting with the account that stands against it. */
  per: 'posting' | 'movement' | 'pair';
  columns: readonly Column[];
  /** The file has postings of one currency alone, which are balanced by themselves. */
  oneCurrency?: boolean;
  dates?: string;
  mostLines?: number;
  separator?: string;
  newline?: string;
  /** Bytes of Windows-1252. */
  latin?: boolean;
  accounts?: { fits: string; words: string };
  /** Settings that the file of accounts must have. */
  needs?: readonly string[];
  page?: string;
  checked?: string;
}

export const TABLES: Readonly<Record<string, Table>> = byWord(data as unknown as Record<string, Table>);

interface Row {
  posted: PostedEntry;
  account: string;
  /** The account of the other side, where a line has both. */
  contra: string;
  amount: string;
  currency: string;
  dates: Dates;
  setting: (name: Setting) => string;
}

/** The longest number that QuickBooks and DATEV both take, of which two of a million movements are never the same. */
const NUMBER_LENGTH = 20;
const numberOf = ({ entry }: PostedEntry): string => hash('sha256', entry.id, 'hex').slice(0, NUMBER_LENGTH);
const narrationOf = ({ entry }: PostedEntry): string =>
  [described(entry), entry.reference].filter(Boolean).join(' / ');
const unsigned = ({ amount, currency }: Row): string =>
  amountText(amount.startsWith('-') ? sub('0', amount) : amount, currency) ?? '';
const isDebit = ({ amount }: Row): boolean => !amount.startsWith('-');

const VALUES = {
  id: ({ posted }: Row) => posted.entry.id,
  number: ({ posted }: Row) => numberOf(posted),
  day: ({ posted }: Row) => posted.entry.day,
  date: ({ posted, dates }: Row) => dated(posted.entry.day, dates),
  ddmm: ({ posted }: Row) => `${posted.entry.day.slice(8)}${posted.entry.day.slice(5, 7)}`,
  kind: ({ posted }: Row) => posted.entry.kind,
  payee: ({ posted }: Row) => cell(posted.entry.payee),
  described: ({ posted }: Row) => cell(described(posted.entry)),
  reference: ({ posted }: Row) => cell(posted.entry.reference),
  narration: ({ posted }: Row) => cell(narrationOf(posted)),
  narration_60: ({ posted }: Row) => cell([...narrationOf(posted)].slice(0, 59).join('')),
  narration_id: ({ posted }: Row) => cell(`${narrationOf(posted)} / ${posted.entry.id}`),
  account: ({ account }: Row) => cell(account),
  contra: ({ contra }: Row) => contra,
  amount: ({ amount, currency }: Row) => amountText(amount, currency) ?? '',
  debit: (row: Row) => (isDebit(row) ? unsigned(row) : ''),
  credit: (row: Row) => (isDebit(row) ? '' : unsigned(row)),
  positive_comma: commaAmount,
  side: (row: Row) => (isDebit(row) ? 'S' : 'H'),
  currency: ({ currency }: Row) => currency,
  tax_rate: ({ setting }: Row) => cell(setting('tax_rate')),
  empty: () => '',
};

function dated(day: string, dates: Dates): string {
  const [year, month, date] = day.split('-');
  if (dates === 'ymd') return day;
  return dates === 'dmy' ? `${date}/${month}/${year}` : `${month}/${date}/${year}`;
}

/** @throws Problem (usage) where DATEV has no room for it */
function commaAmount(row: Row): string {
  const [whole = '', decimals = ''] = unsigned(row).split('.');
  const cents = decimals.padEnd(2, '0');
  if (whole.length > 10 || cents.length > 2)
    throw usage(
      `DATEV has no room for ${unsigned(row)} ${row.currency}: ten digits, a comma, two digits`,
      'take another format for this balance',
    );
  return `${whole},${cents}`;
}

/** @throws Problem (usage) where the file of accounts lacks a setting, or more than one balance is asked for */
export function tableFormat(
  table: Table,
  accounts: Accounts | undefined,
  only: string | undefined,
): JournalFormat {
  const setting = (name: Setting): string => accounts?.settings[name] ?? '';
  const missing = (table.needs ?? []).filter((name) => setting(name as Setting) === '');
  if (missing.length > 0)
    throw usage(
      `${accounts?.file} does not say ${missing.join(', ')}`,
      'add it beside the accounts; see docs/journal.md',
    );
  const given = accounts?.settings.dates ?? table.dates ?? 'ymd';
  if (given !== 'ymd' && given !== 'dmy' && given !== 'mdy')
    throw usage(`${accounts?.file}: dates are ymd, dmy or mdy, and not "${given}"`);
  const write = writerOf(table);
  let lines = 0;
  let firstDay: string | undefined;
  return {
    summary: table.summary,
    ...(table.accounts && {
      accounts: { fits: new RegExp(table.accounts.fits, 'u'), words: table.accounts.words },
    }),
    ...(table.per === 'posting' && !table.accounts && { accounts: { fits: /\S/u, words: '' } }),
    head: (head) =>
      `${table.latin && only ? datevHeader(head, only, setting) : ''}${write(table.columns.map(({ name }) => name))}`,
    entry(posted) {
      const rows = rowsOf(table, posted, only).map(
        (row) => ({ ...row, posted, dates: given, setting }) as Row,
      );
      lines += rows.length;
      firstDay ??= posted.entry.day;
      if (table.mostLines !== undefined && lines > table.mostLines)
        throw tooLong(table.mostLines, firstDay, posted.entry.day);
      return rows
        .map((row) =>
          write(
            table.columns.map(({ value }) => VALUES[value as Value](row)),
            true,
          ),
        )
        .join('');
    },
  };
}

function rowsOf(
  { per, oneCurrency }: Table,
  { entry, legs }: PostedEntry,
  only: string | undefined,
): Pick<Row, 'account' | 'contra' | 'amount' | 'currency'>[] {
  if (per === 'movement')
    return [{ account: '', contra: '', amount: entry.amount, currency: entry.currency }];
  const own = legs.filter(({ currency, amount }) => (!oneCurrency || currency === only) && !isZero(amount));
  const [first, ...others] = own;
  if (first === undefined) return [];
  return per === 'posting'
    ? own.map((leg) => ({ ...leg, contra: '' }))
    : others.map((leg) => ({ ...leg, contra: first.account }));
}

/** A line of the table. Of DATEV every text stands in quotes. */
function writerOf({ separator = ',', newline = '\n', latin: isLatin, columns }: Table) {
  return (cells: readonly string[], isRow = false): string => {
    if (!isLatin)
      return stringify([[...cells]], {
        delimiter: separator,
        record_delimiter: newline,
        quoted_match: /[\r\n;\t|\ufeff]/,
      });
    const written = cells.map((text, at) => {
      const plain = latin(text);
      return isRow && columns[at]?.isText ? `"${plain.replaceAll('"', '""')}"` : plain;
    });
    return written.join(separator) + newline;
  };
}

/** The 31 fields of the header, by the vendor's page (`vendors.json`): a batch of postings that are not fixed yet, of one currency. */
function datevHeader(
  { firstDay, lastDay }: JournalHead,
  currency: string,
  setting: (name: Setting) => string,
): string {
  const plain = (day: string): string => day.replaceAll('-', '');
  if (firstDay.slice(0, 4) !== lastDay.slice(0, 4))
    throw usage('DATEV takes a batch of one year: its dates have no year', 'name a time within one year');
  const texts = { batch: latin(`remit ${firstDay.slice(0, 7)}`) };
  const fields = [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', '', '', '"RE"', '""', '""'],
    ...[setting('consultant'), setting('client'), plain(setting('fiscal_year')), setting('account_length')],
    ...[plain(firstDay), plain(lastDay), `"${texts.batch}"`, '""', '1', '0', '0', `"${currency}"`],
    ...['', '""', '', '', '""', '', '', '""', '""'],
  ];
  return `${fields.join(';')}\r\n`;
}

const tooLong = (most: number, firstDay: string, day: string): Problem =>
  refuse(
    'usage',
    'too_many_lines',
    `this program takes ${thousands(most)} lines a file, and there are more by ${day}`,
    {
      hint:
        firstDay === day
          ? 'that one day has too many: take another format'
          : `take the time until ${dayAfter(day, -1)} first, and then from ${day} on`,
    },
  );
