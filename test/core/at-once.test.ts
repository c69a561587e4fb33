import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/core/at-once.ts';

describe('many, a few at once', () => {
  it('never more than so many, and the results in the order of what was given', async () => {
    let underWay = 0;
    let most = 0;
    const results = await atOnce(3, [5, 1, 4, 2, 3, 0, 6], async (ms) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, ms));
      underWay -= 1;
      return ms * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30, 0, 60]);
    expect(most).toBe(3);
  });

  it('nothing is begun after a failure by whoever met it', async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 2) throw new Error('of the second');
    };
    await expect(atOnce(1, [1, 2, 3], work)).rejects.toThrow('of the second');
    expect(begun).toEqual([1, 2]);
  });

  it('of nothing is nothing', async () => {
    expect(await atOnce(4, [], async () => 1)).toEqual([]);
  });
});
