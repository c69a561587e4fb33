/**
 * The token that opens the controls of a sandbox on this machine: a file that only this user can read, by the port that it
 * serves. `remit sandbox start` writes it and takes it away again.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { configProblem } from '../core/problem.ts';
import { readOwnFile, replaceOwnFile } from '../disk/own-file.ts';
import { configDir } from './paths.ts';

export function controlTokenPath(env: Env, baseUrl: string): string {
  return join(configDir(env), 'sandboxes', `${new URL(baseUrl).port || '80'}.token`);
}

export function keepControlToken(env: Env, baseUrl: string, token: string): void {
  const path = controlTokenPath(env, baseUrl);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceOwnFile(path, token);
}

/** Undefined when no sandbox that we started serves there. @throws Problem (config) where something else has its name */
export function readControlToken(env: Env, baseUrl: string): string | undefined {
  try {
    return readOwnFile(controlTokenPath(env, baseUrl))?.trim();
  } catch (error) {
    throw configProblem(
      'control_token',
      `the token of the sandbox cannot be read: ${(error as Error).message}`,
      hint`remove what is there, then start the sandbox again: ${{ do: 'start_sandbox' }}`,
      { cause: error },
    );
  }
}

/** Another sandbox may have taken the port over meanwhile: only our own token goes. */
export function forgetControlToken(env: Env, baseUrl: string, token: string): void {
  if (readControlToken(env, baseUrl) === token) rmSync(controlTokenPath(env, baseUrl), { force: true });
}
