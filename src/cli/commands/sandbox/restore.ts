import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usage } from '../../../core/problem.ts';
import { control } from '../../../desk/sandbox/control.ts';
import { confirmSandbox } from '../../ask/sandbox-confirm.ts';
import { command, result } from '../../command.ts';
import { stateView } from '../../views/sandbox.ts';

export { restore as command };

const restore = command({
  description:
    'The time is restored too, and the present data is lost. A file that is not a snapshot changes nothing. It asks first; without a terminal it needs --yes.',
  args: [{ name: 'FILE', summary: 'a file that `remit sandbox snapshot` wrote' }],
  shows: [stateView],
  effect: 'destructive',
  examples: ['remit sandbox restore before-wages.snap'],
  read: (input): { file: string } => ({ file: input.args[0] ?? '' }),
  async run(context, { file }) {
    const path = resolve(context.world.cwd, file);
    const bytes = await readFile(path).catch((error: Error) => {
      throw usage(`${path} cannot be read: ${error.message}`);
    });
    await confirmSandbox(context, `Replace everything in this sandbox by ${file}?`);
    return result(stateView, await control(context, 'sandbox.restore', { bytes }));
  },
});
