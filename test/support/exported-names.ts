/** Exported names that stand in several files of `src`. A few conventions give one name to files of one kind; every other name has one meaning. */
import { routes } from '../../src/console/wire.ts';
import type { Source } from './source-tree.ts';

/** What a file of its kind exports under one name: a command, its part of the tree, a corridor. */
const BY_KIND = new Set(['command', 'commands', 'tree', 'groups', 'corridor']);

/** Files of which one speaks for all: two stores of one port, ports of several slices, entries of the library. */
const SAME_PART = [/sqlite|postgres/, /\/port\.ts$/, /^src\/library\/[^/]+\.ts$/];

/** Types that the library declares for what it implements elsewhere. */
const DECLARES = /^src\/(?:library\/[^/]+-types|sandbox\/public)\.ts$/;

const EXPORTED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|interface|type|class)\s+(\w+)/gm;

/** Each name with the files that export it in different meanings. */
export function sharedNames(files: readonly Source[]): string[] {
  const filesOf = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [, name = ''] of text.matchAll(EXPORTED))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(path));
  return [...filesOf].flatMap(([name, paths]) => {
    const left = BY_KIND.has(name) ? [] : meanings(name, [...paths]);
    return left.length > 1 ? [`${name}: ${left.join(', ')}`] : [];
  });
}

function meanings(name: string, paths: readonly string[]): string[] {
  const isOperation = paths.some((path) => path.startsWith('src/contract/operations/'));
  const own = paths.filter(
    (path) =>
      !DECLARES.test(path) &&
      !(isOperation && path.startsWith('src/sandbox/handlers/')) &&
      !(Object.hasOwn(routes, name) && /^src\/console\/(?:handlers|books|runs)\//.test(path)),
  );
  return own.filter(
    (path, index) =>
      !SAME_PART.some((part) => part.test(path) && own.slice(0, index).some((one) => part.test(one))),
  );
}
