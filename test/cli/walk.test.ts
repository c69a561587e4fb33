/** Every command of the tree in four forms: on a terminal, in a pipe, as JSON, and without input. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaves } from '../../src/cli/tree.ts';
import type { RunOptions } from '../support/cli.ts';
import { tour } from '../support/tour.ts';
import { allowed, close, go, open, stage, stops, withFlags } from '../support/walk.ts';

it('every command of the tree has a stop, and every stop a command', () => {
  expect(Object.keys(tour).sort()).toEqual(leaves.map(({ words }) => words).sort());
});

const forms: readonly (readonly [string, string[], RunOptions])[] = [
  ['on a terminal', ['--yes'], { tty: true, columns: 80 }],
  ['in a pipe', ['--yes'], {}],
  ['as JSON', ['--yes', '-o', 'json'], {}],
  ['on a terminal without input', ['--yes', '--no-input'], { tty: true, columns: 80 }],
];

describe.each(forms)('%s', (form, flags, options) => {
  beforeAll(open);
  afterAll(close);

  it.each(stops)('%s', async (words, stop) => {
    const run = await go(words, stop, withFlags(stop.good(stage.ids), ...flags), options);
    expect(`${words}: ${run.code} ${run.code === (stop.code ?? 0) ? '' : run.stderr}`).toBe(
      `${words}: ${stop.code ?? 0} `,
    );
    allowed(run, words);
    if (form === 'as JSON' && !stop.raw) {
      for (const line of run.stdout.trim().split('\n').filter(Boolean))
        expect(JSON.parse(line), words).toMatchObject({ version: 1, kind: expect.any(String) });
    }
    if (options.tty) {
      for (const line of run.stdout.split('\n')) expect(line).not.toMatch(/\u001b/);
    } else expect(run.stdout, words).not.toMatch(/\u001b/);
  });
});
