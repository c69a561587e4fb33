/** The rooms of the house and their floors, and the picture of them that ARCHITECTURE.md shows: drawn from the imports. */
import { type Import, importsOf, sources } from './source-tree.ts';

/** A slice may know those on the floors below it. `profiles` and `sandbox` stand low, their commands higher. */
export const FLOOR: Record<string, number> = {
  build: 0,
  core: 0,
  contract: 1,
  disk: 1,
  tables: 1,
  client: 2,
  frame: 2,
  sandbox: 2,
  profiles: 3,
  payments: 4,
  'profiles/cli': 5,
  webhooks: 5,
  books: 6,
  integration: 6,
  runs: 6,
  'sandbox/cli': 7,
  agents: 8,
  audit: 8,
  console: 8,
  library: 8,
  program: 9,
};
export const roomOf = (path: string): string =>
  /^src\/((?:profiles|sandbox)\/cli(?=\/)|[^/]+(?=\/))/.exec(path)?.[1] ?? '';

/** What shows and asks: the commands of a slice, what they share, and the start of the program. */
export const isFace = (path: string): boolean => /^src\/(?:[^/]+\/cli|frame|program)\//.test(path);
/** A command of the tree, which is loaded when it is the one that runs. */
export const COMMANDS = sources('src', (path) => /\/tree\.ts$/.test(path))
  .flatMap(importsOf)
  .filter(({ kind }) => kind === 'lazy')
  .map(({ to }) => to);

/** Imports between slices that the floors do not allow. Each number only falls. */
export const LISTED: Readonly<Record<string, number>> = {};

/** `from to`, with the strongest kind of import between the two. */
type Arrows = ReadonlyMap<string, Import['kind']>;

const STRENGTH: readonly Import['kind'][] = ['type', 'lazy', 'static'];

/** What loads something: the index.ts of a slice is a list that nothing imports. */
const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !/^src\/[^/]+\/index\.ts$/.test(path);

export function surveyHouse(): Arrows {
  const arrows = new Map<string, Import['kind']>();
  for (const { from, to, kind } of sources('src', isCode).flatMap(importsOf)) {
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
