/** The formats of a journal: who reads it, what its accounts are called, and how an entry is written. */
import type { JournalEntry } from './entries.ts';

export interface JournalAccount {
  name: string;
  currency: string;
}

export interface PostedEntry {
  entry: JournalEntry;
  legs: readonly { account: string; amount: string; currency: string }[];
}

export interface JournalHead {
  opening: boolean;
  /** Days of the statement's time zone, such as `2026-10-01`. */
  firstDay: string;
  lastDay: string;
}

export interface JournalFormat {
  summary: string;
  /** Undefined for a table of movements of one balance, which has no accounts. */
  accounts?: { fits: RegExp; words: string };
  head?(head: JournalHead): string;
  entry(posted: PostedEntry): string;
  /** Declares the accounts that the entries had, sorted by name. It stands behind the entries, so that they are read once. */
  tail?(accounts: readonly JournalAccount[], head: JournalHead): string;
}

export const JOURNAL_FORMATS = ['hledger', 'beancount', 'csv'] as const;
export type JournalName = (typeof JOURNAL_FORMATS)[number];
