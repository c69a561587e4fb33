/**
 * One listener for an embedded inbox: it holds a small file beside it. The operating system frees that when the process ends,
 * however it ends. Another file, in plain text, says who it is.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Inbox } from '../../core/ports/inbox.ts';
import { holdFile, IN_MEMORY } from '../driver.ts';
import { asStoreError } from '../error.ts';

interface Hold {
  take(by: string): ReturnType<Inbox['hold']>;
  letGo(): void;
}

/** `free` lets go of what earlier holders claimed: they are gone, and what they were at need not wait for a lease to end. */
export function createHold(path: string, account: string, free: () => void): Hold {
  if (path === IN_MEMORY) return { take: async () => ({ held: true }), letGo() {} };
  const digest = createHash('sha256').update(account).digest('hex').slice(0, 12);
  const lock = `${path}-${digest}-listener`;
  const about = `${lock}.json`;
  let held: { letGo(): void } | null = null;
  return {
    async take(by) {
      if (held) return { held: true };
      held = await holdFile(lock);
      if (!held) return { held: false, by: holder(about) };
      sayWho(about, by);
      free();
      return { held: true };
    },
    letGo() {
      if (held) rmSync(about, { force: true });
      held?.letGo();
      held = null;
    },
  };
}

function sayWho(about: string, by: string): void {
  try {
    writeFileSync(about, `${JSON.stringify({ by })}\n`, { mode: 0o600 });
  } catch (error) {
    throw asStoreError(error, about);
  }
}

/** The other one may be writing it just now. */
function holder(about: string): string {
  try {
    return String(JSON.parse(readFileSync(about, 'utf8')).by);
  } catch {
    return 'another listener';
  }
}
