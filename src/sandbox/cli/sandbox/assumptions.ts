import { notFound } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { assumptionView } from '../views/sandbox.ts';

export const command = defineCommand({
  description:
    'Lists what the description of the service leaves open, and how the sandbox decides it and why. It needs no running sandbox.',
  args: [{ name: 'WORD', summary: 'only rows with this word', optional: true }],
  shows: [assumptionView],
  examples: ['remit sandbox assumptions', 'remit sandbox assumptions refund'],
  read: (input) => ({ search: input.args[0] }),
  async run(_context, { search }) {
    const { assumptions: all } = await import('../../assumptions.ts');
    const word = search?.toLowerCase();
    const found = all.filter(
      (row) => word === undefined || Object.values(row).some((text) => text.toLowerCase().includes(word)),
    );
    if (found.length === 0)
      throw notFound(`nothing is assumed about "${search}"`, 'remit sandbox assumptions');
    return result(assumptionView, found);
  },
});
