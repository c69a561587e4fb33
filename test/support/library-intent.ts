/** The intent of a write that was begun. */
import type * as Public from '../../src/library/client-types.ts';

/** @throws Error where nothing of it was begun */
export function intentOf({ intent }: Public.Outcome<unknown>): Public.Intent {
  if (intent === undefined) throw new Error('nothing of it was begun');
  return intent;
}
