/**
 * `remit __complete -- WORDS...`, asked by the scripts in `completions/`: what may stand at the last word, which is under the cursor. With
 * `--blank` before the `--` an empty word follows the others. Each line is a value, and behind a tab what it is. The shell compares values with what is
 * typed, by its own rules. A line that begins with a colon tells the script something:
 *
 *     :before TEXT   the word begins with TEXT, and the values follow it: first of all lines
 *     :files         paths may stand here, which the shell knows
 *     :programs      programs may
 *     :nospace       no blank comes behind the value: last of all lines
 *
 * Whatever goes wrong says nothing: a key was pressed, no more.
 */
import { byWord } from '../../core/by-word.ts';
import type { Choice, CompletionIndex } from '../../frame/completion/completion-index.ts';
import { type CompletionPlace, placeIn } from '../../frame/completion/place.ts';
import { type ExitCode, exitCodes } from '../../frame/exit-codes.ts';
import type { Process } from '../../frame/process.ts';

/** The kinds of words that the shell itself completes. */
const DIRECTIVES: Readonly<Record<string, string>> = byWord({ file: ':files', program: ':programs' });

export async function answerCompletion(argv: readonly string[], process: Process): Promise<ExitCode> {
  const line = lineIn(argv);
  if (line === undefined) return exitCodes.ok;
  const index = process.completionIndex?.() ?? (await builtNow());
  const place = placeIn(line, index);
  const lines = await linesAt(place, { index, env: process.env });
  process.streams.out(lines.map((one) => `${one}\n`).join(''));
  return exitCodes.ok;
}

function lineIn([first, ...rest]: readonly string[]): readonly string[] | undefined {
  if (first === '--') return rest;
  return first === '--blank' && rest[0] === '--' ? [...rest.slice(1), ''] : undefined;
}

/** Where the build wrote none, as in a test. */
async function builtNow(): Promise<CompletionIndex> {
  return (await import('./build-index.ts')).buildCompletionIndex();
}

async function linesAt(
  place: CompletionPlace,
  at: { index: CompletionIndex; env: Process['env'] },
): Promise<string[]> {
  const parts = place.source.split(' ');
  const choices = place.source === '' ? place.rows : await choicesOf(parts, place, at);
  const offered = choices.filter(([value]) => value.startsWith(place.want));
  const goesOn = offered.length > 0 && offered.every(([value]) => /[=.]$/.test(value));
  return [
    ...(place.before === '' ? [] : [`:before ${place.before}`]),
    ...choices.map(textOf),
    ...parts.flatMap((part) => DIRECTIVES[part] ?? []),
    ...(goesOn ? [':nospace'] : []),
  ];
}

async function choicesOf(
  parts: readonly string[],
  { source, want, profile }: CompletionPlace,
  { index, env }: { index: CompletionIndex; env: Process['env'] },
): Promise<readonly Choice[]> {
  if (source.startsWith('=')) return parts.map((part): Choice => [part.replace(/^=/, ''), '']);
  const found = parts.map((part): readonly Choice[] | Promise<readonly Choice[]> => {
    if (part.startsWith('+')) return index.lists[part.slice(1)] ?? [];
    return part.startsWith('@') ? seen(part.slice(1), { prefix: want, profile, env }) : [];
  });
  return (await Promise.all(found)).flat();
}

/** Loaded for those who ask for ids: the settings' schema is half of what that takes. */
async function seen(kind: string, asked: { prefix: string; profile: string; env: Process['env'] }) {
  try {
    return await (await import('./seen.ts')).seenChoices({ kind, ...asked });
  } catch {
    // The shell shows its prompt again: no user is waiting.
    return [];
  }
}

const textOf = ([value, about]: Choice): string => (about === '' ? value : `${value}\t${about}`);
