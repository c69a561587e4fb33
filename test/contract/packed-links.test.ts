/** What the README and the pages of the package link to is in the package: a link to nowhere helps nobody. */
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, sources } from '../support/source-tree.ts';

it('a page that is packed links to what is packed', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  const isPacked = (path: string): boolean =>
    ['README.md', ...files].some((one) => path === one || path.startsWith(`${one}/`));
  const pages = sources('', (path) => path.endsWith('.md') && isPacked(path));
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, link = '']) => ({
      from: path,
      to: normalize(join(path, '..', link)),
    })),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ to }) => !isPacked(to) || !existsSync(join(ROOT, to)))).toEqual([]);
});
