/** The papers of a closed month, as files: CSV for spreadsheets, and copies of what was compared. */
import { basename } from 'node:path';
import { bytesOfFile } from '../../../frame/flags/text-file.ts';
import { csvOf } from '../../../frame/output/csv-file.ts';
import type { View } from '../../../frame/terminal/view.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Paper, SOURCES } from '../../closing/close.ts';
import type { ExaminedMonth } from '../../closing/examine.ts';
import type { OpenedBooks } from '../../open-books.ts';
import { isDifference } from '../../reconcile/endings.ts';
import { shownCases } from '../../reconcile/shown.ts';
import { totalsOf } from '../../reconcile/totals.ts';
import { statementLines } from '../../statement/lines.ts';
import { openPointView } from '../views/closing.ts';
import { dayBalanceView, inFlightView } from '../views/in-flight.ts';
import { bankAccountView, caseView, totalView } from '../views/reconcile.ts';
import { lineView, totalsView } from '../views/statement.ts';
import { summaryView } from '../views/summary.ts';
import { pagesOf } from './rows.ts';

/** Files that were given are read once: what is copied is what was compared. */
export class Sources {
  readonly #context: Context;
  readonly #read = new Map<string, Promise<Uint8Array[]>>();
  readonly #what = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** @param what the words of the manifest about it */
  readonly of = (what: string) =>
    async function* (this: Sources, file: string): AsyncGenerator<Uint8Array> {
      this.#what.set(file, what);
      const reading = this.#read.get(file) ?? this.#collect(file);
      this.#read.set(file, reading);
      yield* await reading;
    }.bind(this);

  async #collect(file: string): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytesOfFile(this.#context.process, file)) chunks.push(chunk);
    return chunks;
  }

  async papers(): Promise<Paper[]> {
    const papers: Paper[] = [];
    for (const [file, reading] of this.#read)
      papers.push({
        name: `${SOURCES}/${papers.length + 1}-${safe(file)}`,
        what: this.#what.get(file) ?? '',
        pieces: await reading,
      });
    return papers;
  }
}

const safe = (file: string): string =>
  file === '-'
    ? 'standard-input'
    : basename(file)
        .replace(/[^\w.-]/g, '_')
        .slice(-100);

export async function papersOf(
  context: Context,
  books: OpenedBooks['books'],
  month: ExaminedMonth,
  sources: Sources,
): Promise<Paper[]> {
  const { statement, inFlight, summary, reconciled, decisions, open } = month;
  const paper = <Row>(
    name: string,
    what: string,
    [view, pages]: readonly [View<Row>, AsyncIterable<Row[]> | Iterable<Row[]>],
  ): Paper => ({ name: `${name}.csv`, what, pieces: csvOf(context, view, pages) });
  const cases = pagesOf(shownCases(reconciled, decisions, () => true));
  const decided = [...shownCases(reconciled, decisions, isDifference)].filter((one) => one.decision !== null);
  return [
    paper('statement', 'each movement of each balance', [
      lineView,
      statementLines(books, statement, context.mask),
    ]),
    paper('statement-totals', 'opening, sums, closing and difference of each balance', [
      totalsView,
      [statement.accounts.map(({ totals }) => totals)],
    ]),
    paper('summary', 'payouts of the payments of this month, by corridor', [summaryView, [summary.rows]]),
    paper('in-flight', 'funded at the end of the month, and neither paid out nor back', [
      inFlightView,
      [inFlight.rows],
    ]),
    paper('in-flight-totals', 'sums that prove it against the balances', [
      dayBalanceView,
      [inFlight.balances],
    ]),
    paper('reconciliation', 'each row of the ledger and of the other sides, and how it ended', [
      caseView,
      cases,
    ]),
    paper('reconciliation-totals', 'the totals of both sides', [
      totalView,
      [reconciled.found.flatMap(totalsOf)],
    ]),
    ...(reconciled.accounts.length === 0
      ? []
      : [paper('accounts', 'the accounts of the bank', [bankAccountView, [[...reconciled.accounts]]])]),
    ...(decided.length === 0
      ? []
      : [paper('decisions', 'what people decided about differences', [caseView, [decided]])]),
    ...(open.length === 0
      ? []
      : [paper('open', 'differences that nobody explained', [openPointView, [open]])]),
    ...(await sources.papers()),
  ];
}
