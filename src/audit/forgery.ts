/**
 * Shows whether the program believed a webhook whose signature is wrong. An answer of 2xx proves nothing: many programs take everything and drop what does
 * not verify. So the act counts: what the program does with true webhooks, does with forged ones too, and does not without any (decision 0110).
 */
import type { CaseRun } from './run-case.ts';
import { keyOf, type Unstable } from './writes.ts';

export interface Comparison {
  /** A run without a fault. */
  signed: CaseRun;
  /** The case `webhook-missigned`. */
  forged: CaseRun;
  /** The case `webhook-never`, more than once: what the program does by chance is no act. */
  without: readonly CaseRun[];
  unstable: Unstable;
}

export interface Belief {
  /** Operations, and `ended with 0`. */
  acts: readonly string[];
  /** It read more of the service than without any webhook: what it did may follow from that. */
  looked: boolean;
}

export const tookForged = ({ deliveries }: CaseRun): boolean =>
  deliveries.some(({ isForged, status = 0 }) => isForged && status >= 200 && status < 300);

export function beliefOf({ signed, forged, without, unstable }: Comparison): Belief {
  const [true_, spoilt] = [actsIn(signed, unstable), actsIn(forged, unstable)];
  const chance = without.map((run) => actsIn(run, unstable));
  const acts = [...spoilt].filter(
    ([act, count]) =>
      Math.min(count, true_.get(act) ?? 0) > Math.max(...chance.map((bag) => bag.get(act) ?? 0)),
  );
  return {
    acts: [...new Set(acts.map(([act]) => act.replace(/ [0-9a-f]{6}$/, '')))],
    looked: [...readsIn(forged)].some(([operation, count]) =>
      without.some((run) => count > (readsIn(run).get(operation) ?? 0)),
    ),
  };
}

/** In its first start: a later one looks at what the first one left. */
const ofFirstStart = ({ exchanges }: CaseRun) => exchanges.filter(({ start }) => start === 1);

function actsIn(run: CaseRun, unstable: Unstable): Map<string, number> {
  const acts = new Map<string, number>();
  const add = (act: string): void => {
    acts.set(act, (acts.get(act) ?? 0) + 1);
  };
  for (const { operation, effect, body, done = 500 } of ofFirstStart(run))
    if (operation !== undefined && effect !== 'read' && done < 300)
      add(`${operation} ${keyOf({ operation, body }, unstable)}`);
  if (run.endings[0]?.ok) add('ended with 0');
  return acts;
}

function readsIn(run: CaseRun): Map<string, number> {
  const reads = new Map<string, number>();
  for (const { operation, effect } of ofFirstStart(run))
    if (operation !== undefined && effect === 'read') reads.set(operation, (reads.get(operation) ?? 0) + 1);
  return reads;
}
