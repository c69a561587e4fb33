/** The whole tree for machines: what documentation, wrappers and completion are made from. */
import { command, result } from '../command.ts';
import type { DescribedCommand } from '../help/described.ts';
import type { View } from '../terminal/view.ts';

export { commands as command };

const view: View<DescribedCommand> = {
  kind: 'command',
  columns: [
    { name: 'words', head: 'COMMAND', get: (row) => `remit ${row.words}` },
    { name: 'summary', get: (row) => row.summary, wrap: true },
  ],
  members: () => [
    'description',
    'args',
    'flags',
    'global_flags',
    'examples',
    'json_fields',
    'effect',
    'local',
    'exit_codes',
  ],
};

const commands = command({
  description: `In JSON each command has its arguments, flags, examples, exit codes and the fields of its result. effect is the most that it may do at the service: read, write, destructive or money; null if it never calls the service. local is the most that it does to what remit keeps, which is settings, keys, pay runs, books and the inbox: read, write or destructive. The journal of its own writes and the files that you name do not count. A command that only reads says read twice.`,
  examples: [
    'remit commands',
    'remit commands -o json',
    'remit commands --query "[?effect==\'money\'].words"',
    'remit commands --query "[?local==\'read\'].words"',
  ],
  shows: [view],
  read: (): null => null,
  run: async ({ world }) => result(view, (await world.tree?.describe()) ?? []),
});
