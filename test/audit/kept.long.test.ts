/**
 * The memory of an audit is flat: nothing of a case is kept but what the report shows. Compiled code is no part of it: V8 goes on compiling for thousands of
 * cases, so it is told not to.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { auditOf, node } from '../support/audits.ts';

const CASES = 180;
const EACH = 30;
/** The first cases fill caches. */
const FIRST = 60;
/** The smallest thing that could be kept of a case, its requests, has more than a thousand. */
const MOST_BYTES = 700;

it('the heap after a case has no more in it than before', async () => {
  for (const flag of ['--no-opt', '--no-sparkplug', '--expose-gc']) setFlagsFromString(flag);
  const collect = runInNewContext('gc') as () => void;
  const marks: number[] = [];
  const onCase = (_: unknown, count: number): void => {
    if (count < FIRST || count % EACH !== 0) return;
    for (let at = 0; at < 4; at++) collect();
    marks.push(process.memoryUsage().heapUsed);
  };
  const audited = await auditOf(node('naive'), {
    most: CASES,
    skip: ['hang', 'late', 'slow', 'limited'],
    onCase,
  });
  expect(audited.counts.finding).toBeGreaterThan(CASES / 4);
  // The one in the middle: what is loaded once makes one step, what is kept makes each.
  const grown = marks.slice(1).map((mark, at) => (mark - (marks[at] ?? 0)) / EACH);
  const middle = [...grown].sort((a, b) => a - b)[Math.floor(grown.length / 2)];
  expect(middle, `bytes a case: ${grown.map(Math.round).join(', ')}`).toBeLessThan(MOST_BYTES);
}, 600_000);
