/** The key of books without names: a small file of this user alone (0600), beside the settings. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Env } from '../../core/env.ts';
import { said } from '../../core/next.ts';
import { configProblem } from '../../core/problem.ts';
import { makeOwnFile, readOwnFile } from '../../files/own-file.ts';
import { booksKeyPath } from '../../profiles/paths.ts';
import { type Hider, hiderOf } from './hidden.ts';

/** Made where there is none. */
export function makeKey(env: Env, account: string): Hider {
  makeOwnFile(booksKeyPath(env, account), Buffer.from(`${randomBytes(32).toString('hex')}\n`));
  return readKey(env, account) ?? missing(env, account);
}

/** The key with which these books were begun. @throws Problem (config) where it is not here, or another one is */
export function keyOf(env: Env, account: string, print: string): Hider {
  const hider = readKey(env, account);
  return hider?.print === print ? hider : missing(env, account);
}

/** With the last record nothing is left that it could find. */
export const forgetKey = (env: Env, account: string): void =>
  rmSync(booksKeyPath(env, account), { force: true });

function readKey(env: Env, account: string): Hider | undefined {
  const text = readOwnFile(booksKeyPath(env, account))?.trim();
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? hiderOf(text) : undefined;
}

function missing(env: Env, account: string): never {
  throw configProblem(
    'books_key',
    'the books are kept without names, and the key that they were begun with is not on this machine',
    said`put it back: ${booksKeyPath(env, account)}; without it begin anew: ${{ do: 'forget_books' }}, then ${{ do: 'sync_books' }}`,
  );
}
