/** Help, and what to say to words that are no command. */
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { buildProgram, CommanderError, fromCommander } from './program.ts';
import type { World } from './world.ts';

export async function helpOrUnknown(path: string[], rest: string[], world: World): Promise<ExitCode> {
  const program = buildProgram(world.streams, world.version, path);
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
