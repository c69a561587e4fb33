/** argv in, exit code out. What a run needs is loaded when it is known what runs: root help and --version load nothing. */

import { withoutEmpty } from '../core/env.ts';
import { type ExitCode, exitCodes, exitOf } from '../frame/exit-codes.ts';
import type { CommandTree } from '../frame/help/described.ts';
import { helpWidth } from '../frame/help/width.ts';
import { colourChoice, wantsColour } from '../frame/terminal/colour.ts';
import type { Process } from '../frame/world.ts';

export async function main(argv: readonly string[], asStarted: Process): Promise<ExitCode> {
  const given = { ...asStarted, env: withoutEmpty(asStarted.env) };
  let world: Process = given;
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    world.streams.out(`${world.version}\n`);
    return written(exitCodes.ok, world);
  }
  if (argv[0] === '__complete')
    return (await import('./completion/answer.ts')).answerCompletion(argv.slice(1), world);
  applyColour(argv, world);
  try {
    if (printedBuiltHelp(argv, world)) return await written(exitCodes.ok, world);
    const mayLog = argv.some((word) => word.startsWith('--log'));
    const logging = mayLog ? await import('./logged-world.ts') : undefined;
    if (logging?.asksForLog(argv)) world = logging.loggedWorld(given);
    const found = await (await import('./program.ts')).findCommand(argv, world);
    if (found === undefined) return await written(exitCodes.ok, world);
    // The words may have been those of another program.
    if (!logging?.isLogged(found.input)) world = given;
    if (world.log) logging?.attend(world, world.log);
    const { runCommand } = await import('./run.ts');
    const code = await runCommand(found, { world: { ...world, tree }, json: await wantsJson(argv, world) });
    return stopped(code, world);
  } catch (error) {
    return stopped(await fail(error, argv, world), world);
  }
}

function stopped(code: ExitCode, { log }: Process): ExitCode {
  log?.event('stopped', { exit_code: code });
  return code;
}

const tree: CommandTree = {
  names: async () => (await import('./tree.ts')).children('').map(([name]) => name),
  describe: async () => (await import('./help/describe.ts')).describeCommands(),
  shapes: async () => (await import('./help/describe.ts')).describeShapes(),
};

/** Root help as the build wrote it down; where it did not, as in a test, commander makes it. */
function printedBuiltHelp([word, ...more]: readonly string[], { rootHelp, streams }: Process): boolean {
  if (more.length > 0 || !['--help', '-h', 'help', undefined].includes(word)) return false;
  const page = rootHelp?.()?.[helpWidth(streams.columns)];
  if (page === undefined) return false;
  streams.out(streams.colour.stdout ? page : page.replace(/\u001b\[\d+m/g, ''));
  return true;
}

/**
 * Returns the exit code of a command that sends nothing: a page that could not be written is a failure, and
 * no more.
 */
async function written(code: ExitCode, { streams }: Process): Promise<ExitCode> {
  const lost = await streams.lost();
  if (lost === undefined) return code;
  streams.err(`remit: it could not be written: ${lost.message}\n`);
  return code === exitCodes.ok ? exitCodes.failed : code;
}

function applyColour(argv: readonly string[], { env, streams }: Process): void {
  const choice = colourChoice(argv, env);
  if (choice === 'auto') return;
  streams.colour = {
    stdout: wantsColour(env, streams.stdoutIsTerminal, choice),
    stderr: wantsColour(env, streams.stderrIsTerminal, choice),
  };
}

async function fail(error: unknown, argv: readonly string[], world: Process): Promise<ExitCode> {
  const [{ problemOf }, { reportProblem }] = await Promise.all([
    import('../payments/problem-of.ts'),
    import('../frame/output/report.ts'),
  ]);
  const failure = problemOf(error);
  await reportProblem(failure, world, {
    json: await wantsJson(argv, world),
    debug: argv.includes('--debug') || !['', '0', 'false'].includes(world.env.REMIT_DEBUG ?? ''),
  });
  return exitOf(failure);
}

/** Before anything is parsed: an error in the flags is told in the format that was asked for too. */
async function wantsJson(argv: readonly string[], { env }: Process): Promise<boolean> {
  const given = argv.findIndex((token) => token === '-o' || token === '--output');
  const joined = argv
    .map((token) => /^(?:--output=|-o=?)(.+)$/.exec(token)?.[1])
    .find((one) => one !== undefined);
  const value = given >= 0 ? argv[given + 1] : (joined ?? env.REMIT_OUTPUT);
  if (!value) return false;
  return (await import('../frame/terminal/format.ts')).formatInfo(value).isJson === true;
}
