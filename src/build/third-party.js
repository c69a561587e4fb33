/**
 * THIRD-PARTY.md: the notices of all packages that the bundler took in. Their licences ask that a copy goes with what is published,
 * and the bundle has none of them. The list is what stands in the chunks, so no package can be forgotten.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTICE = /^(?:licen[cs]e|copying|notice)/i;
const HEAD = `# Third-party notices

The build took code of these packages into what is published. Each has its own licence. This page is made by the build.
`;

/** A plug-in for each of the builds; the last that ends writes what all of them took. */
export function thirdParty(path) {
  const folders = new Set();
  return {
    name: 'third-party',
    generateBundle(_, bundle) {
      for (const { moduleIds = [] } of Object.values(bundle))
        for (const id of moduleIds) {
          const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (folder !== undefined) folders.add(folder);
        }
    },
    writeBundle() {
      const notices = [...folders].map(noticeOf);
      const sorted = new Map(notices.sort(([a], [b]) => (a < b ? -1 : 1)));
      writeFileSync(path, [HEAD, ...sorted.values()].join('\n'));
    },
  };
}

/** By name and version, since two versions of a package may be taken. */
function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => NOTICE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const who = typeof author === 'string' ? author : author?.name;
  const own = texts.length > 0 ? texts : [`${license}. Copyright ${who ?? `the authors of ${name}`}.`];
  const quoted = own.map((text) => `~~~text\n${text.replaceAll('\r\n', '\n')}\n~~~\n`);
  return [`${name} ${version}`, `## ${name} ${version}\n\nLicence: ${license}\n\n${quoted.join('\n')}`];
}
