/** Completion for a shell: the script on stdout, or written where the shell looks for it by itself. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../core/env.ts';
import { configProblem, refuse, usage } from '../core/problem.ts';
import { completionScript, isShell, type Shell, scriptNames, shells } from '../frame/completion/scripts.ts';
import { completionShape } from '../frame/help/shapes.ts';
import type { View } from '../frame/terminal/view.ts';
import { defineCommand } from '../payments/cli/command.ts';
import { result } from '../payments/cli/result.ts';
import { homeFolder, namedFolder } from '../profiles/paths.ts';

/**
 * Where a shell looks for completion by itself, and writing it there: whole or not at all. Files that a shell reads at its
 * start (.bashrc, .zshrc, $PROFILE) are never touched: remit says what to add.
 */
interface Place {
  path: string;
  /** The steps that are left to do by hand. */
  notes: readonly string[];
}

function placeFor(shell: Shell, env: Env): Place {
  const home = homeFolder(env);
  if (home === undefined)
    throw configProblem(
      'no_home',
      'there is no home folder to put the script in',
      'put it where you like: remit completion SHELL > FILE, and load FILE from your shell',
    );
  const data = namedFolder(env.XDG_DATA_HOME) ?? join(home, '.local', 'share');
  const config = namedFolder(env.XDG_CONFIG_HOME) ?? join(home, '.config');
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
function writeScript(path: string, text: string, pid: number): void {
  const draft = `${path}.${pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text, { flag: 'wx', mode: 0o644 });
    renameSync(draft, path);
  } catch (error) {
    discard(draft);
    throw refuse(
      'config',
      'completion_unwritable',
      `${path} cannot be written: ${(error as Error).message}`,
      {
        hint: 'put it where you like: remit completion SHELL > FILE, and load FILE from your shell',
        cause: error,
      },
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

interface Installed {
  shell: Shell;
  file: string;
  written: boolean;
}

const view: View<Installed> = {
  shape: completionShape,
  columns: [
    { name: 'shell', get: (row) => row.shell },
    { name: 'file', get: (row) => row.file },
    { name: 'written', get: (row) => (row.written ? 'yes' : 'no') },
  ],
};

const names = shells.join(', ');

export const command = defineCommand({
  description: `remit completion SHELL            prints the script
remit completion install [SHELL]  writes it where the shell looks for it, and says what is left to do
The script asks remit on this machine at each TAB, so that it knows a new version too; the service is never called.`,
  args: [
    { name: 'SHELL', summary: `${names}; or install` },
    { name: 'FOR', summary: 'with install: the shell; the one in $SHELL if you do not say', optional: true },
  ],
  flags: { dryRun: { summary: 'with install: say where it would be written, and write nothing' } },
  examples: ['remit completion bash', 'remit completion install', 'remit completion install fish --dry-run'],
  shows: [view],
  read(input) {
    const [first = '', second] = input.args;
    const install = first === 'install';
    const given = install ? second : first;
    if (!install && second !== undefined)
      throw usage(
        `completion takes one shell, and was given "${second}" too`,
        'remit completion install SHELL',
      );
    if (given !== undefined && !isShell(given))
      throw usage(`there is no completion for "${given}"`, `choose one of ${names}`);
    return { install, shell: given, dryRun: input.flags.dryRun };
  },
  async run({ process, streams }, { install, shell: asked, dryRun }) {
    const shell = asked ?? shellIn(process.env);
    const text = completionScript(shell, process.installation);
    if (!install) {
      streams.out(text);
      return { done: true };
    }
    const { path, notes } = placeFor(shell, process.env);
    if (!dryRun) writeScript(path, text, process.pid);
    return result(view, { shell, file: path, written: !dryRun }, { notes });
  },
});

function shellIn({ SHELL = '', PSModulePath }: Readonly<Record<string, string | undefined>>): Shell {
  const name = SHELL.split(/[\\/]/).at(-1) ?? '';
  if (isShell(name)) return name;
  if (SHELL === '' && PSModulePath !== undefined) return 'powershell';
  throw usage(`which shell? $SHELL is "${SHELL}"`, `remit completion install SHELL, with one of ${names}`);
}
