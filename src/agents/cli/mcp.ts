/** Serves the desk to agents over standard input and output, in the Model Context Protocol, until the pipe is closed. */
import { usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { commandOf, renderUnbroken } from '../../frame/output/spell.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import type { Result } from '../../payments/cli/result.ts';
import { tellJournal } from '../../payments/cli/telling.ts';
import type { Opened, Transport } from '../../payments/desk.ts';
import type { Connection } from '../../profiles/connection.ts';
import { hasControls } from '../../sandbox/cli/control.ts';

export const command = defineCommand({
  description: `A host of agents starts it: it speaks the Model Context Protocol on standard input and output, revisions 2025-11-25 and 2026-07-28, for the profile in use. remit mcp config HOST prints the entry for a host.

It only reads, unless the profile says more: agent=sandbox lets agents plan and carry out on a sandbox, and agent=prepare lets them plan, and a person approves in a terminal (remit approve NAME). In production an agent never moves money. --read-only beats both. The form of a host, a confirmation in a call and a token are no person.

An agent that has a shell on this machine is you: it can run any command that you can. What binds it then is two_person, approvers whose key is on another machine, and the ceilings of the profile: max_amount for one payment, max_per_day for 24 hours.`,
  args: [
    { name: 'config', summary: 'print the entry for a host instead', optional: true },
    { name: 'HOST', summary: 'the host, such as claude-code; without it they are listed', optional: true },
  ],
  flags: { readOnly: { summary: 'only reads, whatever the profile says' } },
  effect: 'money',
  local: 'write',
  exits: [exitCodes.interrupted],
  examples: [
    'remit mcp',
    'remit mcp --read-only --profile live',
    'remit mcp config claude-code --profile live',
  ],
  read(input) {
    const [action, host] = input.args;
    if (action !== undefined && action !== 'config')
      throw usage(`mcp has no action "${action}"`, 'remit mcp config HOST');
    return { isConfig: action === 'config', host, readOnly: input.flags.readOnly };
  },
  async run(context, { isConfig, host, readOnly }) {
    if (!isConfig) return serve(context, readOnly);
    const { hostEntry } = await import('./agent-hosts.ts');
    const { profile } = context.globals;
    const entry = hostEntry(host, [
      'mcp',
      ...(readOnly ? ['--read-only'] : []),
      ...(profile === undefined ? [] : ['--profile', profile]),
    ]);
    context.streams.out(`${entry.text}\n`);
    context.note(`For ${entry.file}.`);
    return { done: true };
  },
});

async function serve(context: Context, readOnly: boolean): Promise<Result> {
  const { streams, process } = context;
  if (streams.stdinIsTerminal)
    throw usage(
      'a host of agents starts this, and speaks to it through a pipe',
      'remit mcp config prints the entry for a host',
    );
  const [account, transport, { serveAgents }] = await Promise.all([
    context.connection(),
    context.transport(),
    import('../serve.ts'),
  ]);
  const { agent, read_only: isReadOnly } = account.limits;
  const isSandbox = account.environment === 'sandbox';
  const mayPlan = !readOnly && isReadOnly !== true;
  const writes = mayPlan && agent === 'sandbox' && isSandbox;
  await serveAgents({
    account,
    version: process.version,
    rights: {
      writes,
      prepares: mayPlan && (agent === 'prepare' || (agent === 'sandbox' && isSandbox)),
      controls: writes && (await hasControls(context)),
    },
    openDesk: (words, may, signal) => openDesk(context, { words, may, signal, account, transport }),
    approveCommand: (handle) => `${commandOf({ do: 'approve_plan', handle })} --profile ${account.name}`,
    text: renderUnbroken,
    sleep: process.sleep,
    input: streams.stdin,
    output: streams.stdout,
    interrupt: process.interrupt,
  });
  return { done: true, exit: exitCodes.ok };
}

interface Opening {
  words: string;
  may: 'read' | 'money';
  signal: AbortSignal;
  account: Connection;
  transport: Transport;
}

/** The desk that a command would be given. Its words go to the agent, and not to standard error. */
function openDesk(context: Context, { words, may, signal, account, transport }: Opening): Opened {
  const { globals, zone } = context;
  const quiet = { ...globals, quiet: true, yes: false, reveal: false, zone };
  const own = context.another(account, { words, globals: quiet, transport });
  own.may = may;
  own.signal = signal;
  return { desk: own, told: () => tellJournal(own), close: () => own.close() };
}
