import { defaultFormat, formatInfo } from '../../../frame/terminal/format.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { type RecordStory, recordStory, type SandboxChange } from '../told.ts';
import { sandboxChangeView } from '../views/sandbox.ts';

export const command = defineCommand({
  description:
    'Lists each change of a transaction with its sender, payin methods and recipients, or of one recipient: when it happened, by which rule, and whether the description of the service states that rule or the sandbox assumes it (docs/assumptions.md).',
  args: [{ name: 'ID', summary: 'the id of a transaction or a recipient, or an external id' }],
  shows: [sandboxChangeView()],
  effect: 'read',
  examples: ['remit sandbox explain wages-1', "remit sandbox explain wages-1 -o json --query '[].rule'"],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    const story = await recordStory(context, id);
    const { output } = context.globals;
    const isTable = formatInfo(output ?? defaultFormat(context.streams.stdoutIsTerminal)).isDrawn;
    return result(
      isTable ? sandboxChangeView(shortTime(story)) : sandboxChangeView(),
      numbered(story.changes),
      {
        notes: [summary(story)],
      },
    );
  },
});

const days = ({ changes }: RecordStory): string[] => [...new Set(changes.map(({ at }) => at.slice(0, 10)))];

/** The day is in the line below the table: `14:31:13`, and with more days than one `11-21 14:31:13`. */
function shortTime(story: RecordStory): (at: string) => string {
  const from = days(story).length > 1 ? 5 : 11;
  return (at) => at.slice(from, 19).replace('T', ' ');
}

function summary(story: RecordStory): string {
  const { object, id, state, changes } = story;
  const all = days(story);
  const when = all.length > 1 ? `from ${all[0]} to ${all.at(-1)}` : `on ${all[0]}`;
  const assumed = changes.filter(({ basis }) => basis === 'assumed').length;
  return `${object} ${id} is ${state}: ${changes.length} changes ${when} (UTC), ${assumed} by rules that the sandbox assumes`;
}

/** Where there are several recipients or payin methods, which one: from 1, in the order of the transaction. */
function numbered(changes: readonly SandboxChange[]): SandboxChange[] {
  const ids = (object: string): string[] => [
    ...new Set(changes.filter((each) => each.object === object).map(({ id }) => id)),
  ];
  return changes.map((change) => {
    const all = ids(change.object);
    return all.length > 1 ? { ...change, number: all.indexOf(change.id) + 1 } : change;
  });
}
