/** How the files of one program are read, kept under a name in the settings of this machine (decision 0095). */
import type { Clock } from '../core/clock.ts';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { notFound, type Problem, refuse, usage } from '../core/problem.ts';
import type { DataOf } from '../frame/shape.ts';
import { changeSettings, readSettings } from '../profiles/profiles.ts';
import type { Mapping } from '../profiles/schema.ts';
import { knownColumns } from './files/columns.ts';
import type { ReadOptions } from './files/formats.ts';
import type { mappingShape } from './shapes.ts';

/** The part of the options that a file of the same program has each time. */
export type FileShape = Pick<ReadOptions, 'map' | 'splitName' | 'decimalComma' | 'defaults'>;

export type ShownMapping = DataOf<typeof mappingShape>;

type Settled = Readonly<Record<string, Mapping>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const keptIn = (env: Env): Settled => readSettings(env).mappings ?? {};

export const shownMappings = (env: Env): ShownMapping[] =>
  Object.entries(keptIn(env)).map(([name, mapping]) => shownMapping(name, mapping));

/** @throws Problem (not found), with the names that there are */
export const mappingNamed = (env: Env, name: string): Mapping => oneOf(keptIn(env), name);

function oneOf(mappings: Settled, name: string): Mapping {
  const found = Object.hasOwn(mappings, name) ? mappings[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(mappings);
  throw notFound(
    `there is no mapping "${name}"`,
    names.length === 0 ? hint`keep one: ${{ do: 'save_mapping' }}` : `one of ${names.join(', ')}`,
  );
}

/** The options of a file that is read with a mapping: what is said beside it is added, and wins. */
export function readWith<Options extends FileShape>(mapping: Mapping, given: Options): Options {
  const headers = new Set(Object.values(given.map ?? {}));
  // A column of the file that is said to be another one is not the mapping's any more.
  const kept = Object.entries(mapping.map).filter(([, header]) => !headers.has(header));
  return {
    ...given,
    map: { ...Object.fromEntries(kept), ...given.map },
    splitName: given.splitName ?? mapping.split_name,
    decimalComma: given.decimalComma || mapping.decimal_comma === true,
    defaults: { ...mapping.defaults, ...given.defaults },
  };
}

export const shownMapping = (name: string, mapping: Mapping): ShownMapping => ({
  name,
  columns: Object.entries(mapping.map).map(([column, header]) => ({ column, header })),
  split_name: mapping.split_name ?? null,
  decimal_comma: mapping.decimal_comma === true,
  where_empty: Object.entries(mapping.defaults ?? {}).map(([column, value]) => ({ column, value })),
});

/**
 * Keeps a mapping; returns what is another way than in the one that it takes the place of, none where that says the same.
 * @throws Problem (usage) where it says nothing or a column is not known, (conflict) where another one has the name
 */
export async function saveMapping(
  process: { env: Env; clock: Clock },
  name: string,
  { shape, isReplacing }: { shape: FileShape; isReplacing: boolean },
): Promise<{ saved: ShownMapping; changes: string[] | undefined }> {
  if (!NAME.test(name))
    throw usage(
      `"${name}" is no name for a mapping`,
      'letters, digits, dot, dash and underscore, at most 64: such as payroll',
    );
  const { map = {}, splitName, decimalComma, defaults = {} } = shape;
  await knownColumns(map);
  const mapping: Mapping = {
    map: { ...map },
    ...(splitName === undefined ? {} : { split_name: splitName }),
    ...(decimalComma ? { decimal_comma: true } : {}),
    ...(Object.keys(defaults).length === 0 ? {} : { defaults: { ...defaults } }),
  };
  if (linesOf(mapping).size === 0)
    throw usage(
      'a mapping says how a file is read, and this one says nothing',
      hint`such as ${{ give: 'map', value: 'bank_account=Account' }}`,
    );
  let changes: string[] | undefined;
  await changeSettings(process, (settings) => {
    const { mappings = {} } = settings;
    const before = Object.hasOwn(mappings, name) ? mappings[name] : undefined;
    changes = before && changesOf(before, mapping);
    if (changes !== undefined && changes.length > 0 && !isReplacing) throw taken(name, changes);
    return { ...settings, mappings: { ...mappings, [name]: mapping } };
  });
  return { saved: shownMapping(name, mapping), changes };
}

/** @throws Problem (not found) */
export async function deleteMapping(
  process: { env: Env; clock: Clock },
  name: string,
): Promise<ShownMapping> {
  let deleted: Mapping | undefined;
  await changeSettings(process, ({ mappings = {}, ...settings }) => {
    deleted = oneOf(mappings, name);
    const { [name]: _, ...left } = mappings;
    return { ...settings, ...(Object.keys(left).length === 0 ? {} : { mappings: left }) };
  });
  return shownMapping(name, deleted as unknown as Mapping);
}

/** Each thing that a mapping says, by what it is about. */
function linesOf({
  map,
  split_name: split,
  decimal_comma: comma,
  defaults = {},
}: Mapping): Map<string, string> {
  return new Map([
    ...Object.entries(map),
    ...(split === undefined ? [] : [['name divided', split] as const]),
    ...(comma ? [['decimals behind', 'a comma'] as const] : []),
    ...Object.entries(defaults).map(([column, value]) => [`${column} where empty`, value] as const),
  ]);
}

/** `bank_account: Account → Konto`. */
function changesOf(before: Mapping, after: Mapping): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((what) => {
    const [was, is] = [old.get(what) ?? 'nothing', now.get(what) ?? 'nothing'];
    return was === is ? [] : [`${what}: ${was} → ${is}`];
  });
}

const taken = (name: string, changes: readonly string[]): Problem =>
  refuse(
    'conflict',
    'mapping_exists',
    `there is a mapping "${name}" already, and it says something else: ${changes.join('; ')}`,
    { hint: hint`${{ give: 'force' }} replaces it; or take another name`, note: 'the mapping is as it was' },
  );
