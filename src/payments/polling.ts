/** Looking again and again: a few temporary failures in a row are reported and passed over, more of them end it. */
import type { Desk } from './desk.ts';
import { problemOf } from './problem-of.ts';

const MOST_FAILURES = 5;

/** Undefined where this look failed for a moment, or was interrupted. @throws what does not pass by itself */
export function tolerant(desk: Desk): <T>(look: () => Promise<T>) => Promise<T | undefined> {
  let failures = 0;
  return async (look) => {
    try {
      const found = await look();
      failures = 0;
      return found;
    } catch (error) {
      const { category, message } = problemOf(error).facts;
      if (category === 'interrupted') return undefined;
      const passes = category === 'network' || category === 'server';
      if (!passes || ++failures >= MOST_FAILURES) throw error;
      desk.hear({ says: `remit: ${message}; looking again`, as: 'aside' });
      return undefined;
    }
  };
}
