/**
 * One listener for an embedded inbox: it holds a small file beside it. The operating system frees that when the process ends,
 * however it ends. Another file, in plain text, says who it is.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { holdFile, IN_MEMORY } from '../../../disk/driver.ts';
import { readOwnFile, replaceOwnFile } from '../../../disk/own-file.ts';
import { asStoreError } from '../../../disk/store-error.ts';
import type { InboxUpkeep } from '../port.ts';

export interface InboxHold {
  take(by: string): ReturnType<InboxUpkeep['hold']>;
  /** Does it while no other process can listen at the file, for any account; false, and not done, if one does. */
  alone(by: string, work: () => void): Promise<boolean>;
  letGo(): void;
}

type Held = NonNullable<Awaited<ReturnType<typeof holdFile>>>;

/** `free` lets go of what earlier holders claimed: they are gone, and what they were at need not wait for a lease to end. */
export function createHold(path: string, account: string, free: () => void): InboxHold {
  if (path === IN_MEMORY) return inMemory;
  const digest = createHash('sha256').update(account).digest('hex').slice(0, 12);
  const lock = `${path}-${digest}-listener`;
  const about = `${lock}.json`;
  let held: Held | null = null;
  return {
    async take(by) {
      if (held) return { held: true };
      held = await holdFile(lock);
      if (!held) return { held: false, by: holder(about) };
      sayWho(about, by);
      free();
      return { held: true };
    },
    async alone(by, work) {
      const others = locksOf(path).filter((one) => one !== lock);
      const all = await takeAll(held ? others : [lock, ...others]);
      if (!all) return false;
      const isOurs = held !== null;
      try {
        if (!isOurs) sayWho(about, by);
        work();
        return true;
      } finally {
        if (!isOurs) rmSync(about, { force: true });
        for (const one of all) one.letGo();
      }
    },
    letGo() {
      if (held) rmSync(about, { force: true });
      held?.letGo();
      held = null;
    },
  };
}

const inMemory: InboxHold = {
  take: async () => ({ held: true }),
  async alone(_by, work) {
    work();
    return true;
  },
  letGo() {},
};

/** The locks of every account that ever had a listener at this file. */
function locksOf(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path)];
  const isLock = (file: string) => file.startsWith(name) && LOCK.test(file.slice(name.length));
  return readdirSync(folder)
    .filter(isLock)
    .map((file) => join(folder, file));
}

const LOCK = /^-[0-9a-f]{12}-listener$/;

/** Takes all locks, or none. */
async function takeAll(locks: readonly string[]): Promise<Held[] | null> {
  const taken: Held[] = [];
  for (const lock of locks) {
    const one = await holdFile(lock);
    if (one) taken.push(one);
    else break;
  }
  if (taken.length === locks.length) return taken;
  for (const one of taken) one.letGo();
  return null;
}

function sayWho(about: string, by: string): void {
  try {
    replaceOwnFile(about, `${JSON.stringify({ by })}\n`);
  } catch (error) {
    throw asStoreError(error, about);
  }
}

/** The other one may be writing it just now. */
function holder(about: string): string {
  try {
    return String(JSON.parse(readOwnFile(about) ?? '').by);
  } catch {
    return 'another listener';
  }
}
