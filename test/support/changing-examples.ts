/** Every example of every help that changes something, run against a sandbox, each on the stage as it was. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { before, ends, examplesOf, go, open, prepare } from './examples.ts';
import type { Stage } from './stage.ts';

/** Two files have a half each, so that two workers share them. */
export function runHalf(half: 0 | 1, chosen: (examples: readonly string[]) => readonly string[]): void {
  describe('examples that change something, each on the stage as it was', () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await open();
      await stage.bench.run(['sandbox', 'snapshot', 'stage.snap']);
    });
    beforeEach(async () => {
      await prepare(stage);
      const back = await stage.bench.run(['sandbox', 'restore', 'stage.snap', '--yes']);
      expect(`${back.code} ${back.stderr}`).toMatch(/^0 /);
    });
    afterAll(() => stage.bench.close());

    it.each(chosen(examplesOf(false).filter((_, at) => at % 2 === half)))('%s', async (example) => {
      if (example.includes('sandbox snapshot')) rmSync(join(stage.bench.dir, 'before-wages.snap'));
      for (const line of before[example] ?? [])
        expect(`${line}: ${(await go(stage, line)).code}`).toBe(`${line}: 0`);
      ends(example, await go(stage, example));
    });
  });
}
