/** A row that came as an object, with members within members: as cells by their columns, or what is wrong with it. */
import { type Columns, METADATA, SENDER, suggestion } from './columns.ts';
import type { Cells } from './formats.ts';
import { type Fault, type FileRow, faultAt, short } from './row.ts';

/** The most characters of one cell. */
const MOST_CHARACTERS = 1_000_000;

/** Members whose own members are columns; the path is how a map of names calls them. */
const WITHIN: Readonly<Record<string, (columns: Columns, name: string) => string | undefined>> = {
  details: (columns, name) => columns.of(`details.${name}`) ?? columns.of(name),
  sender: (columns, name) => columns.of(SENDER + name),
  metadata: (columns, name) => columns.of(METADATA + name),
};

/** A scalar of a reader that loses nothing: numbers are their digits. */
export function rowOfMembers(
  value: unknown,
  place: { n: number; at: string },
  columns: Columns,
): (FileRow | Fault)[] {
  if (!isObject(value))
    return [faultAt(place, undefined, 'not_a_row', 'is no object with the cells of a row')];
  const cells: Record<string, string> = {};
  const faults: Fault[] = [];
  const put = (name: string, column: string | undefined, member: unknown): void => {
    const fault = wrongMember(name, column, member, cells, columns);
    if (fault) faults.push(faultAt(place, short(name), ...fault));
    else if (column !== undefined && !isEmpty(member)) cells[column] = String(member);
  };
  for (const [name, member] of Object.entries(value)) {
    const within = Object.hasOwn(WITHIN, name) ? WITHIN[name] : undefined;
    if (within === undefined || !isObject(member)) put(name, columns.of(name), member);
    else if (name === 'sender' && isReference(member)) put(name, name, member.id);
    else
      for (const [inner, one] of Object.entries(member)) put(`${name}.${inner}`, within(columns, inner), one);
  }
  return faults.length > 0 ? faults : [{ ...place, cells: cells satisfies Cells }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{id: …}` names a sender, and describes none. */
const isReference = (member: Record<string, unknown>): boolean => Object.keys(member).join() === 'id';

const isEmpty = (member: unknown): boolean =>
  member === null || member === undefined || (typeof member === 'string' && member.trim() === '');

type Wrong = [code: string, words: string, right?: string | undefined];

function wrongMember(
  name: string,
  column: string | undefined,
  member: unknown,
  cells: Cells,
  columns: Columns,
): Wrong | undefined {
  if (column === undefined) {
    const near = suggestion(name.replace(/^(?:details|sender|metadata)\./, ''), columns.known);
    return ['unknown_column', 'is not a known column', near];
  }
  if (isEmpty(member)) return undefined;
  if (cells[column] !== undefined) return ['duplicate_column', 'is there twice'];
  if (typeof member === 'boolean')
    return column.startsWith(METADATA) ? undefined : ['not_a_text', 'is true or false, not a text'];
  if (typeof member !== 'string') return ['not_a_text', 'is a list or an object, not a text'];
  return member.length > MOST_CHARACTERS ? ['too_long', 'is longer than 1 MB'] : undefined;
}
