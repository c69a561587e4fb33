/** The auditor is proved: with each bug on purpose it fails within a few hundred operations, and names what is broken. */
import { describe, expect, it } from 'vitest';
import { isLong, some } from '../support/long.ts';
import { bugs } from '../support/simulation/bugs.ts';
import { operations } from '../support/simulation/operations.ts';
import { invariantOf, isFailure, play, problemText, shrink } from '../support/simulation/play.ts';

const SEED = 'bugs-1';
const list = operations(SEED, 600);

describe('a bug on purpose', () => {
  it.each(some(Object.entries(bugs), 3))('%s', async (_name, bug) => {
    const result = await play(list, { seed: SEED, bug });
    if (!isFailure(result)) throw new Error('the auditor noticed nothing');
    expect(bug.noticedBy, result.error.message).toContain(invariantOf(result.error));
    expect(result.error.message.startsWith(`${invariantOf(result.error)} (`)).toBe(true);
  });

  it('is shown with the seed and the shortest prefix that still fails', async () => {
    const run = { seed: SEED, bug: bugs['a refund posts nothing'] };
    const result = await play(list, run);
    if (!isFailure(result)) throw new Error('the auditor noticed nothing');
    const prefix = await shrink(list, result, run);
    expect(prefix.length).toBeLessThanOrEqual(result.at);
    expect(isFailure(await play(prefix, run))).toBe(true);
    expect(isFailure(await play(prefix.slice(0, -1), run))).toBe(false);
    expect(problemText(SEED, list.length, result, prefix)).toContain(
      `REMIT_SEED=${SEED} REMIT_OPERATIONS=${prefix.length}`,
    );
  });
});

it.runIf(isLong)('without a bug the same operations pass', async () => {
  const result = await play(list, { seed: SEED });
  expect(isFailure(result) ? result.error.message : 'passed').toBe('passed');
});
