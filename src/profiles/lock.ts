/** One process at a time changes the settings: a folder is made or not, whatever else happens. */
import { lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { configProblem } from '../core/problem.ts';

const TRIES = 100;
const PAUSE_MS = 20;
/** A lock this old was left by a process that died: changing the settings takes milliseconds. */
const STALE_MS = 10_000;

export async function withLock<T>(path: string, now: number, work: () => Promise<T>): Promise<T> {
  await acquire(path, now);
  try {
    return await work();
  } finally {
    rmdirSync(path);
  }
}

async function acquire(path: string, now: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      mkdirSync(path, { recursive: false });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isStale(path, now))
        rmSync(path, { recursive: true, force: true }); // or another did so meanwhile
      else await sleep(PAUSE_MS);
    }
  }
  throw configProblem(
    'config_locked',
    `${path} is held by another remit`,
    'if none is running, remove that folder',
  );
}

function isStale(path: string, now: number): boolean {
  try {
    return now - lstatSync(path).mtimeMs > STALE_MS;
  } catch {
    return false; // gone meanwhile
  }
}
