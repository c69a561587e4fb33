import { usage } from '../../../core/problem.ts';
import { control } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { seededView } from '../../views/sandbox.ts';

export { seed as command };

const seed = command({
  description:
    'Creates ten transactions a round: paid, pending, failed in three ways, cash, unfunded, cancelled.',
  flags: { rounds: { value: 'count', summary: '1 if you do not say, at most 100' } },
  shows: [seededView],
  effect: 'write',
  examples: ['remit sandbox seed', 'remit sandbox seed --rounds 5'],
  read(input): { rounds: number } {
    const rounds = input.flags.rounds ?? '1';
    if (!/^[1-9]\d?$|^100$/.test(rounds)) throw usage(`--rounds ${rounds} is not a number from 1 to 100`);
    return { rounds: Number(rounds) };
  },
  async run(context, { rounds }) {
    return result(
      seededView,
      await control<Record<string, unknown>[]>(context, 'sandbox.seed', { body: { rounds } }),
    );
  },
});
