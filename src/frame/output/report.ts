/** An error for people, or as JSON, on stderr (docs/rules.md 10). */

import { escapeHostile, escapeLine } from '../../core/escape.ts';
import type { Category, FieldProblem, Problem, ProblemFacts } from '../../core/problem.ts';
import { refusalWords } from '../../core/refusal.ts';
import type { Process } from '../process.ts';
import { wrapLine } from '../terminal/wrap.ts';
import { renderHint, renderUnbroken } from './spell.ts';

export async function reportProblem(
  failure: Problem,
  process: Process,
  how: { json: boolean; debug: boolean },
): Promise<void> {
  const { streams, log } = process;
  if (log) log.event('failed', jsonError(failure).error);
  else if (how.json) {
    const text = JSON.stringify(jsonError(failure));
    streams.err(`${streams.stderrIsTerminal ? escapeHostile(text) : text}\n`);
  } else {
    const { paintFor } = await import('../terminal/paint.ts');
    const width = streams.stderrIsTerminal ? streams.columns : Number.POSITIVE_INFINITY;
    streams.err(problemText(failure, { paint: paintFor(streams.colour.stderr), width }));
  }
  if (how.debug && failure.stack && !log) streams.err(`${stackOf(failure)}\n`);
}

type Painter = Awaited<typeof import('../terminal/paint.ts')>['paintFor'] extends (colour: boolean) => infer P
  ? P
  : never;

interface Look {
  paint: Painter;
  /** The width of the terminal; a pipe has no end of a line. */
  width: number;
}

const LABEL = 'outcome'.length + 1;
/** The indent of the further lines of a sentence, below its beginning. */
const HANGING = 2 + LABEL + 2;

function problemText({ facts }: Problem, { paint, width }: Look): string {
  const message = wrapLine(`remit: ${escapeLine(facts.message)}`, width, 2);
  const lines = [message.replace('remit:', paint.red('remit:'))];
  const fields = facts.fields ?? [];
  const path = Math.max(0, ...fields.map((one) => one.path.length));
  for (const field of fields)
    lines.push(wrapLine(`  ${fieldLine({ ...field, path: field.path.padEnd(path) })}`, width, path + 4));
  const add = (label: string, value: string): void => {
    const text = wrapLine(`  ${label.padEnd(LABEL)}  ${value}`, width, HANGING);
    lines.push(text.replace(label.padEnd(LABEL), paint.dim(label.padEnd(LABEL))));
  };
  if (facts.outcome !== undefined)
    add('outcome', `${facts.outcome}${facts.outcomeNote ? ` (${facts.outcomeNote})` : ''}`);
  if (facts.hint !== undefined) add('next', escapeLine(renderUnbroken(facts.hint)));
  if (facts.requestId !== undefined) add('request', facts.requestId);
  return `${lines.join('\n')}\n`;
}

export function fieldLine({ path, words }: FieldProblem): string {
  return escapeLine(`${path}  ${words.map((word) => refusalWords(word) ?? word).join('; ')}`);
}

function stackOf(failure: Problem): string {
  const cause = failure.cause instanceof Error ? failure.cause : failure;
  return escapeHostile(cause.stack ?? '');
}

/** A problem as scripts read it: one shape on stderr, and as the last line of a stream. */
interface JsonError {
  error: {
    code: string;
    category: Category;
    message: string;
    hint: string | null;
    status: number | null;
    fields: FieldProblem[];
    request_id: string | null;
    retryable: boolean;
    outcome: string | null;
    applied?: ProblemFacts['applied'];
  };
}

function jsonError({ facts }: Problem): JsonError {
  return {
    error: {
      code: facts.code,
      category: facts.category,
      message: facts.message,
      hint: facts.hint === undefined ? null : renderHint(facts.hint),
      status: facts.status ?? null,
      fields: facts.fields ?? [],
      request_id: facts.requestId ?? null,
      retryable: facts.retryable ?? false,
      outcome: facts.outcome ?? null,
      ...(facts.applied === undefined ? {} : { applied: facts.applied }),
    },
  };
}
