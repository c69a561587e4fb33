import { Chalk, type ChalkInstance } from 'chalk';
import type { Look } from '../../core/look.ts';

export type Paint = ChalkInstance;

export function paintFor(colour: boolean): Paint {
  return new Chalk({ level: colour ? 1 : 0 });
}

const COLOURS = { good: 'green', waiting: 'yellow', bad: 'red', over: 'dim' } as const;

/** States keep their words; colour only helps the eye. */
export const paintState = (paint: Paint, state: string, look: Look = 'over'): string =>
  paint[COLOURS[look]](state);
