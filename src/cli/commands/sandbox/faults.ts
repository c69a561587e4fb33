import { usage } from '../../../core/problem.ts';
import { control } from '../../../desk/sandbox/control.ts';
import { type Faults, faultsIn } from '../../../desk/sandbox/told.ts';
import { command, result } from '../../command.ts';
import { armedView, firedView } from '../../views/sandbox.ts';

interface Options {
  show: 'armed' | 'fired';
  clear: 'all' | string | undefined;
}

export { faults as command };

const faults = command({
  description:
    'Lists the armed faults and how often each fired. --fired lists what happened, and to which call, delivery or payout. `remit sandbox fail` arms a fault.',
  flags: {
    fired: { summary: 'list what happened, not what is armed' },
    clear: { summary: 'disarm all of them' },
    disarm: { value: 'id', summary: 'disarm one, such as f2' },
  },
  shows: [firedView, armedView],
  effect: 'write',
  examples: ['remit sandbox faults', 'remit sandbox faults --fired', 'remit sandbox faults --clear'],
  read(input): Options {
    const one = input.flags.disarm;
    const all = input.flags.clear;
    if (one !== undefined && all) throw usage('say --clear or --disarm, not both');
    return { show: input.flags.fired ? 'fired' : 'armed', clear: one ?? (all ? 'all' : undefined) };
  },
  async run(context, { show, clear }) {
    const answer = await ask(context, clear);
    const { armed, fired } = answer;
    if (show === 'fired') return result(firedView, fired);
    const note = fired.length > 0 ? [`${fired.length} fired until now: remit sandbox faults --fired`] : [];
    return result(armedView, armed, { notes: note });
  },
});

function ask(context: Parameters<typeof control>[0], clear: string | undefined): Promise<Faults> {
  if (clear === undefined) return faultsIn(context);
  if (clear === 'all') return control<Faults>(context, 'sandbox.faults.clear');
  return control<Faults>(context, 'sandbox.faults.disarm', { id: clear });
}
