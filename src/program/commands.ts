/** The whole tree for machines: what documentation, wrappers and completion are made from. */

import type { DescribedCommand, DescribedShape } from '../frame/help/described.ts';
import { commandShape, shapeSchemaShape } from '../frame/help/shapes.ts';
import { toCell, type View } from '../frame/terminal/view.ts';
import { defineCommand } from '../payments/cli/command.ts';
import { result } from '../payments/cli/result.ts';

const view: View<DescribedCommand> = {
  shape: commandShape,
  columns: [
    { name: 'words', head: 'COMMAND', get: (row) => `remit ${row.words}` },
    { name: 'summary', get: (row) => row.summary, wrap: true },
  ],
};

const shapesView: View<DescribedShape> = {
  shape: shapeSchemaShape,
  columns: [
    { name: 'kind', get: (row) => row.kind },
    { name: 'version', right: true, get: (row) => toCell(row.version) },
    { name: 'commands', wrap: true, get: (row) => row.commands.join(', ') },
  ],
};

export const command = defineCommand({
  description: `In JSON each command has its arguments, flags, examples, exit codes, the fields of its result, and the kinds and versions of what it prints. --shapes lists those kinds, each with a JSON Schema of its record: what stands at data. effect is the most that it may do at the service: read, write, destructive or money; null if it never calls the service. local is the most that it does to what remit keeps, which is settings, keys, pay runs, books and the inbox: read, write or destructive. The journal of its own writes and the files that you name do not count. A command that only reads says read twice.`,
  examples: [
    'remit commands',
    'remit commands -o json',
    'remit commands --query "[?effect==\'money\'].words"',
    'remit commands --query "[?local==\'read\'].words"',
    'remit commands --shapes -o json',
  ],
  flags: {
    shapes: { summary: 'the kinds of results in their place, each with a JSON Schema of its record' },
  },
  shows: [view, shapesView],
  read: (input) => ({ shapes: input.flags.shapes }),
  run: async ({ process: { tree } }, { shapes }) =>
    shapes ? result(shapesView, (await tree?.shapes()) ?? []) : result(view, (await tree?.describe()) ?? []),
});
