/** argv in, exit code out. What a run needs is loaded when it is known what runs: root help and --version load nothing. */

import { withoutEmpty } from '../core/env.ts';
import { type ExitCode, exitCodes, exitOf } from '../frame/exit-codes.ts';
import type { CommandTree } from '../frame/help/described.ts';
import { helpWidth } from '../frame/help/width.ts';
import type { Process } from '../frame/process.ts';
import { colourChoice, wantsColour } from '../frame/terminal/colour.ts';

export async function main(argv: readonly string[], asStarted: Process): Promise<ExitCode> {
  const given = { ...asStarted, env: withoutEmpty(asStarted.env) };
  let process: Process = given;
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.streams.out(`${process.version}\n`);
    return written(exitCodes.ok, process);
  }
  if (argv[0] === '__complete')
    return (await import('./completion/answer.ts')).answerCompletion(argv.slice(1), process);
  applyColour(argv, process);
  try {
    if (printedBuiltHelp(argv, process)) return await written(exitCodes.ok, process);
    const mayLog = argv.some((word) => word.startsWith('--log'));
    const logging = mayLog ? await import('./logged-process.ts') : undefined;
    if (logging?.asksForLog(argv)) process = logging.loggedWorld(given);
    const found = await (await import('./program.ts')).findCommand(argv, process);
    if (found === undefined) return await written(exitCodes.ok, process);
    // The words may have been those of another program.
    if (!logging?.isLogged(found.input)) process = given;
    if (process.log) logging?.logSignals(process, process.log);
    const { runCommand } = await import('./run.ts');
    const code = await runCommand(found, {
      process: { ...process, tree },
      json: await wantsJson(argv, process),
    });
    return stopped(code, process);
  } catch (error) {
    return stopped(await fail(error, argv, process), process);
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

async function fail(error: unknown, argv: readonly string[], process: Process): Promise<ExitCode> {
  const [{ problemOf }, { reportProblem }] = await Promise.all([
    import('../payments/problem-of.ts'),
    import('../frame/output/report.ts'),
  ]);
  const failure = problemOf(error);
  await reportProblem(failure, process, {
    json: await wantsJson(argv, process),
    debug: argv.includes('--debug') || !['', '0', 'false'].includes(process.env.REMIT_DEBUG ?? ''),
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
