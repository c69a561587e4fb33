/** As much of a shell as examples and the README use: quotes, $NAME, comments, lines that go on, `<`, `>`, `|` and `&&`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from './cli.ts';

export interface Step {
  argv: string[];
  /** A file that is its input. */
  from?: string;
  /** A file that takes its output. */
  to?: string;
  /** What stands before it: with `|` it reads what the one before printed. */
  after: '' | '|' | '&&';
}

type Token = { word: string } | { mark: string };

/** One line of a shell. @throws where it has what this does not know, or a variable without a value */
export function parseLine(line: string, variables: Readonly<Record<string, string>> = {}): Step[] {
  const value = (name: string): string => {
    if (variables[name] === undefined) throw new Error(`${line}: $${name} has no value`);
    return variables[name];
  };
  const steps: Step[] = [{ argv: [], after: '' }];
  const given = tokensOf(line, value);
  for (let at = 0; at < given.length; at++) {
    const token = given[at] as Token;
    const step = steps.at(-1) as Step;
    if ('word' in token) step.argv.push(token.word);
    else if (token.mark === '|' || token.mark === '&&') steps.push({ argv: [], after: token.mark });
    else {
      const file = given[++at];
      if (file === undefined || !('word' in file)) throw new Error(`${line}: nothing after ${token.mark}`);
      step[token.mark === '<' ? 'from' : 'to'] = file.word;
    }
  }
  return steps.filter(({ argv }) => argv.length > 0);
}

function tokensOf(line: string, value: (name: string) => string): Token[] {
  const found: Token[] = [];
  const pattern = /\s+|(?<!\S)#.*$|(&&|[|<>])|((?:'[^']*'|"[^"]*"|\\.|[^\s'"|<>&;\\])+)|(.)/g;
  for (const [text, mark, word, stray] of line.matchAll(pattern)) {
    if (stray !== undefined) throw new Error(`${line}: "${text}" is not understood`);
    if (mark !== undefined) found.push({ mark });
    if (word !== undefined) found.push({ word: unquoted(word, value) });
  }
  return found;
}

const unquoted = (word: string, value: (name: string) => string): string =>
  word.replace(
    /'([^']*)'|\\(.)|\$(\w+)|"([^"]*)"/g,
    (_, single?: string, escaped?: string, name?: string, double?: string) =>
      double?.replace(/\$(\w+)/g, (__, inside: string) => value(inside)) ??
      single ??
      escaped ??
      value(name ?? ''),
  );

/** The lines of a block of shell, those that go on joined, comments off. */
export const linesOf = (block: string): string[] =>
  block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => /^\s*[^\s#]/.test(line));

type RunStep = (argv: string[], options: { stdin?: string }) => Promise<Run>;

/** Runs what is remit's own on the line, and leaves out other programs. Undefined where nothing is. */
export async function runLine(steps: readonly Step[], dir: string, run: RunStep): Promise<Run | undefined> {
  let last: Run | undefined;
  for (const { argv, from, to, after } of steps) {
    const [program, ...rest] = argv;
    if (after === '&&' && last?.code !== 0) break;
    if (program !== 'remit') continue;
    const stdin =
      from === undefined ? (after === '|' ? last?.stdout : undefined) : readFileSync(join(dir, from), 'utf8');
    last = await run(rest, stdin === undefined ? {} : { stdin });
    if (to !== undefined) writeFileSync(join(dir, to), last.stdout);
  }
  return last;
}
