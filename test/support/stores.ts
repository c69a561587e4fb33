/** Both implementations of the local store, for the suites that every implementation must pass. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { memoryLocalStore } from '../../src/store/local-memory.ts';
import { openStore, type Store } from '../../src/store/open.ts';

export interface StandingClock extends Clock {
  advance(ms: number): void;
}

export function standingClock(now = 1_790_000_000_000): StandingClock {
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

export function temporaryStorePath(): string {
  return join(mkdtempSync(join(tmpdir(), 'remit-store-')), 'inner', 'store.db');
}

export const storeMakers: [string, (clock: Clock) => Promise<Store>][] = [
  ['in memory', async (clock) => memoryLocalStore({ clock, random: seededRandom(7) })],
  ['on disk', (clock) => openStore(temporaryStorePath(), { clock, random: seededRandom(7) })],
];
