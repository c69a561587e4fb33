/**
 * Where a shell looks for completion by itself, and writing it there: whole or not at all. Files that a shell reads at its
 * start (.bashrc, .zshrc, $PROFILE) are never touched: what to add to them is said.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../../core/env.ts';
import { configProblem, Problem } from '../../core/problem.ts';
import { homeFolder } from '../../profiles/paths.ts';
import { type Shell, scriptNames } from './scripts.ts';

export interface Place {
  path: string;
  /** The steps that are left to do by hand. */
  notes: readonly string[];
}

export function placeFor(shell: Shell, env: Env): Place {
  const home = homeFolder(env);
  if (home === undefined)
    throw configProblem(
      'no_home',
      'there is no home folder to put the script in',
      'put it where you like: remit completion SHELL > FILE, and load FILE from your shell',
    );
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  switch (shell) {
    case 'bash': {
      const path = join(data, 'bash-completion', 'completions', 'remit');
      return {
        path,
        notes: [
          'new shells have it where the package bash-completion is set up; otherwise add to ~/.bashrc:',
          `  source ${quoted(path)}`,
        ],
      };
    }
    case 'zsh': {
      const folder = join(data, 'zsh', 'site-functions');
      return { path: join(folder, scriptNames.zsh), notes: zshNotes(folder, env) };
    }
    case 'fish':
      return { path: join(config, 'fish', 'completions', scriptNames.fish), notes: ['new shells have it'] };
    case 'powershell': {
      const path = join(data, 'remit', scriptNames.powershell);
      return {
        path,
        notes: ['PowerShell has no folder for completions; add to $PROFILE:', `  . ${literal(path)}`],
      };
    }
  }
}

/** zsh tells its children nothing of fpath unless it is exported: then it is believed. */
function zshNotes(folder: string, { FPATH = '' }: Env): string[] {
  if (FPATH.split(':').includes(folder)) return ['new shells have it'];
  return [
    'if it is not in your fpath yet, add to ~/.zshrc, before compinit is called:',
    `  fpath=(${quoted(folder)} $fpath)`,
    'then start a new shell; if nothing changes: rm -f ~/.zcompdump',
  ];
}

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
const literal = (path: string): string => `'${path.replace(/['\u2018-\u201b]/g, '$&$&')}'`;

/** @throws Problem where it cannot be written; what was there stays */
export function writeScript(path: string, text: string, pid: number): void {
  const draft = `${path}.${pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text, { flag: 'wx', mode: 0o644 });
    renameSync(draft, path);
  } catch (error) {
    discard(draft);
    throw new Problem(
      {
        category: 'config',
        code: 'completion_unwritable',
        message: `${path} cannot be written: ${(error as Error).message}`,
        hint: 'put it where you like: remit completion SHELL > FILE, and load FILE from your shell',
      },
      { cause: error },
    );
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Where the folder cannot be written, there may be no draft to remove.
  }
}
