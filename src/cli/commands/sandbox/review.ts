import { type ReviewDecision, reviewDecisions } from '../../../contract/controls/index.ts';
import { usage } from '../../../core/problem.ts';
import { findTransaction } from '../../../desk/lookup/transaction.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { decidedView } from '../../views/sandbox.ts';

export { review as command };

const review = command({
  description: `hold        puts a funded transaction under compliance review (processing)
release     lets it go on; after 24 hours it goes on without this
exception   gives it to the operator
resume      lets one in exception or manual go on
With \`remit sandbox settings review=true\` every funded transaction is reviewed.`,
  args: [
    { name: 'ID', summary: 'the transaction’s id or external id' },
    { name: 'DECISION', summary: reviewDecisions.join(', ') },
  ],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox review invoice-2024-17 release'],
  read(input): { id: string; decision: ReviewDecision } {
    const [id = '', decision = ''] = input.args;
    const known = reviewDecisions.find((each) => each === decision);
    if (!known) throw usage(`compliance has no decision "${decision}"`, reviewDecisions.join(', '));
    return { id, decision: known };
  },
  async run(context, { id, decision }) {
    await controlAccess(context);
    const { transaction } = await findTransaction(context, id, 'write');
    const asked = { id: transaction.id ?? '', body: { decision } };
    return result(decidedView, await control(context, 'sandbox.reviews.decide', asked));
  },
});
