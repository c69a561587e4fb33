import { type MandateDecision, mandateDecisions } from '../../../contract/controls/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { command, result } from '../../command.ts';
import { usage } from '../../failure.ts';
import { control } from '../../sandbox-control.ts';
import { decidedView } from '../../views/sandbox.ts';

export { mandate as command };

const mandate = command<{ id: string; status: MandateDecision }>({
  description:
    'In a sandbox nobody is mailed. Payouts that wait for a mandate go on once it is signed or bypassed.',
  args: [
    { name: 'ID', summary: 'the mandate’s id: `mandate_id` of the recipient' },
    { name: 'STATUS', summary: mandateDecisions.join(', ') },
  ],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox mandate 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 signed'],
  read(input) {
    const [id = '', status = ''] = input.args;
    const known = mandateDecisions.find((each) => each === status);
    if (!isUuid(id))
      throw usage(`"${id}" is not a mandate's id`, 'remit tx show TX -o json   shows mandate_id');
    if (!known) throw usage(`a mandate cannot be "${status}"`, mandateDecisions.join(', '));
    return { id, status: known };
  },
  async run(context, { id, status }) {
    return result(decidedView, await control(context, 'sandbox.mandates.decide', { id, body: { status } }));
  },
});
