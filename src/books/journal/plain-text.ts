/**
 * Journals of plain-text accounting. Public documents: the manual of hledger 1.25 (journal format; ledger 3 reads the same file), and the
 * language syntax of beancount 2. Each entry has its id as its only tag.
 */
import { amountText } from '../../core/amount-words.ts';
import type { JournalAccount, JournalFormat, PostedEntry } from './formats.ts';
import { inDescription, oneLine, quoted } from './harmless.ts';

const amountOf = (amount: string, currency: string): string => `${amountText(amount, currency)} ${currency}`;

const byName = (accounts: readonly JournalAccount[]): string[] => [
  ...new Set(accounts.map(({ name }) => name)),
];
const currenciesOf = (accounts: readonly JournalAccount[]): string[] =>
  [...new Set(accounts.map(({ currency }) => currency))].sort();

function hledgerEntry({ entry, legs }: PostedEntry): string {
  const described = [entry.payee || WORDS[entry.kind], entry.reference].map(inDescription);
  const head = `${entry.day} ${described.filter(Boolean).join(' | ')}`.trimEnd();
  const postings = legs.map(
    ({ account, amount, currency }) => `    ${account}  ${amountOf(amount, currency)}`,
  );
  return `${[head, `    ; id: ${entry.id}`, ...postings].join('\n')}\n\n`;
}

export const hledger: JournalFormat = {
  summary: 'plain text for hledger and ledger',
  accounts: {
    fits: /^(?![\s(["'!*;=~%#&@{|])(?!.*\s\s)(?!.*\s;)[^\t\n\r"]*\S$/u,
    words: 'a name has no tab, no two spaces in a row, and no mark in front, such as Assets:Remit:EUR',
  },
  tail: (accounts) =>
    `${[
      ...currenciesOf(accounts).map((currency) => `commodity ${currency}`),
      ...byName(accounts).map((name) => `account ${name}`),
    ].join('\n')}\n`,
  entry: hledgerEntry,
};

function beancountEntry({ entry, legs }: PostedEntry): string {
  const head = `${entry.day} * ${quoted(entry.payee || WORDS[entry.kind])} ${quoted(entry.reference)}`;
  const postings = legs.map(({ account, amount, currency }) => `  ${account}  ${amountOf(amount, currency)}`);
  return `${[head, `  id: ${quoted(entry.id)}`, ...postings].join('\n')}\n\n`;
}

export const beancount: JournalFormat = {
  summary: 'plain text for beancount',
  accounts: {
    fits: /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\d][\p{L}\d-]*)+$/u,
    words:
      'beancount has Assets, Liabilities, Equity, Income or Expenses in front, and each part begins with a capital or a digit',
  },
  // An account can be opened once, so the first file of a ledger opens them.
  tail: (accounts, { opening, firstDay }) =>
    opening
      ? `${byName(accounts)
          .map((name) => `${firstDay} open ${name}`)
          .join('\n')}\n`
      : '',
  entry: beancountEntry,
};

/** In place of a payee where no payment moved the balance. */
export const WORDS: Readonly<Record<PostedEntry['entry']['kind'], string>> = {
  opening: 'Opening balance',
  opening_not_seen: 'Opening balance',
  debit: 'Payment',
  refund: 'Refund',
  collection: 'Collection',
  correction: 'Correction of a closed month',
  unexplained: 'No payment explains it',
  closing: 'Closing balance',
  closing_not_seen: 'Closing balance',
};

export const described = ({ payee, kind }: PostedEntry['entry']): string => oneLine(payee) || WORDS[kind];
