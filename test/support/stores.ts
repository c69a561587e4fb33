/** Local stores of tests: on a disk, and the same without a file. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { IN_MEMORY } from '../../src/disk/driver.ts';
import { openStore, type Store } from './open-store.ts';

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

export const diskStore = (clock: Clock): Promise<Store> =>
  openStore(temporaryStorePath(), { clock, random: seededRandom(7) });

export const memoryStore = (
  clock: Clock = standingClock(),
  random: Random = seededRandom(1),
): Promise<Store> => openStore(IN_MEMORY, { clock, random });
