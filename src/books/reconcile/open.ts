/** The open differences of a month between a ledger from the user and the books of this machine, in words. */

import { counted, thousands } from '../../core/amount-words.ts';
import type { Desk } from '../../payments/desk.ts';
import type { TextCell, TextTable } from '../../payments/shapes/told.ts';
import { sideWords } from './cases.ts';
import { isDifference } from './endings.ts';
import { DAYS } from './match.ts';
import { reconcile } from './reconcile.ts';
import { keptRecords } from './service.ts';
import { type ShownCase, shownCases } from './shown.ts';

/** Rows that one screen can hold, and a person decide about. */
const MOST = 500;

export interface OpenDifferences extends TextTable {
  said: string;
}

/** The first cell of each row is the id by which a table of decisions names it. @throws Problem where the ledger cannot be read whole, or there are no books */
export async function openDifferences(
  desk: Desk,
  { month, name, bytes }: { month: string; name: string; bytes: AsyncIterable<Uint8Array> },
): Promise<OpenDifferences> {
  const reconciled = await reconcile(desk, {
    ledger: { name, bytes },
    service: { by: 'input', records: (span, progress) => keptRecords(desk, span, progress) },
    statements: [],
    month,
    days: DAYS,
  });
  const open = [...shownCases(reconciled, new Map(), isDifference)];
  return {
    said: saidOf(open.length),
    heads: ['Explained', 'What differs', 'In the ledger', 'In the books'],
    rows: open.slice(0, MOST).map(cellsOf),
  };
}

function saidOf(open: number): string {
  if (open === 0) return 'Nothing differs.';
  const more = open > MOST ? `, of which these are the first ${thousands(MOST)}` : '';
  return `${counted(open, 'open difference')}${more}.`;
}

function cellsOf({ case: id, why, ledger, other }: ShownCase): TextCell[] {
  const payment = other?.transaction_id ?? '';
  const found = other === null ? '' : sideWords(other);
  return [
    id,
    why,
    ledger === null ? '' : `line ${ledger.line}: ${sideWords(ledger)}`,
    payment === '' ? found : { text: found, to: 'search', of: payment },
  ];
}
