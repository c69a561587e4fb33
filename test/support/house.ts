/** The rooms of the house and their floors, and the picture of them that ARCHITECTURE.md shows: drawn from the imports. */
import { type Import, importsOf, sources } from './source-tree.ts';

export const FLOOR: Record<string, number> = {
  build: 0,
  core: 0,
  contract: 1,
  disk: 1,
  client: 2,
  sandbox: 2,
  intake: 2,
  store: 2,
  profiles: 2,
  desk: 3,
  console: 4,
  agent: 4,
  audit: 4,
  library: 4,
  cli: 5,
};
export const roomOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';

/** `from to`, with the strongest kind of import between the two. */
type Arrows = ReadonlyMap<string, Import['kind']>;

const STRENGTH: readonly Import['kind'][] = ['type', 'lazy', 'static'];

export function surveyHouse(): Arrows {
  const arrows = new Map<string, Import['kind']>();
  for (const { from, to, kind } of sources('src', (path) => /\.tsx?$/.test(path)).flatMap(importsOf)) {
    const [a, b] = [roomOf(from), roomOf(to)];
    if (b === '' || a === b) continue;
    const known = arrows.get(`${a} ${b}`) ?? 'type';
    arrows.set(`${a} ${b}`, STRENGTH.indexOf(kind) > STRENGTH.indexOf(known) ? kind : known);
  }
  return arrows;
}

const MARK: Readonly<Record<Import['kind'], string>> = { static: '=>', lazy: '->', type: '..' };

/** A row for each room, from the top floor down; a column for each room below. */
export function drawHouse(arrows: Arrows): string {
  const rooms = Object.keys(FLOOR)
    .filter((room) => room !== 'build')
    .sort((a, b) => (FLOOR[b] ?? 0) - (FLOOR[a] ?? 0) || a.localeCompare(b));
  const below = rooms.filter((room) => rooms.some((from) => arrows.has(`${from} ${room}`)));
  const markOf = (from: string, to: string): string => {
    const kind = arrows.get(`${from} ${to}`);
    return kind === undefined ? '' : MARK[kind];
  };
  const rows = [
    ['floor', 'room', ...below],
    ...rooms.map((room) => [String(FLOOR[room]), room, ...below.map((other) => markOf(room, other))]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
