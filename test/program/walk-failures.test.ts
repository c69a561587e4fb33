/** Every command of the tree, wrong, and where nobody can be asked: it says so on stderr alone, and asks nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowed, close, go, open, stage, stops, withFlags } from '../support/walk.ts';

describe('wrong', () => {
  beforeAll(open);
  afterAll(close);

  it.each(stops)(
    '%s says what is wrong, as text and as JSON, on stderr alone, and writes nothing',
    async (words, stop) => {
      for (const flags of [[], ['-o', 'json']]) {
        const run = await go(words, stop, withFlags(stop.wrong, ...flags));
        expect(run.code, `${words} ${stop.wrong.join(' ')}`).not.toBe(0);
        expect(run.stdout, words).toBe('');
        allowed(run, words);
        if (flags.length === 0) expect(run.stderr, words).toMatch(/^remit: \S/m);
        else {
          const error = run.error();
          expect(error, words).toMatchObject({ code: expect.any(String), category: expect.any(String) });
          expect(error.message.length, words).toBeGreaterThan(5);
        }
      }
    },
  );
});

/** Without them it would go on for ever, or there is nothing to run. */
const NEEDS_FLAGS = new Set(['sandbox exec', 'sandbox audit', 'logs tail']);

describe('without a terminal nothing asks', () => {
  beforeAll(open);
  afterAll(close);

  it.each(stops)('%s', async (words, stop) => {
    const required = stop
      .good(stage.ids)
      .filter((arg, index, all) => !arg.startsWith('-') && !all[index - 1]?.startsWith('-'));
    const run = await go(
      words,
      { ...stop, stdin: '' },
      NEEDS_FLAGS.has(words) ? stop.good(stage.ids) : required,
    );
    allowed(run, words);
    expect(run.stderr, words).not.toMatch(/^\? /m);
    expect(run.stderr, words).not.toMatch(/\u001b/);
  });
});
