/** Help, and what to say to words that are no command. The tree is enough for it: no command and no package is loaded. */
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { splitFlags } from '../words.ts';
import type { World } from '../world.ts';
import { layOut, type Page } from './layout.ts';
import { overview } from './overview.ts';

export async function helpOrUnknown(path: string[], rest: string[], world: World): Promise<ExitCode> {
  const { words, unknown, flags } = splitFlags(rest);
  if (unknown !== undefined) throw (await import('./unknown.ts')).misplacedFlag(path, unknown);
  if (words.length > 0) throw (await import('./unknown.ts')).unknownCommand(path, words);
  if (flags.has('--version') || flags.has('-V')) world.streams.out(`${world.version}\n`);
  else printHelp(overview(path.join(' ')), world);
  return exitCodes.ok;
}

export function printHelp(page: Page, { streams }: World): void {
  streams.out(layOut(page, { columns: streams.columns, bold: streams.colour.stdout }));
}
