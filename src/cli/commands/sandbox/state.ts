import { control } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { stateView } from '../../views/sandbox.ts';

export { state as command };

const state = command<null>({
  description:
    'Counts for each resource and state, what every book of the ledger holds, settings, and what is due next.',
  shows: [stateView],
  effect: 'read',
  examples: ['remit sandbox state', 'remit sandbox state -o json --query ledger.wallet'],
  read: () => null,
  run: async (context) => result(stateView, await control(context, 'sandbox.state')),
});
