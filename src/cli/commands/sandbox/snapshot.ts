import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Problem } from '../../../core/problem.ts';
import { controlBytes } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { snapshotView } from '../../views/sandbox.ts';

export { snapshot as command };

const snapshot = command({
  description:
    'Saves everything but key and secret, in a file that only you can read (mode 600). A file that exists is not overwritten.',
  args: [{ name: 'FILE', summary: 'the file to write' }],
  shows: [snapshotView],
  effect: 'read',
  examples: ['remit sandbox snapshot before-wages.snap'],
  read: (input): { file: string } => ({ file: input.args[0] ?? '' }),
  async run(context, { file }) {
    const path = resolve(context.world.cwd, file);
    const bytes = await controlBytes(context, 'sandbox.snapshot');
    try {
      await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw cannotWrite(path, error as NodeJS.ErrnoException);
    }
    return result(snapshotView, { file: path, bytes: bytes.length });
  },
});

function cannotWrite(path: string, error: NodeJS.ErrnoException): Problem {
  const exists = error.code === 'EEXIST';
  return new Problem(
    {
      category: 'usage',
      code: exists ? 'file_exists' : 'file_not_written',
      message: exists ? `${path} exists` : `${path} cannot be written: ${error.message}`,
      hint: exists ? 'choose another name, or remove it first' : undefined,
      outcome: 'not applied',
    },
    { cause: error },
  );
}
