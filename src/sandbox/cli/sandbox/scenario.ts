/** Runs a table of steps and expectations in a sandbox of its own; ends with 10 at the first line that does not hold. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Problem, refuse, usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { decodeText, readStdin } from '../../../frame/flags/text-file.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import { scenarioView, stepView } from '../views/sandbox.ts';

type Options = { list: true } | { show: string } | { run: string };

export const command = defineCommand({
  description: `Runs the steps of FILE, or of a scenario that comes with remit, in memory and on
a standing clock. It needs no running sandbox and changes none. One step a line:

  pay a number=0123456719 amount=100 EUR   create and fund; \`a\` is its name
  expect a recipient=error code=416        what must be true now
  edit a number=0123456700
  expect a state=paid recipient=success
  cancel a -> 422                          a call that must be refused

docs/scenarios.md has every verb. Ends with 10 at the first line that does not
hold, with what was expected and what was found.`,
  args: [
    {
      name: 'FILE',
      summary: 'a file, - for stdin, or the name of one that comes with remit',
      optional: true,
    },
  ],
  flags: {
    list: { summary: 'list those that come with remit' },
    show: { value: 'name', summary: 'print one of them, to begin your own with' },
  },
  shows: [scenarioView, stepView],
  exits: [exitCodes.check],
  examples: [
    'remit sandbox scenario --list',
    'remit sandbox scenario answer-lost',
    'remit sandbox scenario --show wrong-account',
    'remit sandbox scenario mine.txt',
  ],
  read(input): Options {
    const show = input.flags.show;
    const [file] = input.args;
    if (input.flags.list) return { list: true };
    if (show !== undefined) return { show };
    if (file === undefined) throw usage('which scenario?', 'remit sandbox scenario --list');
    return { run: file };
  },
  async run(context, options) {
    const { shippedScenarios } = await import('../../scenario/shipped.ts');
    if ('list' in options) {
      const rows = Object.entries(shippedScenarios).map(([name, { title }]) => ({ name, title }));
      return result(scenarioView, rows);
    }
    if ('show' in options) {
      const shipped = Object.hasOwn(shippedScenarios, options.show)
        ? shippedScenarios[options.show]
        : undefined;
      if (!shipped) throw usage(`there is no scenario "${options.show}"`, 'remit sandbox scenario --list');
      context.streams.out(`# ${shipped.title}\n${shipped.text.trimStart()}`);
      return { done: true };
    }
    const shipped = Object.hasOwn(shippedScenarios, options.run) ? shippedScenarios[options.run] : undefined;
    return play(options.run, shipped?.text ?? (await readScenario(context, options.run)));
  },
});

async function readScenario({ process }: Context, file: string): Promise<string> {
  if (file === '-') return readStdin(process);
  const path = resolve(process.cwd, file);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usage(
      error.code === 'ENOENT'
        ? `there is no file ${path}, and no scenario of that name`
        : `${path}: ${error.message}`,
      'remit sandbox scenario --list',
    );
  });
  return decodeText(bytes, file);
}

async function play(name: string, text: string): Promise<Result> {
  const { playScenario } = await import('../../scenario/play.ts');
  const { done, failed } = await playScenario(text);
  if (failed) throw unmet(name, failed);
  const notes = [
    `${calledFor(name)}: ${done.length === 1 ? 'its one step holds' : `all ${done.length} steps hold`}, and the books balance`,
  ];
  return result(
    stepView,
    done.map((step) => ({ ...step, result: 'ok' })),
    { notes },
  );
}

function unmet(
  name: string,
  { line, step, expected, found }: { line: number; step: string; expected: string; found: string },
): Problem {
  return refuse('check', 'expectation_failed', `${calledFor(name)}, line ${line} does not hold: ${step}`, {
    fields: [
      { path: 'expected', words: [expected] },
      { path: 'found', words: [found] },
    ],
  });
}

const calledFor = (name: string): string => (name === '-' ? 'stdin' : name);
