import { type MandateDecision, mandateDecisions } from '../../../contract/controls/index.ts';
import { usage } from '../../../core/problem.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { withMandate } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { mandateArgument, readName } from '../../flags/ids.ts';
import { decidedView } from '../../views/sandbox.ts';

export { mandate as command };

const mandate = command({
  description:
    'A sandbox sends no mail. Payouts that wait for a mandate continue once it is signed or bypassed.',
  args: [mandateArgument, { name: 'STATUS', summary: mandateDecisions.join(', ') }],
  shows: [decidedView],
  effect: 'write',
  examples: [
    'remit sandbox mandate zar-1 signed',
    'remit sandbox mandate 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 signed',
  ],
  read(input): { given: string; status: MandateDecision } {
    const [, status = ''] = input.args;
    const known = mandateDecisions.find((each) => each === status);
    if (!known) throw usage(`a mandate cannot be "${status}"`, mandateDecisions.join(', '));
    return { given: readName(input, 'remit recipient list shows recipients'), status: known };
  },
  async run(context, { given, status }) {
    await controlAccess(context);
    const decided = await withMandate(context, { given, use: 'write' }, (id) =>
      control(context, 'sandbox.mandates.decide', { id, body: { status } }),
    );
    return result(decidedView, decided);
  },
});
