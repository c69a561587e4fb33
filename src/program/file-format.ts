/** Refuses an output format that is a file where no file can be made, before anything is done. */
import { usage } from '../core/problem.ts';
import type { Globals } from '../frame/flags/globals.ts';
import type { Process } from '../frame/process.ts';
import type { FoundCommand } from './program.ts';

/** @throws Problem (usage) */
export function checkFile(
  { output, query }: Globals,
  { leaf, command, process }: Pick<FoundCommand, 'leaf' | 'command'> & { process: Process },
): void {
  if (!command.isTabular)
    throw usage(
      `remit ${leaf.words} prints no rows that -o ${output} could hold`,
      `leave -o ${output} out, or take -o json`,
    );
  if (query !== undefined)
    throw usage(
      `--query finds anything, and -o ${output} wants columns`,
      '--fields chooses columns; --query goes with -o json or csv',
    );
  if (process.streams.stdoutIsTerminal)
    throw usage(
      `-o ${output} is a file for a spreadsheet, and no terminal shows it`,
      `write it to a file: remit ${leaf.words} … -o ${output} > ${leaf.words.replaceAll(' ', '-')}.${output}`,
    );
}
