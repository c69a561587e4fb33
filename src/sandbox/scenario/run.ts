/** Runs a scenario from its first line to its last, or to the first line that does not hold. */
import { InvariantError } from '../../core/invariants.ts';
import { parseScenario, type ScenarioStep } from './parse.ts';
import { type Reply, type Stage, Unmet } from './stage.ts';
import { type Verb, verbs } from './steps.ts';

export interface PlayedStep {
  line: number;
  step: string;
}

/** A line that does not hold. */
export interface FailedStep extends PlayedStep {
  expected: string;
  found: string;
}

export interface ScenarioOutcome {
  done: PlayedStep[];
  failed: FailedStep | null;
}

/** `more` are verbs of a stage that can do more than others. */
export async function runScenario(
  stage: Stage,
  text: string,
  { onDone, more = {} }: { onDone?: (done: PlayedStep) => void; more?: Readonly<Record<string, Verb>> } = {},
): Promise<ScenarioOutcome> {
  const done: PlayedStep[] = [];
  const known = { ...verbs, ...more };
  for (const step of parseScenario(text)) {
    const failed = await runStep(stage, step, known);
    const told = { line: step.line, step: step.text };
    if (failed) return { done, failed: { ...told, ...failed } };
    done.push(told);
    onDone?.(told);
  }
  return { done, failed: null };
}

async function runStep(
  stage: Stage,
  step: ScenarioStep,
  known: Readonly<Record<string, Verb>>,
): Promise<Pick<FailedStep, 'expected' | 'found'> | null> {
  const verb = Object.hasOwn(known, step.verb) ? known[step.verb] : undefined;
  if (!verb) return { expected: `one of ${Object.keys(known).join(', ')}`, found: step.verb };
  try {
    const reply = (await verb(stage, step)) as Reply | undefined;
    if (reply) {
      stage.known.last = reply;
      if (step.refusal) expectRefusal(reply, step.refusal);
      else if (reply.status >= 300) throw new Unmet('success', answered(reply));
    } else if (step.refusal) throw new Unmet('a call to be refused', `${step.verb}, which is none`);
    return null;
  } catch (error) {
    if (error instanceof Unmet) return { expected: error.expected, found: error.found };
    if (error instanceof InvariantError) throw error;
    return asLost(error, step);
  }
}

/** A connection that broke is an outcome too: `-> lost`. */
function asLost(error: unknown, { refusal }: ScenarioStep): Pick<FailedStep, 'expected' | 'found'> | null {
  if (refusal?.status === 'lost') return null;
  const found = error instanceof Error ? error.message : String(error);
  return { expected: refusal ? refusal.status : 'success', found: `no answer: ${found}` };
}

function expectRefusal(reply: Reply, { status, words }: NonNullable<ScenarioStep['refusal']>): void {
  if (String(reply.status) !== status) {
    throw new Unmet(`status ${status}`, `status ${answered(reply)}`);
  }
  const object = Array.isArray(reply.body.object) ? reply.body.object.at(-1) : reply.body.object;
  for (const [field, word] of words) {
    const found: string[] = (object?.errors?.[field] ?? []).map((entry: { error: string }) => entry.error);
    const fits = found.some((each) => each === word || (field.endsWith('base') && each.includes(word)));
    if (!fits) throw new Unmet(`${field}=${word}`, `${field}=${found.join(',') || 'nothing'}`);
  }
}

/** The status, and what was wrong: `422 recipients.0.requested_amount=invalid`; all of it where nothing is told. */
function answered({ status, body, text }: Reply): string {
  const object = Array.isArray(body.object) ? body.object.at(-1) : body.object;
  const errors = Object.entries((object?.errors ?? {}) as Record<string, unknown>);
  const words = errors.map(([field, entries]) => `${field}=${wordsOf(entries)}`);
  return `${status} ${words.length > 0 ? words.join(' ') : text.slice(0, 300)}`;
}

function wordsOf(entries: unknown): string {
  if (!Array.isArray(entries)) return JSON.stringify(entries);
  return entries.map((entry) => entry.error ?? JSON.stringify(entry)).join(',');
}
