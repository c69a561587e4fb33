/** Every command of the tree whose write fails ends with the code of its outcome, never with 0. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaves } from '../../src/program/tree.ts';
import { answering, lost } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { tour } from '../support/tour.ts';
import { allowed, close, go, isWrite, open, stage, stops, withFlags } from '../support/walk.ts';

describe('a write that fails ends with the code of its outcome, never with 0', () => {
  beforeAll(open);
  afterAll(close);

  const wrote = new Set<string>();
  /** A refusal may be believed (5), or not when a look finds otherwise (9); a loss is never a refusal. */
  const ways = {
    'refused (422)': { fail: answering(422, '{"errors":{"base":["refused"]}}'), codes: [1, 5, 9] },
    'broken (503)': { fail: answering(503), codes: [9] },
    'not readable (200)': { fail: answering(200, '<html>'), codes: [9] },
    lost: { fail: lost, codes: [9] },
  };
  /** What the short form tries: the failure that may be believed, and the one that never is. */
  const few = { 'refused (422)': ways['refused (422)'], lost: ways.lost };

  it.each(stops.filter(([, stop]) => !stop.local && !stop.endless))('%s', async (words, stop) => {
    const { bench } = stage;
    try {
      for (const [way, { fail, codes }] of Object.entries(isLong ? ways : few)) {
        let writes = 0;
        bench.intercept(async (request, next) => {
          if (!isWrite(request)) return next(request);
          writes += 1;
          return fail(request, next);
        });
        const argv = withFlags(stop.good(stage.ids), '--yes');
        const run = await go(words, stop, argv);
        allowed(run, words);
        if (writes === 0) continue;
        wrote.add(words);
        expect(codes, `${words}: ${way}: ${run.stdout}${run.stderr}`).toContain(run.code);
      }
    } finally {
      bench.restore();
    }
  });

  it('and every command that declares a write was seen to write', async () => {
    const declared: string[] = [];
    for (const { words, load } of leaves) {
      const { effect = 'read' } = await load();
      const stop = tour[words];
      if (effect !== 'read' && stop && !stop.local && !stop.endless) declared.push(words);
    }
    // Controls of a sandbox are no writes of the service; the tour asks these to read.
    // The run of the tour has nothing that is unknown.
    const reads = ['recipient triage', 'batch settle', 'api', 'history'];
    const silent = declared.filter((words) => !wrote.has(words) && !words.startsWith('sandbox '));
    expect(silent).toEqual(reads);
  });
});
