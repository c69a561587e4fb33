/** One command, from argv to its output. The one place that turns a result into text. */
import type { Command, Input, Result } from './command.ts';
import { createContext } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { usage } from './failure.ts';
import { type Globals, type ProfileDefaults, readGlobals } from './globals.ts';
import { buildProgram, CommanderError, equip, fromCommander } from './program.ts';
import type { Leaf } from './tree.ts';
import type { World } from './world.ts';

export async function runLeaf(leaf: Leaf, rest: string[], world: World): Promise<ExitCode> {
  const command = await leaf.load();
  const input = parseLeaf(leaf, command, rest, world);
  if (input === 'help') return exitCodes.ok;
  const globals = readGlobals(input, world.env, await profileDefaults(input, world.env));
  const options = command.read(input);
  const context = createContext(world, globals, leaf.words);
  try {
    const outcome = await command.run(context, options);
    return await show(outcome, globals, world, context.mask);
  } finally {
    await context.close();
  }
}

/** A settings file that cannot be read is told by whoever needs it, not by a command that does not. */
async function profileDefaults({ flags }: Input, env: World['env']): Promise<ProfileDefaults> {
  try {
    const { chosenProfile } = await import('./config/connection.ts');
    return chosenProfile(env, typeof flags.profile === 'string' ? flags.profile : undefined) ?? {};
  } catch {
    return {};
  }
}

function parseLeaf(leaf: Leaf, command: Command<never>, rest: string[], world: World): Input | 'help' {
  const program = buildProgram(world.streams, world.version, leaf.words.split(' '));
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
    throw fromCommander(error, `remit ${leaf.words} --help shows what it takes`);
  }
  for (const [index, { name, optional }] of (command.args ?? []).entries()) {
    if (!optional && (input.args[index] ?? '').trim() === '') throw usage(`${name} cannot be empty`);
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
  const [{ render }, { escapeHostile }, { maskData }, { paintFor }] = await Promise.all([
    import('./terminal/formats.ts'),
    import('./terminal/escape.ts'),
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
  if (globals.quiet) return outcome.exit ?? exitCodes.ok;
  if (dropped.length > 0)
    streams.err(`(${dropped.join(', ')} left out for want of room: a wider terminal, or --fields)\n`);
  for (const note of outcome.notes ?? []) streams.err(`${escapeHostile(note)}\n`);
  return outcome.exit ?? exitCodes.ok;
}
