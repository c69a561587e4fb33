/** Every example of every help that only looks is run against a sandbox. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ends, examplesOf, go, open } from '../support/examples.ts';
import { some } from '../support/long.ts';
import type { Stage } from '../support/stage.ts';

describe('examples that only look', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await open();
  });
  afterAll(() => stage.bench.close());

  it.each(some(examplesOf(true), 65))('%s', async (example) => ends(example, await go(stage, example)));
});
