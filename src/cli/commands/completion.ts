/** Completion for a shell: the script on stdout, or written where the shell looks for it by itself. */

import { usage } from '../../core/problem.ts';
import { completionShape } from '../../desk/shapes/machine.ts';
import { command, result } from '../command.ts';
import { placeFor, writeScript } from '../completion/install.ts';
import { completionScript, isShell, type Shell, shells } from '../completion/scripts.ts';
import type { View } from '../terminal/view.ts';

export interface CompletionOptions {
  install: boolean;
  /** The one in use, where none is named. */
  shell: Shell | undefined;
  dryRun: boolean;
}

interface Installed {
  shell: Shell;
  file: string;
  written: boolean;
}

export { completion as command };

const view: View<Installed> = {
  shape: completionShape,
  columns: [
    { name: 'shell', get: (row) => row.shell },
    { name: 'file', get: (row) => row.file },
    { name: 'written', get: (row) => (row.written ? 'yes' : 'no') },
  ],
};

const names = shells.join(', ');

const completion = command({
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
  read(input): CompletionOptions {
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
  async run({ world, streams }, { install, shell: asked, dryRun }) {
    const shell = asked ?? shellIn(world.env);
    const text = completionScript(shell, world.installation);
    if (!install) {
      streams.out(text);
      return { done: true };
    }
    const { path, notes } = placeFor(shell, world.env);
    if (!dryRun) writeScript(path, text, world.pid);
    return result(view, { shell, file: path, written: !dryRun }, { notes });
  },
});

function shellIn({ SHELL = '', PSModulePath }: Readonly<Record<string, string | undefined>>): Shell {
  const name = SHELL.split(/[\\/]/).at(-1) ?? '';
  if (isShell(name)) return name;
  if (SHELL === '' && PSModulePath !== undefined) return 'powershell';
  throw usage(`which shell? $SHELL is "${SHELL}"`, `remit completion install SHELL, with one of ${names}`);
}
