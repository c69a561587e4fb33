/** How long a name may be. */
import { type Fault, type FileRow, faultAt } from './row.ts';

/** Max140Text, which ISO 20022 has for the name of a party: banks cut the rest, and then it is another name. */
const MOST = 140;

/** Columns that are one name together, of each that a row may name. */
const NAMES = ['', 'sender.', 'contact_'].map((who) =>
  ['first_name', 'middle_name', 'last_name', 'name'].map((column) => who + column),
);

export function longNames(row: FileRow): Fault[] {
  const faults: Fault[] = [];
  for (const columns of NAMES) {
    const there = columns.filter((column) => row.cells[column] !== undefined);
    const length = lengthOf(there.map((column) => row.cells[column]).join(' '));
    if (length <= MOST) continue;
    const [column = ''] = there.filter((one) => lengthOf(row.cells[one] ?? '') > MOST).concat(there);
    const together = lengthOf(row.cells[column] ?? '') === length ? '' : ', with the rest of the name';
    faults.push(faultAt(row, column, 'long_name', `has ${length} characters${together}`, `at most ${MOST}`));
  }
  return faults;
}

/** Characters, as the standard counts them: one outside of the common plane is one too. */
const lengthOf = (text: string): number => (text.length <= MOST ? text.length : [...text].length);
