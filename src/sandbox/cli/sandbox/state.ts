import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { control } from '../control.ts';
import { stateView } from '../views/sandbox.ts';

export const command = defineCommand({
  description:
    'Shows counts for each resource and state, the books of the ledger, the settings, and what is due next.',
  shows: [stateView],
  effect: 'read',
  examples: ['remit sandbox state', 'remit sandbox state -o json --query ledger.wallet'],
  read: () => null,
  run: async (context) => result(stateView, await control(context, 'sandbox.state')),
});
