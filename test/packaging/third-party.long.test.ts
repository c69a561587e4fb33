/** The notices that go with the package are those of the packages in it: it is bundled once more, and nothing is written. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OutputOptions, type RolldownOptions, rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { ROOT } from '../support/source-tree.ts';

type Build = RolldownOptions & { output: OutputOptions };
const page = readFileSync(join(ROOT, 'THIRD-PARTY.md'), 'utf8');

it('names each package that the bundler takes in, and no other, with a licence each', async () => {
  const builds: Build[] = (await import(join(ROOT, 'rolldown.config.js'))).default;
  const taken = new Set<string>();
  for (const { output, ...input } of builds) {
    const bundle = await rolldown(input);
    const made = await bundle.generate(output);
    await bundle.close();
    for (const chunk of made.output)
      for (const id of chunk.type === 'chunk' ? chunk.moduleIds : [])
        if (id.includes('/node_modules/')) taken.add(packageOf(id.replace('\0', '')));
  }
  const named = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(named).toEqual([...taken].sort());
  expect(named.length).toBeGreaterThan(50);
  for (const part of page.split(/^## /m).slice(1)) expect(part).toMatch(/^Licence: \S.*\n\n~~~text\n.{10}/m);
});

/** The nearest folder with a name and a version. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (name && version) return `${name} ${version}`;
    } catch {}
  }
}
