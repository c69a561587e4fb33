import { usage } from '../../../core/problem.ts';
import { control } from '../../../desk/sandbox/control.ts';
import { confirmSandbox } from '../../ask/sandbox-confirm.ts';
import { command, result } from '../../command.ts';
import { stateView } from '../../views/sandbox.ts';

export { reset as command };

const reset = command({
  description:
    'Deletes all data and sets the opening balances. Key, secret, settings and time stay; registered webhooks are deleted. It asks first; without a terminal it needs --yes.',
  shows: [stateView],
  effect: 'destructive',
  examples: ['remit sandbox reset', 'remit sandbox reset --yes'],
  read(input): null {
    if (input.args.length > 0) throw usage('reset takes no arguments');
    return null;
  },
  async run(context) {
    await confirmSandbox(context, 'Delete all data of this sandbox?');
    return result(stateView, await control(context, 'sandbox.reset'));
  },
});
