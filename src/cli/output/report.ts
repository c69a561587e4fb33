/** An error for people, or as JSON, on stderr (docs/rules.md 10). */
import type { FieldProblem, Problem } from '../../core/problem.ts';
import { escapeHostile, escapeLine } from '../../desk/words/escape.ts';
import type { World } from '../world.ts';
import { jsonError } from './json-error.ts';
import { spelt } from './spell.ts';

export async function reportProblem(
  failure: Problem,
  world: World,
  how: { json: boolean; debug: boolean },
): Promise<void> {
  const { streams } = world;
  if (how.json) {
    const text = JSON.stringify(jsonError(failure));
    streams.err(`${streams.stderrIsTerminal ? escapeHostile(text) : text}\n`);
  } else {
    const { paintFor } = await import('../terminal/paint.ts');
    streams.err(problemText(failure, paintFor(streams.colour.stderr)));
  }
  if (how.debug && failure.stack) streams.err(`${stackOf(failure)}\n`);
}

type Painter = Awaited<typeof import('../terminal/paint.ts')>['paintFor'] extends (colour: boolean) => infer P
  ? P
  : never;

function problemText({ facts }: Problem, paint: Painter): string {
  const lines = [`${paint.red('remit:')} ${escapeLine(facts.message)}`];
  const width = Math.max(0, ...(facts.fields ?? []).map(({ path }) => path.length));
  for (const { path, words } of facts.fields ?? [])
    lines.push(`  ${fieldLine({ path: path.padEnd(width), words })}`);
  if (facts.outcome !== undefined) {
    lines.push(
      line('outcome', `${facts.outcome}${facts.outcomeNote ? ` (${facts.outcomeNote})` : ''}`, paint),
    );
  }
  if (facts.hint !== undefined) lines.push(line('next', escapeLine(spelt(facts.hint)), paint));
  if (facts.requestId !== undefined) lines.push(line('request', facts.requestId, paint));
  return `${lines.join('\n')}\n`;
}

const line = (label: string, value: string, paint: Painter): string =>
  `  ${paint.dim(label.padEnd(8))}  ${value}`;

const WORDS: Record<string, string> = {
  blank: 'is missing',
  invalid: 'is not valid',
  taken: 'is taken already',
  insufficient_balance: 'is more than the balance holds',
};

export function fieldLine({ path, words }: FieldProblem): string {
  return escapeLine(`${path}  ${words.map((word) => WORDS[word] ?? word).join('; ')}`);
}

function stackOf(failure: Problem): string {
  const cause = failure.cause instanceof Error ? failure.cause : failure;
  return escapeHostile(cause.stack ?? '');
}
