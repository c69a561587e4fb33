/** The account of a sandbox that runs, as lines that a shell evaluates: what `sandbox exec` gives its child. */

import { notFound, usage } from '../../../core/problem.ts';
import { isShell, type Shell, shells } from '../../../frame/completion/scripts.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { result } from '../../../payments/cli/result.ts';
import { variableShape } from '../../../payments/shapes/machine.ts';
import { readSettings } from '../../../profiles/profiles.ts';
import type { Profile } from '../../../profiles/schema.ts';
import { readSecret } from '../../../profiles/secrets.ts';
import { isAlive } from '../../../profiles/worker.ts';

type Variable = DataOf<typeof variableShape>;

const view: View<Variable> = {
  shape: variableShape,
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'value', get: (row) => row.value },
  ],
};

export const command = defineCommand({
  description:
    'In a shell: eval "$(remit sandbox env)". Every program that is started in that shell then talks to the sandbox that runs, without a profile. On a terminal the secret is masked.',
  flags: {
    shell: { value: 'shell', summary: 'the one that $SHELL names if you do not say', choices: shells },
  },
  shows: [view],
  examples: [
    'remit sandbox env',
    'remit sandbox env --shell fish | source',
    'remit sandbox env --profile local-2 -o json',
  ],
  read: (input) => ({
    name: input.flags.profile,
    shell: input.flags.shell,
  }),
  async run(context, { name, shell }) {
    const { process, globals, streams } = context;
    const [chosen, profile] = running(context, name);
    const secret = await readSecret(process.env, chosen, profile.secretIn);
    const isMasked = streams.stdoutIsTerminal && !globals.reveal;
    const variables: Variable[] = [
      { name: 'REMIT_BASE_URL', value: profile.baseUrl },
      { name: 'REMIT_API_KEY', value: profile.key },
      { name: 'REMIT_API_SECRET', value: isMasked ? '••••' : secret },
      { name: 'REMIT_PROFILE', value: null },
    ];
    const hint = 'the secret is masked on a terminal; type: eval "$(remit sandbox env)"';
    if (globals.output !== undefined || globals.query !== undefined || globals.fields !== undefined)
      return result(view, variables, { notes: isMasked ? [hint] : [] });
    const wanted = shell ?? process.env.SHELL?.split('/').at(-1) ?? '';
    const line = LINES[isShell(wanted) ? wanted : 'bash'];
    streams.out(variables.map((variable) => `${line(variable)}\n`).join(''));
    if (isMasked) context.say(hint);
    return { done: true };
  },
});

/** The profile that was named, the default one, or the only one that runs. @throws Problem */
function running({ process }: Context, name: string | undefined): readonly [string, Profile] {
  const { profiles, defaultProfile } = readSettings(process.env);
  const all = Object.entries(profiles).filter(([, { sandbox }]) => sandbox && isAlive(sandbox.pid));
  const wanted = name ?? process.env.REMIT_PROFILE;
  const chosen = all.find(([one]) => one === (wanted ?? defaultProfile));
  const [only, ...more] = all;
  const found = chosen ?? (wanted === undefined && more.length === 0 ? only : undefined);
  if (found !== undefined) return found;
  if (only === undefined) throw notFound('no sandbox runs on this machine', 'remit sandbox start');
  const names = all.map(([one]) => one).join(', ');
  if (wanted !== undefined) throw notFound(`no sandbox runs as profile "${wanted}"`, `there is ${names}`);
  throw usage(`several sandboxes run: ${names}`, `name one: --profile ${only[0]}`);
}

/** Each line ends so that eval may put them on one; a quote within quotes is spelt as its shell has it. */
const posix = ({ name, value }: Variable): string =>
  value === null ? `unset ${name};` : `export ${name}='${value.replaceAll("'", "'\\''")}';`;

const LINES: Readonly<Record<Shell, (variable: Variable) => string>> = {
  bash: posix,
  zsh: posix,
  fish: ({ name, value }) =>
    value === null ? `set -e ${name};` : `set -gx ${name} '${value.replace(/[\\']/g, '\\$&')}';`,
  powershell: ({ name, value }) =>
    `$env:${name} = ${value === null ? '$null' : `'${value.replaceAll("'", "''")}'`};`,
};
