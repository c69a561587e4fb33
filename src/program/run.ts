/** One command, from argv to its output. The one place that turns a result into text. */
import type { Effect } from '../core/effect.ts';
import { type ExitCode, exitCodes } from '../frame/exit-codes.ts';
import { type GlobalInput, type ProfileDefaults, readGlobals } from '../frame/flags/globals.ts';
import type { Process } from '../frame/process.ts';
import { encodingOf, formatInfo } from '../frame/terminal/format.ts';
import type { Context } from '../payments/cli/context.ts';
import type { Output, Result } from '../payments/cli/result.ts';
import { createContext } from './open-context.ts';
import type { Found } from './program.ts';

export async function runCommand(
  { leaf, command, input }: Found,
  { process, json }: { process: Process; json: boolean },
): Promise<ExitCode> {
  const globals = readGlobals(input, process.env, await profileDefaults(input, process.env));
  if (globals.quiet) process.log?.hush();
  const options = command.read(input);
  if (formatInfo(globals.output).isFile)
    (await import('./file-format.ts')).checkFile(globals, { leaf, command, process });
  if (globals.query !== undefined) {
    const { checkQuery } = await import('../frame/terminal/check-query.ts');
    await checkQuery(globals.query);
  }
  if (process.streams.stderrIsTerminal) await (await import('../frame/terminal/width.ts')).loadWidths();
  const context = createContext(process, globals, leaf.words);
  const { effect = 'read' } = command;
  context.may = effect;
  try {
    let outcome = await command.run(context, options);
    let exit = await show(outcome, context, effectOf(outcome, effect));
    for (let goOn = goOnOf(outcome); goOn !== undefined; goOn = goOnOf(outcome)) {
      // The work that one goes on to is another command's, and is printed as that.
      context.may = 'money';
      outcome = await goOn();
      exit = await show(outcome, context, effectOf(outcome, 'money'));
    }
    return await told(context, exit, { json, made: madeBy(outcome, command.effect) });
  } catch (error) {
    if (context.wasAsked) await (await import('../frame/terminal/asking.ts')).dropTypedAhead(context.streams);
    throw error;
  } finally {
    await context.close();
  }
}

/** Returns the effect of a command. A result that one can go on from was only read. */
const effectOf = (outcome: Result, effect: Effect = 'read'): Effect => ('goOn' in outcome ? 'read' : effect);

const goOnOf = (outcome: Result) => ('done' in outcome ? undefined : outcome.goOn);

/**
 * Tells the result. A write that was applied is over once its result was written out; a result that could not
 * be written is reported on the other stream.
 */
async function told(
  context: Context,
  exit: ExitCode,
  { json, made }: { json: boolean; made: string | undefined },
): Promise<ExitCode> {
  const { streams } = context.process;
  const isWritten = await streams.written();
  if (isWritten && context.toTell.length === 0) return exit;
  const [{ tellJournal }, { reportLoss }] = await Promise.all([
    import('../payments/cli/telling.ts'),
    import('./telling.ts'),
  ]);
  const lost = await streams.lost();
  if (lost !== undefined) return reportLoss(context, lost, { exit, json, made });
  if (isWritten) await tellJournal(context);
  return exit;
}

/** The id of what was written where no intent is kept of it. */
function madeBy(outcome: Result, effect: Effect | undefined): string | undefined {
  if ('done' in outcome || (effect !== 'write' && effect !== 'destructive')) return undefined;
  const { id } = (outcome.data ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** A settings file that cannot be read is reported by the command that needs it, and by no other. */
async function profileDefaults({ flags }: GlobalInput, env: Process['env']): Promise<ProfileDefaults> {
  // It says nothing but the format so far: where that is given, the settings are not read for it.
  if (flags.output !== undefined || env.REMIT_OUTPUT) return {};
  try {
    const { chosenProfile } = await import('../profiles/connection.ts');
    return chosenProfile(env, flags.profile) ?? {};
  } catch {
    return {};
  }
}

async function show(outcome: Result, context: Context, effect: Effect): Promise<ExitCode> {
  if ('done' in outcome) return outcome.exit ?? exitCodes.ok;
  const { streams } = context.process;
  const { text, below } = await drawn(outcome, context, effect);
  streams.out(text, encodingOf(context.globals));
  context.noteMasked(text);
  for (const note of below) context.note(note);
  if (context.globals.quiet) return outcome.exit ?? exitCodes.ok;
  for (const note of outcome.notes ?? []) context.say(note);
  return outcome.exit ?? exitCodes.ok;
}

/**
 * Draws the result of a command. The outcome of a write must not be lost, or called not done, because --query
 * or --fields do not suit it: it stays whole (decision 0011).
 */
async function drawn(
  outcome: Output,
  { process, globals, masked, say, noteMasked }: Context,
  effect: Effect,
) {
  const [{ render }, { renderingFor }] = await Promise.all([
    import('../frame/terminal/formats.ts'),
    import('../frame/terminal/rendering.ts'),
  ]);
  const data = masked(outcome.data);
  const rendering = { ...renderingFor(process, globals), totals: outcome.totals, hear: noteMasked };
  const shown = async (why: string) => {
    say(`remit: the whole result is shown: ${why}`);
    return render(outcome.view, data, { ...rendering, query: undefined, fields: undefined }, outcome);
  };
  try {
    const found = await render(outcome.view, data, rendering, outcome);
    const isNothing = rendering.query !== undefined && NOTHING.test(found.text);
    return effect !== 'read' && isNothing ? await shown('--query finds nothing in it') : found;
  } catch (error) {
    if (effect === 'read') throw error;
    return shown((error as Error).message);
  }
}

/** How each format shows null, an empty list or text, and an object without members. */
const NOTHING = /^\ufeff?\s*(?:(?:null|\[\s*\]|\{\s*\}|""|'')\s*)?$/;
