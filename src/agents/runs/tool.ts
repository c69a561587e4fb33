/** The tool that plans a pay run. */
import * as z from 'zod';
import { asTheirs } from '../text.ts';
import { given, PLANS, tool } from '../tool.ts';
import { notTheSame, planAnswer } from '../tools/plans.ts';
import { answerOf, written } from '../tools/written.ts';

export const planRunTool = tool({
  name: 'plan_run',
  title: 'Plan a pay run',
  description:
    'Plans a pay run of many rows from CSV text with a header, as remit batch plan takes it. Nothing is paid. The same rows under the same name are the same run.',
  hints: PLANS,
  needs: 'prepares',
  input: {
    name: given.text('The name of the run, such as wages-2026-11'),
    csv: z
      .string()
      .min(1)
      .max(2_000_000)
      .meta({ description: 'Rows with a header: key, amount, and the details of each payee' }),
    type: given.text('The payout type of rows that name none, such as NGN::Bank').optional(),
    pays_in: given.text('The currency that is paid in, for rows that name none').optional(),
    sender: given.text('The sender of rows that name none').optional(),
    most: z.record(z.string().regex(/^[A-Z]{3}$/), z.string().regex(/^\d+(\.\d+)?$/)).meta({
      description:
        'The most that the run may cost in each currency that is paid in, such as {"EUR": "500.00"}',
    }),
    not_the_same_as: notTheSame,
  },
  output: written,
  async run(call, asked) {
    const { runOf } = await import('./file.ts');
    const made = await runOf(call, asked);
    if ('faults' in made)
      return answerOf('NOT APPLIED. The rows cannot be paid as they are: nothing was planned.', {
        ...{ outcome: 'not_applied', state: 'refused', lines: made.faults.slice(0, 20).map(asTheirs) },
        problem: {
          category: 'usage',
          code: 'faults',
          says: asTheirs(`${made.faults.length} faults`),
          fields: [],
        },
      });
    return planAnswer(call, made);
  },
});
