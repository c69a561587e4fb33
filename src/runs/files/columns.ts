/** The columns that a file of payments can have, and which of them a header or a member of a row means. */
import { fieldsFor } from '../../contract/corridors/check.ts';
import type { Corridor, PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor } from '../../contract/corridors/index.ts';
import { senderTextFields } from '../../contract/resources/sender.ts';
import { nearest } from '../../core/distance.ts';
import { hint } from '../../core/next.ts';
import { fileProblem, shortName, wordsOfFile } from '../../tables/row.ts';

/** The columns of a payment beside its details, in the order in which files are written. */
export const OWN_COLUMNS = [
  'key',
  'external_id',
  'type',
  'recipient_type',
  'amount',
  'currency',
  'input_currency',
  'sender',
] as const;

const SENDER_FIELDS = [...senderTextFields, 'type', 'identification_type', 'gender', 'legal_entity_type'];
export const SENDER = 'sender.';
export const METADATA = 'metadata.';

export interface Columns {
  /** The canonical column of a name in the file; undefined where there is none. */
  of(name: string): string | undefined;
  /** All that are known, `metadata.<name>` aside. */
  known: readonly string[];
}

/** Names that the details of this kind of recipient may have. */
export function allowedNames(corridor: Corridor, kind: PartyKind): ReadonlySet<string> {
  const fields = fieldsFor(corridor, kind);
  const phone = fields.some(({ check }) => check === 'phone') ? ['phone_country'] : [];
  return new Set([...fields.map(({ name }) => name), ...corridor.alsoAccepted, ...phone]);
}

/** The same for either kind, in the order of the corridor. */
export const detailNames = (corridor: Corridor): string[] => [
  ...new Set([...allowedNames(corridor, 'person'), ...allowedNames(corridor, 'business')]),
];

/** `map`: canonical column to its name in the file. @throws Problem where it names a column that there is not */
export async function knownColumns(map: Readonly<Record<string, string>>): Promise<Columns> {
  const corridors = await Promise.all(corridorTypes.map(({ type }) => loadCorridor(type)));
  const details = corridors.flatMap((one) => (one === undefined ? [] : detailNames(one)));
  const known = [...new Set([...OWN_COLUMNS, ...details, ...SENDER_FIELDS.map((name) => SENDER + name)])];
  const names = new Set(known);
  const isColumn = (name: string): boolean => names.has(name) || isMetadata(name);
  const wrong = Object.keys(map).filter((column) => !isColumn(column));
  if (wrong.length > 0)
    throw fileProblem(
      'unknown_column',
      `a file of payments has no column ${listed(wrong)}`,
      nearColumns(wrong, known),
    );
  const mapped = new Map(Object.entries(map).map(([column, name]) => [name, column]));
  const kept = new Map<string, string | undefined>();
  const find = (name: string): string | undefined => {
    const direct = mapped.get(name) ?? mapped.get(name.trim());
    if (direct !== undefined) return direct;
    const spelt = [
      name.trim(),
      name
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ].find(isColumn);
    // A column that is read under another name is not read under its own as well.
    return spelt !== undefined && Object.hasOwn(map, spelt) ? undefined : spelt;
  };
  return {
    known,
    of(name) {
      if (!kept.has(name) && kept.size < 10_000) kept.set(name, find(name));
      return kept.has(name) ? kept.get(name) : find(name);
    },
  };
}

/** Names of one's own, kept with the payment. */
const isMetadata = (name: string): boolean =>
  name.startsWith(METADATA) && name.length > METADATA.length && name !== `${METADATA}__proto__`;

/** `did you mean bank_code?`; undefined where nothing is near. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  const close = nearest(
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
      .slice(0, 60),
    known,
  );
  return close.length === 0 ? undefined : `did you mean ${close.join(' or ')}?`;
}

/** Returns the meaning of each place of a header; undefined where the header says nothing. @throws Problem */
export function readHeader(
  header: readonly string[],
  columns: Columns,
  {
    name,
    map,
    defaults,
  }: { name: string; map: Readonly<Record<string, string>>; defaults: Readonly<Record<string, string>> },
): (string | undefined)[] {
  const file = wordsOfFile(name);
  refuseNoHeading(file, header, columns);
  const absent = Object.entries(map).filter(
    ([, wanted]) => !header.some((each) => each === wanted || each.trim() === wanted),
  );
  if (absent.length > 0)
    throw fileProblem(
      'unknown_column',
      `${file} has ${absent.map(([column, wanted]) => `no column "${shortName(wanted)}", which ${column} is to be read from`).join(', and ')}`,
    );
  const found = header.map((each) => (each.trim() === '' ? undefined : columns.of(each)));
  const unknown = header.filter((each, index) => each.trim() !== '' && found[index] === undefined);
  if (unknown.length > 0) throw unknownColumns(file, unknown, columns);
  const seen = new Set<string>();
  for (const column of found) {
    if (column === undefined) continue;
    if (seen.has(column))
      throw fileProblem(
        'duplicate_column',
        `${file} has the column ${column} twice`,
        'delete one of the two',
      );
    seen.add(column);
  }
  refuseLacking(file, seen, defaults);
  return found;
}

const MOST_NAMED = 100;
/** `"A", "B" and "C"`. */
function listed(names: readonly string[]): string {
  const words = names.slice(0, MOST_NAMED).map((name) => `"${shortName(name.trim())}"`);
  if (names.length > MOST_NAMED) words.push(`${names.length - MOST_NAMED} more`);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** The names that are near, behind the name that each is near to where there are several. */
function nearColumns(names: readonly string[], known: readonly string[]): string | undefined {
  const near = names.slice(0, MOST_NAMED).flatMap((name) => {
    const words = suggestion(name, known);
    return words === undefined ? [] : [names.length === 1 ? words : `"${shortName(name.trim())}": ${words}`];
  });
  return near.length === 0 ? undefined : near.join(' ');
}

/** A number is no name of a column: it is part of a row, and may be a payee's account. */
const NUMBER = /^[+-]?\d[\d.,' ]*$/;

/** @throws Problem, without the texts of the row, where a file has no heading */
function refuseNoHeading(file: string, header: readonly string[], columns: Columns): void {
  const isNamed = header.filter((each) => columns.of(each) !== undefined).length > 1;
  if (isNamed || !header.some((each) => NUMBER.test(each.trim()) && columns.of(each) === undefined)) return;
  throw fileProblem(
    'no_heading',
    `${file} has no line with the names of columns: its first line has a number in it`,
    'put a line above the rows, such as key,type,amount,input_currency,sender,first_name,last_name',
  );
}

function unknownColumns(file: string, given: readonly string[], { known }: Columns) {
  const [text = ''] = given.map((each) => shortName(each.trim()));
  // A text from outside is put into a command only where no shell would run it.
  const isPlain = given.length === 1 && /^[\w .-]+$/.test(text);
  const keep = isPlain
    ? `metadata.${text.toLowerCase().replace(/\W+/g, '_')}='${text}'`
    : 'metadata.NAME=HEADER';
  const kept = hint`${{ give: 'map', value: keep }} keeps ${given.length === 1 ? 'it as a note' : 'one as a note'} with each payment`;
  const near = nearColumns(given, known);
  const columns = given.length === 1 ? 'a column' : `${given.length} columns`;
  const are = given.length === 1 ? 'that is not known' : 'that are not known';
  return fileProblem(
    'unknown_column',
    `${file} has ${columns} ${given.length === 1 ? `${listed(given)} ${are}` : `${are}: ${listed(given)}`}`,
    near === undefined ? kept : hint`${near} ${kept}`,
  );
}

/** Refuses a file that lacks what every row needs: said once, not for each row. */
function refuseLacking(
  file: string,
  has: ReadonlySet<string>,
  defaults: Readonly<Record<string, string>>,
): void {
  const there = (column: string): boolean => has.has(column) || defaults[column] !== undefined;
  const inline = [...has].some((column) => column.startsWith(SENDER));
  const lacking = [
    ...(there('key') || there('external_id') ? [] : ['key']),
    ...['type', 'amount', 'input_currency'].filter((column) => !there(column)),
    ...(there('sender') || inline ? [] : ['sender']),
  ];
  if (lacking.length === 0) return;
  const flags = GIVEN.filter((column) => lacking.includes(column)).map((column) => ({ give: column }));
  const [first, ...more] = flags;
  const map = hint`if the file has it under another name: ${{ give: 'map', value: `${lacking[0]}=NAME` }}`;
  const flagWords = first && more.reduce((words, flag) => hint`${words}, ${flag}`, hint`${first}`);
  throw fileProblem(
    'missing_column',
    `${file} has no column ${lacking.join(', ')}`,
    flagWords === undefined ? map : hint`${map}; for the whole file: ${flagWords}`,
  );
}

/** The columns that a whole file may have in common. */
const GIVEN = ['type', 'input_currency', 'sender'] as const;
