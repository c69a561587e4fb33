/** The clock and the random numbers that a store takes from whoever opens it: time and ids are never its own. */
import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';

export interface StoreDependencies {
  clock: Clock;
  random: Random;
}
