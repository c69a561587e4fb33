import { Chalk, type ChalkInstance } from 'chalk';

export type Paint = ChalkInstance;

export function paintFor(colour: boolean): Paint {
  return new Chalk({ level: colour ? 1 : 0 });
}

const GOOD = new Set(['paid', 'success', 'approved', 'verified', 'enabled', 'active', 'applied', 'refunded']);
const WAITING = new Set(['initial', 'pending', 'received', 'processing', 'incomplete', 'open', 'mispaid']);
const BAD = new Set([
  'error',
  'manual',
  'stuck',
  'exception',
  'rejected',
  'banned',
  'unknown',
  'conflict',
  'overpaid',
]);

/** States keep their words; colour only helps the eye. */
export function paintState(paint: Paint, state: string): string {
  if (GOOD.has(state)) return paint.green(state);
  if (WAITING.has(state)) return paint.yellow(state);
  if (BAD.has(state)) return paint.red(state);
  return paint.dim(state);
}
