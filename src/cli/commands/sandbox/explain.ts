import { command, result } from '../../command.ts';
import { control } from '../../sandbox-control.ts';
import { changeView } from '../../views/sandbox.ts';

interface Story {
  id: string;
  object: string;
  state: string;
  external_id: string | null;
  changes: Record<string, unknown>[];
}

export { explain as command };

const explain = command<{ id: string }>({
  description:
    'Each change of a transaction, with its sender, payin methods and recipients, or of one recipient: when, which rule made it, and whether the service’s description states that rule or the sandbox assumes it (docs/assumptions.md).',
  args: [{ name: 'ID', summary: 'the id of a transaction or a recipient, or an external id' }],
  examples: ['remit sandbox explain wages-1', 'remit sandbox explain wages-1 -o json --query changes'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    const story = await control<Story>(context, 'sandbox.explain', { id });
    const assumed = story.changes.filter(({ basis }) => basis === 'assumed').length;
    return result(changeView, story.changes, {
      notes: [
        `${story.object} ${story.id} is ${story.state}: ${story.changes.length} changes, ${assumed} by rules that the sandbox assumes`,
      ],
    });
  },
});
