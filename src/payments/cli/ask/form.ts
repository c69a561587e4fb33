/**
 * A form is a row of questions at the terminal. Esc goes back one question; answers stand until they are changed. Before anything is sent all
 * answers are shown, and one of them can be changed. What the service refuses is asked again, and nothing else.
 */

import { ApiError } from '../../../client/errors.ts';
import { escapeLine } from '../../../core/escape.ts';
import { type FieldProblem, interrupted, Problem } from '../../../core/problem.ts';
import { fieldLine } from '../../../frame/output/report.ts';
import type { Confirmer } from '../../gate.ts';
import type { Context } from '../context.ts';

/** The fields that the service refused, by the names that the questions have. */
interface Refused {
  fields: readonly FieldProblem[];
  /** The resource as the service repeats it. */
  resource: unknown;
}

/** Undefined where it is no refusal of answers, or where it may have been applied. */
function refusedIn(error: unknown): Refused | undefined {
  if (
    error instanceof Problem &&
    (error.facts.category !== 'validation' || error.facts.outcome === 'applied')
  )
    return undefined;
  const answer = causeOf(error);
  if (answer === undefined || answer.kind !== 'validation') return undefined;
  const said = error instanceof Problem ? error.facts.fields : undefined;
  const fields = said && said.length > 0 ? said : answer.details.fields;
  return {
    fields: merged(fields.map((one) => ({ ...one, path: asked(one.path) }))),
    resource: answer.details.resource,
  };
}

function causeOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : undefined;
}

/** `recipients.0.payout_method.bank_code` is asked as `recipients.0.payout_method.details.bank_code`. */
function asked(path: string): string {
  if (/^sender(?:\.|$)/.test(path)) return 'sender';
  if (path === 'input_amount') return 'recipients.0.requested_amount';
  return path
    .replace(/^(recipients|payin_methods)\.(?!\d)/, '$1.0.')
    .replace(/^((?:recipients\.\d+\.)?payout_method)\.(?!details\.|type$)/, '$1.details.')
    .replace(/^(payin_methods\.\d+)\.(?!in_details\.|type$|ux_flow$)/, '$1.in_details.');
}

function merged(fields: readonly FieldProblem[]): FieldProblem[] {
  const byPath = new Map<string, FieldProblem>();
  for (const { path, words } of fields)
    byPath.set(path, { path, words: [...new Set([...(byPath.get(path)?.words ?? []), ...words])] });
  return [...byPath.values()];
}

export interface Question {
  /** Where the answer goes in the request: `recipients.0.requested_amount`. */
  path: string;
  label: string;
  /** The value that the answer depends on: where that changes, the question is asked again. */
  dependsOn?: string | undefined;
  /** Asked without being asked for; the others are there to be changed, or asked again. */
  isOpen: boolean;
  /** The answer as the review shows it; undefined where there is none. */
  shown: string | undefined;
  /** @throws GoBack */
  ask(how: AskedForm): Promise<string>;
  /** Puts the answer into the request; an empty one leaves it out. */
  take(answer: string): void;
}

export interface AskedForm {
  /** It was refused as it stands. */
  wasRefused: boolean;
  /** There is a question before it. */
  back: boolean;
}

export interface Form {
  /** The questions for the answers so far. */
  questions(): Promise<readonly Question[]>;
  /** Learns from a refusal what the fields are like. */
  learn?(refusal: Refused): void;
  /** The gate shows what changes, so the answers are not listed a second time. */
  isShownByGate?: boolean;
}

/**
 * Asks what is open, then sends. `send` gets the approver: after questions, a look at all answers. It is called again
 * after a change of mind, and after a refusal that could be asked about: a refusal applied nothing, so each call is a write of its own.
 */
export async function throughForm<T>(
  context: Context,
  form: Form,
  send: (confirmer: Confirmer, wasAsked: () => boolean) => Promise<T>,
): Promise<T> {
  if (!context.interactive) return send(context.confirmer, () => false);
  const asker = new Asker(context, form);
  for (;;) {
    await asker.fill();
    try {
      return await send(asker.approver(), () => asker.wasAsked);
    } catch (error) {
      if (error instanceof ChangedMind) continue;
      const refused = refusedIn(error);
      if (refused === undefined || !(await asker.again(refused))) throw error;
    }
  }
}

class ChangedMind extends Error {
  override readonly name = 'ChangedMind';
}

class Asker {
  readonly #context: Context;
  readonly #form: Form;
  /** Follows the order in which they were answered. */
  #answered: string[] = [];
  wasAsked = false;
  constructor(context: Context, form: Form) {
    this.#context = context;
    this.#form = form;
  }

  /** Asks what is open. `refused` are asked again first, as far as they are left. */
  async fill(refused = new Set<string>()): Promise<void> {
    const { GoBack } = await import('../../../frame/terminal/asking.ts');
    const begun = this.#answered.length;
    for (;;) {
      const questions = await this.#form.questions();
      const next = questions.find((one) => refused.has(one.path) || this.#isLeft(one));
      if (next === undefined) return;
      if (refused.size === 0) this.#hint();
      this.wasAsked = true;
      try {
        const back = this.#answered.length > begun;
        next.take(await next.ask({ wasRefused: refused.has(next.path), back }));
        refused.delete(next.path);
        this.#answered = [...this.#answered.filter((key) => key !== keyOf(next)), keyOf(next)];
      } catch (error) {
        if (!(error instanceof GoBack)) throw error;
        const last = this.#answered.pop();
        const before = questions.find((one) => keyOf(one) === last);
        // One that was given before this walk is not open by itself.
        if (before !== undefined && !before.isOpen) refused.add(before.path);
      }
    }
  }

  #isLeft = (question: Question): boolean => question.isOpen && !this.#answered.includes(keyOf(question));

  #hint(): void {
    if (this.wasAsked) return;
    this.#context.note('Esc: back one question. Ctrl-C: stop, nothing is sent.');
  }

  /** False where the refusal is about nothing that can be asked. */
  async again(refused: Refused): Promise<boolean> {
    this.#form.learn?.(refused);
    const questions = await this.#form.questions();
    const about = new Map(
      refused.fields.flatMap((field) => {
        const question = questions.find(({ path }) => path === field.path);
        return question ? [[question.path, question]] : [];
      }),
    );
    if (about.size === 0) return false;
    const { say, paint } = this.#context;
    say('The service refused it; nothing was done. Your other answers are kept.', paint.yellow);
    for (const { path, words } of refused.fields) {
      const name = about.get(path)?.label ?? path;
      say(`  ${name} ${fieldLine({ path: '', words }).trim()}`, paint.yellow);
    }
    await this.fill(new Set(about.keys()));
    return true;
  }

  /** After questions, a look at the answers stands in for the last yes or no. */
  approver(): Confirmer {
    const { confirmer } = this.#context;
    if (!this.wasAsked) return confirmer;
    return {
      isAttended: confirmer.isAttended,
      wantsToLook: true,
      stance: (account) => confirmer.stance(account),
      confirm: async (question) => {
        if (question.about === 'proceed') {
          const isSent = await this.#review(question.said);
          // In production the look at the answers is followed by what has to be typed.
          return isSent && (question.confirm === undefined || (await confirmer.confirm(question)));
        }
        const isAgreed = await confirmer.confirm(question);
        // The answers are not lost over a No to the account: it is typed again.
        return isAgreed || question.about === 'second_payment' ? isAgreed : this.#change();
      },
    };
  }

  async #review(message: string): Promise<boolean> {
    const questions = await this.#form.questions();
    if (!this.#form.isShownByGate) this.#list(questions);
    const { askChoice } = await import('../../../frame/terminal/prompt.ts');
    const chosen = await askChoice(
      this.#context,
      message,
      [
        { value: 'send', label: 'Yes, send it', bare: true },
        { value: 'change', label: 'No, change one answer', bare: true },
        { value: 'stop', label: 'No, stop here; nothing is sent', bare: true },
      ],
      { fresh: true },
    );
    if (chosen === 'send') return true;
    if (chosen === 'stop') throw interrupted();
    return this.#change();
  }

  /** @throws ChangedMind, after one answer was changed */
  async #change(): Promise<never> {
    const questions = await this.#form.questions();
    const { askChoice } = await import('../../../frame/terminal/prompt.ts');
    const choices = [
      ...questions.map(({ path, label, shown }) => ({
        value: path,
        label: shown === undefined ? label : `${label}: ${shown}`,
        bare: true,
      })),
      { value: '', label: 'none of them; stop here, nothing is sent', bare: true },
    ];
    const path = await askChoice(this.#context, 'Change which answer?', choices, { noun: 'answers' });
    const one = questions.find((question) => question.path === path);
    if (one === undefined) throw interrupted();
    one.take(await one.ask({ wasRefused: false, back: false }));
    throw new ChangedMind();
  }

  #list(questions: readonly Question[]): void {
    const given = questions.filter(({ shown }) => shown !== undefined);
    const width = Math.max(0, ...given.map(({ label }) => label.length));
    this.#context.say('Your answers:');
    for (const { label, shown = '' } of given)
      this.#context.say(`  ${escapeLine(label.padEnd(width))}  ${escapeLine(shown)}`);
  }
}

const keyOf = ({ path, dependsOn = '' }: Question): string => `${dependsOn} ${path}`;
