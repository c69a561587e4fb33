/**
 * Balances and rates are kept for five minutes per URL and key (docs/rules.md 11): the service asks for no more. Never for a
 * loopback sandbox, dropped by every money write, gone past where a fresh answer is asked for.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CallTerms } from '../client/terms.ts';
import { isLoopback } from '../core/hosts.ts';
import { hint } from '../core/next.ts';
import { readOwnFile, replaceOwnFile } from '../disk/own-file.ts';
import type { Connection } from '../profiles/connection.ts';
import { configDir } from '../profiles/paths.ts';
import { type Desk, note, tell } from './desk.ts';
import { OFTEN } from './read-budget.ts';

const KEPT_MS = 300_000;

export async function cachedRead<T>(
  desk: Desk,
  path: string,
  read: (terms: CallTerms) => Promise<T>,
): Promise<T> {
  const connection = await desk.connection();
  if (isLoopback(new URL(connection.baseUrl).hostname)) return read(OFTEN);
  const file = join(
    folderOf(desk, connection),
    `${createHash('sha256').update(path).digest('hex').slice(0, 16)}.json`,
  );
  const kept = desk.fresh ? undefined : readKept<T>(file, desk.clock.now());
  if (kept !== undefined) {
    note(desk, hint`as of ${ageText(kept.age)} ago; ${{ give: 'fresh' }} asks again`);
    return kept.value;
  }
  const value = await read({});
  keep(file, `${file}.${desk.machine.pid}.new`, { at: desk.clock.now(), value });
  return value;
}

const ageText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;

/** Called by every money write. */
export async function dropCached(desk: Desk): Promise<void> {
  const folder = folderOf(desk, await desk.connection());
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // The money has moved: what is not so any more in a cache must not hide that.
    tell(
      desk,
      hint`remit: kept balances could not be dropped: ${(error as Error).message}; use ${{ give: 'fresh' }}`,
    );
  }
}

function folderOf({ machine }: Desk, { baseUrl, credentials }: Connection): string {
  const name = createHash('sha256').update(`${baseUrl}\n${credentials.key}`).digest('hex').slice(0, 16);
  return join(configDir(machine.env), 'cache', name);
}

function readKept<T>(file: string, now: number): { value: T; age: number } | undefined {
  try {
    const { at, value } = JSON.parse(readOwnFile(file) ?? '') as { at: number; value: T };
    const age = now - at;
    return age >= 0 && age < KEPT_MS ? { value, age: Math.round(age / 1000) } : undefined;
  } catch {
    return undefined; // nothing kept, or nothing that can be read: ask the service
  }
}

/** A cache that cannot be written costs one more request, nothing else. */
function keep(file: string, draft: string, entry: object): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    replaceOwnFile(file, JSON.stringify(entry), draft);
  } catch {}
}
