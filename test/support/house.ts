/** The rooms of the house and their floors, and the picture of them that ARCHITECTURE.md shows: drawn from the imports. */
import { type Import, importsOf, type Source, sources } from './source-tree.ts';

export const FLOOR: Record<string, number> = {
  build: 0,
  core: 0,
  contract: 1,
  files: 1,
  client: 2,
  sandbox: 2,
  intake: 2,
  store: 2,
  profiles: 2,
  desk: 3,
  cli: 4,
  library: 4,
};
export const roomOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';

export interface House {
  lines: Readonly<Record<string, number>>;
  /** `from to`, with the strongest kind of import between the two. */
  arrows: ReadonlyMap<string, Import['kind']>;
}

const STRENGTH: readonly Import['kind'][] = ['type', 'lazy', 'static'];

export function surveyHouse(): House {
  const files = sources('src', (path) => path.endsWith('.ts'));
  const lines: Record<string, number> = {};
  for (const { path, text } of files)
    lines[roomOf(path)] = (lines[roomOf(path)] ?? 0) + text.split('\n').length - 1;
  return { lines, arrows: arrowsOf(files) };
}

function arrowsOf(files: readonly Source[]): Map<string, Import['kind']> {
  const arrows = new Map<string, Import['kind']>();
  for (const { from, to, kind } of files.flatMap(importsOf)) {
    const [a, b] = [roomOf(from), roomOf(to)];
    if (b === '' || a === b) continue;
    const known = arrows.get(`${a} ${b}`) ?? 'type';
    arrows.set(`${a} ${b}`, STRENGTH.indexOf(kind) > STRENGTH.indexOf(known) ? kind : known);
  }
  return arrows;
}

const MARK: Readonly<Record<Import['kind'], string>> = { static: '=>', lazy: '->', type: '..' };

/** A row for each room, from the top floor down; a column for each room below. Lines are rounded to hundreds. */
export function drawHouse({ lines, arrows }: House): string {
  const rooms = Object.keys(FLOOR)
    .filter((room) => room !== 'build')
    .sort(
      (a, b) => (FLOOR[b] ?? 0) - (FLOOR[a] ?? 0) || (lines[b] ?? 0) - (lines[a] ?? 0) || a.localeCompare(b),
    );
  const below = rooms.filter((room) => FLOOR[room] !== 4);
  const head = ['floor', 'room', 'lines', ...below];
  const rows = rooms.map((room) => [
    String(FLOOR[room]),
    room,
    (Math.round((lines[room] ?? 0) / 100) * 100).toLocaleString('en-US'),
    ...below.map((other) => {
      const kind = arrows.get(`${room} ${other}`);
      return kind === undefined ? '' : MARK[kind];
    }),
  ]);
  const widths = head.map((text, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length), text.length),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) =>
        column === 2 ? text.padStart(widths[2] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}
