/**
 * Decisions about differences are made by people, in their file of rules or in a table that they fill in. A decision belongs to what the
 * difference says: where a row changed since, it counts no more.
 */
import { createHash } from 'node:crypto';
import { counted } from '../../core/amount-words.ts';
import { hint } from '../../core/next.ts';
import { refuse } from '../../core/problem.ts';
import { readCsv } from '../../tables/csv.ts';
import { fileProblem, isFault, shortName, wordsOfFile } from '../../tables/row.ts';
import { utf8Pieces } from '../../tables/utf8.ts';
import type { ReconcileCase, ShownSide } from './cases.ts';

/** `accept`: it is explained, and is no difference any more. `open`: it stays one, and so does an empty cell. */
export const DECISIONS = ['accept', 'open'] as const;
export type RowDecision = (typeof DECISIONS)[number];

export interface Decided {
  decision: RowDecision;
  /** The reason. */
  note: string | null;
  /** The person who decided, and the day; absent where a table decided. */
  by?: string;
  on?: string;
}

/** By the id of a difference or of a suggestion. */
export type Decisions = Map<string, Decided>;

/** The same for the same difference in every run, in whatever line it stands; several that are alike are numbered. */
export function caseNames(): (one: ReconcileCase) => string {
  const seen = new Map<string, number>();
  return (one) => {
    const parts = [
      one.against,
      one.ending,
      factsOf(one.ledger),
      factsOf(one.other),
      one.other?.state ?? null,
    ];
    const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}-${before + 1}`;
  };
}

const factsOf = (shown: ShownSide | null): readonly unknown[] | null =>
  shown && [shown.id, shown.reference, shown.amount, shown.currency, shown.day];

const COLUMNS = ['case', 'decision', 'note'];
const MOST_FAULTS = 20;

/** @throws Problem where a row cannot be read */
export async function readDecisions(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Decisions> {
  const found: Decisions = new Map();
  const faults: { path: string; words: string[] }[] = [];
  const fault = (at: string | undefined, words: string) => faults.push({ path: at ?? '', words: [words] });
  const header = (record: readonly string[]) => headerOf(record, name);
  for await (const batch of readCsv(utf8Pieces(bytes, name), { name, header }))
    for (const one of batch) {
      if (isFault(one)) {
        fault(one.at, one.words);
        continue;
      }
      const { case: key, decision: text = '', note } = one.cells;
      const given = text.trim().toLowerCase();
      const decision = given === '' ? 'open' : DECISIONS.find((each) => each === given);
      if (key === undefined) fault(one.at, 'has no case');
      else if (decision === undefined)
        fault(one.at, `"${shortName(text)}" is not a decision: ${DECISIONS.join(', ')}, or nothing`);
      else if (found.get(key.trim())?.decision === 'accept' || (found.has(key.trim()) && given === ''))
        fault(one.at, 'has the same case as a row before it');
      else found.set(key.trim(), { decision, note: note ?? null });
    }
  if (faults.length === 0) return found;
  throw refuse(
    'usage',
    'decisions',
    `${counted(faults.length, 'row')} of ${wordsOfFile(name)} cannot be read, so nothing was compared`,
    {
      fields: faults.slice(0, MOST_FAULTS),
      hint: hint`decide in the file that ${{ give: 'exceptions', value: 'FILE' }} wrote`,
    },
  );
}

function headerOf(record: readonly string[], name: string): (string | null)[] {
  const names = record.map((one) => one.trim().toLowerCase());
  const lacking = COLUMNS.slice(0, 2).filter((one) => !names.includes(one));
  if (lacking.length > 0)
    throw fileProblem(
      'missing_column',
      `${wordsOfFile(name)} has no column ${lacking.join(', ')}`,
      hint`decide in the file that ${{ give: 'exceptions', value: 'FILE' }} wrote`,
    );
  return names.map((one, at) => (COLUMNS.includes(one) && names.indexOf(one) === at ? one : null));
}
