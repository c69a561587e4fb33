/** argv in, exit code out. The one place that turns a result into output and an error into words. */
import type { Command, Input, Result } from './command.ts';
import { createContext } from './context.ts';
import { asFailure } from './errors.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { type Failure, usage } from './failure.ts';
import { type Globals, readGlobals } from './globals.ts';
import { buildProgram, CommanderError, equip, findWords } from './program.ts';
import { reportFailure } from './report.ts';
import type { Leaf } from './tree.ts';
import type { World } from './world.ts';

export async function main(argv: readonly string[], world: World): Promise<ExitCode> {
  const { leaf, path, rest } = findWords(argv);
  const asJson = wantsJson(argv, world);
  try {
    if (leaf === undefined) return await helpOrUnknown(path, rest, world);
    return await runLeaf(leaf, rest, world);
  } catch (error) {
    const failure = asFailure(error);
    await reportFailure(failure, world, {
      json: asJson,
      debug: argv.includes('--debug') || Boolean(world.env.REMIT_DEBUG),
    });
    return failure.exitCode;
  }
}

/** Before anything is parsed: an error in the flags is told in the format that was asked for too. */
function wantsJson(argv: readonly string[], { env }: World): boolean {
  const given = argv.findIndex((token) => token === '-o' || token === '--output');
  const joined = argv.find((token) => /^(?:--output=|-o=?)(?:json|ndjson)$/.test(token));
  const value = given >= 0 ? argv[given + 1] : joined ? 'json' : env.REMIT_OUTPUT;
  return value === 'json' || value === 'ndjson';
}

async function helpOrUnknown(path: string[], rest: string[], world: World): Promise<ExitCode> {
  const program = buildProgram(world.streams, world.version);
  const asksHelp = rest.length === 0 || rest.some((token) => token === '--help' || token === '-h');
  try {
    await program.parseAsync([...path, ...(rest.length === 0 ? ['--help'] : rest)], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return path.length > 0 && !asksHelp ? exitCodes.usage : exitCodes.ok;
    throw fromCommander(error);
  }
  return exitCodes.ok;
}

function fromCommander(error: CommanderError): Failure {
  const message = error.message.replace(/^error: /, '').trim();
  return usage(
    message.replace(/\s*\(Did you mean (?:one of )?(.+?)\?\)$/s, ''),
    suggestion(message) ?? 'remit --help lists the commands',
  );
}

function suggestion(message: string): string | undefined {
  const found = /\(Did you mean (?:one of )?(.+?)\?\)/s.exec(message)?.[1];
  return found === undefined ? undefined : `did you mean ${found}?`;
}

async function runLeaf(leaf: Leaf, rest: string[], world: World): Promise<ExitCode> {
  const command = await leaf.load();
  const input = parseLeaf(leaf, command, rest, world);
  if (input === 'help') return exitCodes.ok;
  const globals = readGlobals(input, world.env);
  const options = command.read(input);
  const context = createContext(world, globals, leaf.words);
  try {
    const outcome = await command.run(context, options);
    return await show(outcome, globals, world, context.mask);
  } finally {
    await context.close();
  }
}

function parseLeaf(leaf: Leaf, command: Command<never>, rest: string[], world: World): Input | 'help' {
  const program = buildProgram(world.streams, world.version);
  const target = equip(program, leaf, command);
  let input: Input = { args: [], flags: {} };
  target.action(() => {
    input = { args: target.args, flags: target.opts() };
  });
  try {
    program.parse([...leaf.words.split(' '), ...rest], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 'help';
    const failure = fromCommander(error);
    throw usage(
      failure.facts.message,
      suggestion(error.message) ?? `remit ${leaf.words} --help shows what it takes`,
    );
  }
  return input;
}

async function show(
  outcome: Result,
  globals: Globals,
  world: World,
  mask: 'none' | 'accounts' | 'all',
): Promise<ExitCode> {
  if ('done' in outcome) return outcome.exit ?? exitCodes.ok;
  const { streams } = world;
  const [{ render }, { maskData }, { paintFor }] = await Promise.all([
    import('./terminal/formats.ts'),
    import('./terminal/mask.ts'),
    import('./terminal/paint.ts'),
  ]);
  const { text, dropped } = await render(outcome.view, maskData(outcome.data, mask), {
    format: globals.output ?? (streams.stdoutIsTerminal ? 'table' : 'text'),
    columns: streams.columns,
    paint: paintFor(streams.colour.stdout),
    isTerminal: streams.stdoutIsTerminal,
    fields: globals.fields,
    query: globals.query,
  });
  streams.out(text);
  if (dropped.length > 0)
    streams.err(`(${dropped.join(', ')} left out for want of room: a wider terminal, or --fields)\n`);
  for (const note of outcome.notes ?? []) streams.err(`${note}\n`);
  return outcome.exit ?? exitCodes.ok;
}
