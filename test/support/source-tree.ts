/** The project's own files as text, and the graph of imports between those of `src`, read by the bundler's own parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'rolldown/experimental';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.stryker', 'coverage', 'packages']);

export interface Source {
  /** From the project's folder, with slashes. */
  path: string;
  text: string;
}

export function sources(folder: string, fits: (path: string) => boolean): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : sources(path, fits);
    return fits(path) ? [{ path, text: readFileSync(join(ROOT, path), 'utf8') }] : [];
  });
}

export interface Import {
  from: string;
  /** A file of ours, or the name of a package. */
  to: string;
  kind: 'type' | 'static' | 'lazy';
}

/** As it stands in a type too, where the parser does not list it among those that are carried out. */
const WITHIN = /\bimport\(\s*'([^']+)'/g;

export function importsOf({ path, text }: Source): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const found = (specifier: string, kind: Import['kind']): Import => ({
    ...{ from: path, to: target(path, specifier), kind },
  });
  const loads = (entries: readonly { isType: boolean }[]): Import['kind'] =>
    entries.length > 0 && entries.every(({ isType }) => isType) ? 'type' : 'static';
  const carriedOut = new Set(dynamicImports.map(({ start }) => start));
  return [
    ...staticImports.map(({ moduleRequest, entries }) => found(moduleRequest.value, loads(entries))),
    ...staticExports.flatMap(({ entries }) => {
      const specifier = entries[0]?.moduleRequest?.value;
      return specifier === undefined ? [] : [found(specifier, loads(entries))];
    }),
    ...[...text.matchAll(WITHIN)].map(({ index, 1: specifier = '' }) =>
      found(specifier, carriedOut.has(index) ? 'lazy' : 'type'),
    ),
  ];
}

const WITHOUT_COMMENTS = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** Every function with a body, and how many lines it takes, those within it counted. */
export function functionsOf({ path, text }: Source): { path: string; name: string; lines: number }[] {
  const file = ts.createSourceFile(path, text, WITHOUT_COMMENTS, true);
  const found: { path: string; name: string; lines: number }[] = [];
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const from = lineAt(node.getStart());
      const name = node.name?.getText() ?? `the function at line ${from + 1}`;
      found.push({ path, name, lines: lineAt(node.end) - from + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function target(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(ROOT, join(ROOT, dirname(from), specifier))
    .split(sep)
    .join('/');
}

/** What is reached from a file over imports of these kinds, packages included. */
export function reach(
  start: string,
  imports: readonly Import[],
  kinds: readonly Import['kind'][],
): Set<string> {
  const byFile = grouped(imports);
  const seen = new Set([start]);
  for (const file of seen) {
    for (const { to, kind } of byFile.get(file) ?? []) if (kinds.includes(kind)) seen.add(to);
  }
  return seen;
}

const groupedBefore = new WeakMap<readonly Import[], Map<string, Import[]>>();

function grouped(imports: readonly Import[]): Map<string, Import[]> {
  const before = groupedBefore.get(imports);
  if (before !== undefined) return before;
  const groups = new Map<string, Import[]>();
  for (const one of imports) {
    const own = groups.get(one.from);
    if (own === undefined) groups.set(one.from, [one]);
    else own.push(one);
  }
  groupedBefore.set(imports, groups);
  return groups;
}

/** Files that reach each other, a list for each knot: by Tarjan's algorithm, so that each import is looked at once. */
export function circlesOf(imports: readonly Import[]): string[][] {
  const next = grouped(imports);
  const order = new Map<string, number>();
  const open: string[] = [];
  const knots: string[][] = [];
  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    let lowest = at;
    open.push(file);
    for (const { to } of next.get(file) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to));
      else if (open.includes(to)) lowest = Math.min(lowest, order.get(to) ?? at);
    }
    if (lowest === at) {
      const knot = open.splice(open.indexOf(file));
      if (knot.length > 1) knots.push(knot.sort());
    }
    return lowest;
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return knots;
}
