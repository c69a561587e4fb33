/** Every example of docs/library.md is clean for the compiler, as a partner would see it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examples } from '../support/library-examples.ts';
import { compiled, partnerFolder } from '../support/partner-folder.ts';

let folder = '';
beforeAll(() => {
  folder = partnerFolder('@types', 'pg');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('there are as many as are run here, and each is clean for the compiler', () => {
  expect([...examples.keys()]).toEqual([
    'first',
    'memory',
    'limit',
    'settle',
    'postgres',
    'lists',
    'webhooks',
    'edge',
    'traced',
  ]);
  for (const [name, text] of examples) writeFileSync(join(folder, `${name}.mts`), text);
  const options = { skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node'] };
  expect(compiled(folder, options, [...examples.keys()])).toBe('');
});
