/**
 * A write that moves no money: no intent is kept. Where its answer is lost it is settled by looking, and what stays unknown
 * ends with the command that looks (PRODUCT rule 1).
 */

import type { Context } from '../../cli/context.ts';
import type { Client } from '../../client/client.ts';
import { attempt, carryOut, carryOutOnce, type Looked } from '../../client/outcome.ts';
import { Failure } from '../../core/problem.ts';
import { outcomeFailure } from './outcome-problem.ts';
import { undisturbed } from './write.ts';

export interface PlainWrite<T> {
  send(client: Client): Promise<T>;
  look(client: Client): Promise<Looked<T>>;
  /** Sent twice it does no more than sent once. */
  repeatable: boolean;
  /** What to type when nobody can say whether it was applied. */
  next: string;
}

/** @throws Failure where it was not applied, or where nobody can say (9) */
export async function plainWrite<T>(
  context: Context,
  { send, look, repeatable, next }: PlainWrite<T>,
): Promise<{ value: T; notes: string[] }> {
  const client = await context.writingClient();
  const plan = {
    accepted: () => client.accepted(),
    send: () => attempt(() => send(client)),
    look: () => look(client),
  };
  const outcome = await undisturbed(context, () => (repeatable ? carryOut(plan) : carryOutOnce(plan)));
  if (outcome.kind === 'applied') {
    const found = outcome.how === 'found';
    return {
      value: outcome.value,
      notes: found ? ['the answer was lost on the way; it was found by looking'] : [],
    };
  }
  const failure = outcomeFailure(outcome, '');
  if (outcome.kind !== 'unknown') throw failure;
  throw new Failure(
    { ...failure.facts, hint: next, outcomeNote: 'look before it is sent again' },
    { cause: outcome.error },
  );
}

/** For a write that can be repeated and leaves nothing to look for. */
export const nothingToSee = async (): Promise<{ kind: 'absent' }> => ({ kind: 'absent' });
