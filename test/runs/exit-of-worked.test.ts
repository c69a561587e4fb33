/** A worker that ends by itself ends with the worst of its runs, in whatever order it met them. */
import { describe, expect, it } from 'vitest';
import { type Category, Problem } from '../../src/core/problem.ts';
import { exitOfEndings } from '../../src/frame/exit-codes.ts';
import { endingsOfWorked } from '../../src/runs/conclusion.ts';
import { memoryStore } from '../support/stores.ts';

const problem = (category: Category): Problem => new Problem({ category, code: 'x', message: 'why' });

describe('what a worker ends with', () => {
  it.each<[string, Category[], number]>([
    ['nothing to do', [], 0],
    ['one left alone', ['usage'], 2],
    ['a forged one behind one that is not approved', ['usage', 'check'], 2],
    ['the same the other way round', ['check', 'usage'], 2],
    ['a rejected one behind both', ['check', 'usage', 'conflict'], 1],
    ['and before both', ['conflict', 'usage', 'check'], 1],
  ])('%s', async (_, categories, code) => {
    const { payruns } = await memoryStore();
    const worked = { runs: [], left: categories.map(problem) };
    expect(exitOfEndings(await endingsOfWorked(await payruns(), worked))).toBe(code);
  });
});
