/** One movement of a bank's statement, and what its readers say of a file that is wrong. */
import { byWord } from '../../core/by-word.ts';
import { type Hint, hint } from '../../core/next.ts';
import type { Problem } from '../../core/problem.ts';
import { fileProblem, wordsOfFile } from '../../tables/row.ts';
import type { StatementBalance } from './side.ts';

export interface StatementEntry {
  /** Where it begins. */
  line: number;
  endToEnd: string | undefined;
  /** The bank's own reference. */
  bankReference: string | undefined;
  /** The reference of its orderer. */
  orderReference: string | undefined;
  text: string | undefined;
  /** A decimal; with a minus where money came in. */
  amount: string;
  currency: string;
  /** `2026-10-31`, by the bank's own calendar. */
  day: string | undefined;
  /** When it was booked, where the bank says the time. */
  at?: number | undefined;
  /** The number of the account, where the statement names one. */
  account: string | undefined;
}

/** Given to the reader of one kind of file. */
export interface StatementWords {
  currency: string | undefined;
  /** The sums of the file prove nothing. @throws the problem where that is refused */
  doubt(problem: Problem): void;
  /** Hears the status or mark of each entry; one that is not booked is left out, and counted. @throws Problem where it is not known */
  isBooked(kind: 'status' | 'mark', word: string, line: number): boolean;
  /** Hears the balances of each statement at its end. */
  balance(of: Omit<StatementBalance, 'account' | 'file'> & { account: string | undefined }): void;
}

/** Tells which entries are booked: by the status of camt, as a code or as the bank's own word, and by the mark of MT940 and MT942. */
const BOOKED = {
  status: byWord({ BOOK: true, PDNG: false, INFO: false, FUTR: false }),
  mark: byWord({ C: true, D: true, RC: true, RD: true, EC: false, ED: false }),
};

/** Undefined where it is not known. */
export const isBooked = (kind: keyof typeof BOOKED, word: string): boolean | undefined => BOOKED[kind][word];

export const statementProblem = (name: string, line: number, words: string, hint?: Hint) =>
  fileProblem('statement', `${wordsOfFile(name)}: line ${line} ${words}`, hint);

/** The advice about sums that prove nothing, and about a currency that is named nowhere. */
export const WARN: Hint = hint`look into the bank’s file; ${{ give: 'sums', value: 'warn' }} reads it all the same`;
export const NAME_CURRENCY: Hint = hint`${{ give: 'currency', value: 'EUR' }} names it`;
