/** Every scenario once more, over a store on disk: nothing of the service may depend on where its records lie. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe } from 'vitest';

process.env.REMIT_TEST_STORE = 'durable';

for (const name of readdirSync(import.meta.dirname)) {
  if (!name.endsWith('.test.ts') || name === basename(import.meta.filename)) continue;
  describe(name, async () => {
    await import(join(import.meta.dirname, name));
  });
}
