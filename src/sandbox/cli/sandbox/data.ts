/** Fills, saves, restores and deletes the data of a sandbox. */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { interrupted, type Problem, refuse, usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { result } from '../../../payments/cli/result.ts';
import { control, controlBytes } from '../control.ts';
import { seededView, snapshotView, stateView } from '../views/sandbox.ts';

/**
 * A command that replaces everything in a sandbox asks on a terminal, defaulting to No, and needs --yes
 * without one.
 */
async function confirmSandbox(context: Context, question: string): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive) throw usage(`${question} without a terminal this needs --yes`);
  const { askConfirm } = await import('../../../frame/terminal/prompt.ts');
  if (!(await askConfirm(context, question))) throw interrupted();
}

const seed = defineCommand({
  description:
    'Creates ten transactions a round: paid, pending, failed in three ways, cash, unfunded, cancelled.',
  flags: { rounds: { value: 'count', summary: '1 if you do not say, at most 100' } },
  shows: [seededView],
  effect: 'write',
  examples: ['remit sandbox seed', 'remit sandbox seed --rounds 5'],
  read(input) {
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

const snapshot = defineCommand({
  description:
    'Saves everything but key and secret, in a file that only you can read (mode 600). A file that exists is not overwritten.',
  args: [{ name: 'FILE', summary: 'the file to write' }],
  shows: [snapshotView],
  effect: 'read',
  examples: ['remit sandbox snapshot before-wages.snap'],
  read: (input) => ({ file: input.args[0] ?? '' }),
  async run(context, { file }) {
    const path = resolve(context.process.cwd, file);
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
  return refuse(
    'usage',
    exists ? 'file_exists' : 'file_not_written',
    exists ? `${path} exists` : `${path} cannot be written: ${error.message}`,
    {
      hint: exists ? 'choose another name, or remove it first' : undefined,
      cause: error,
      outcome: 'not applied',
    },
  );
}

const restore = defineCommand({
  description:
    'The time is restored too, and the present data is lost. A file that is not a snapshot changes nothing. It asks first; without a terminal it needs --yes.',
  args: [{ name: 'FILE', summary: 'a file that `remit sandbox snapshot` wrote' }],
  shows: [stateView],
  effect: 'destructive',
  examples: ['remit sandbox restore before-wages.snap'],
  read: (input) => ({ file: input.args[0] ?? '' }),
  async run(context, { file }) {
    const path = resolve(context.process.cwd, file);
    const bytes = await readFile(path).catch((error: Error) => {
      throw usage(`${path} cannot be read: ${error.message}`);
    });
    await confirmSandbox(context, `Replace everything in this sandbox by ${file}?`);
    return result(stateView, await control(context, 'sandbox.restore', { bytes }));
  },
});

const reset = defineCommand({
  description:
    'Deletes all data and sets the opening balances. Key, secret, settings and time stay; registered webhooks are deleted. It asks first; without a terminal it needs --yes.',
  shows: [stateView],
  effect: 'destructive',
  examples: ['remit sandbox reset', 'remit sandbox reset --yes'],
  read(input) {
    if (input.args.length > 0) throw usage('reset takes no arguments');
    return null;
  },
  async run(context) {
    await confirmSandbox(context, 'Delete all data of this sandbox?');
    return result(stateView, await control(context, 'sandbox.reset'));
  },
});

export const commands = { seed, snapshot, restore, reset };
