/** The pages of each package link to what is in it: a link to nowhere helps nobody. What is not packed is named without a link, or by its address. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stage } from '../../src/build/packages.js';
import { isLong } from '../support/long.ts';
import { ROOT } from '../support/source-tree.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remit-staged-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LINK = /\]\(([^)\s]+)\)/g;
const linksOf = (page: string): string[] =>
  [...readFileSync(join(folder, page), 'utf8').matchAll(LINK)].map(([, link = '']) => link);
const pagesOf = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

/** A page of the folder links to what is in it; links that lead elsewhere are whole. */
function checkLinks(): void {
  const links = pagesOf().flatMap((from) => linksOf(from).map((link) => ({ from, link })));
  expect(links.length).toBeGreaterThan(3);
  const isThere = ({ from, link }: { from: string; link: string }): boolean =>
    /^(\w+:|#)/.test(link) || existsSync(join(folder, dirname(from), link.replace(/#.*/, '')));
  expect(links.filter((one) => !isThere(one))).toEqual([]);
}
function manifestOf(name: string) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest.name).toBe(name);
  expect(manifest.private).toBeUndefined();
  expect(manifest.keywords.length).toBeGreaterThan(3);
  return manifest;
}

it('a page of remit-cli links to what is packed', async () => {
  await stage('remit-cli', folder);
  checkLinks();
  expect(manifestOf('remit-cli')).not.toHaveProperty('repository');
});

/** Staging this package bundles it. */
it.runIf(isLong)(
  'a release fills in one file: addresses stand in the package, and links to what is not packed are absolute',
  async () => {
    const file = join(ROOT, 'release.json');
    const release = JSON.parse(readFileSync(file, 'utf8'));
    const filled = {
      ...release,
      repository: { type: 'git', url: 'git+https://code.example/remit.git' },
      homepage: 'https://code.example/remit',
    };
    await stage('@remit/client', folder, { release: filled });
    checkLinks();
    expect(manifestOf('@remit/client')).toMatchObject({
      homepage: 'https://code.example/remit',
      repository: filled.repository,
    });
    expect(linksOf('README.md')).toContain(
      'https://code.example/remit/docs/decisions/0074-checks-that-stand-before-money.md',
    );
  },
);

it('a native build that was not looked at stops the package', async () => {
  const vendored = JSON.parse(readFileSync(join(ROOT, 'src', 'build', 'vendored.json'), 'utf8'));
  const [first = ''] = Object.keys(vendored.sha256);
  const sha256 = { ...vendored.sha256, [first]: '0'.repeat(64) };
  await expect(stage('remit-cli', folder, { vendored: { sha256 } })).rejects.toThrow(/is not the one/);
});
