/**
 * A write that moves no money: no intent is kept. Where its answer is lost it is settled by looking, and what stays unknown
 * ends with the command that looks (docs/rules.md 1).
 */

import type { Client } from '../client/client.ts';
import { carryOutPlain, type PlainPlan } from '../client/directory-plans.ts';
import { invariant } from '../core/invariants.ts';
import type { Hint } from '../core/next.ts';
import { Problem } from '../core/problem.ts';
import type { Desk } from './desk.ts';
import { checkPass, type WritePermit } from './gate.ts';
import { outcomeProblem } from './outcome-problem.ts';
import { undisturbed } from './write.ts';

export interface PlainWrite<T> {
  plan(client: Client): PlainPlan<T>;
  /** The effect of the write; a permit for less does not cover it. */
  effect?: 'write' | 'destructive';
  /** Where to look when it is unknown whether it was applied. */
  next: Hint;
}

/** The record that stands at the service now, and the notes about it. */
export interface Stored<T> {
  value: T;
  notes: Hint[];
}

/** @throws Problem where it was not applied, or it is unknown (9) */
export async function plainWrite<T>(
  desk: Desk,
  permit: WritePermit,
  { plan, next, effect = 'write' }: PlainWrite<T>,
): Promise<Stored<T>> {
  await checkPass(desk, permit, effect);
  const client = await desk.writingClient();
  const outcome = await undisturbed(desk, () => carryOutPlain(plan(client)));
  if (outcome.kind === 'applied') {
    const found = outcome.how === 'found';
    return {
      value: outcome.value,
      notes: found ? ['the answer was lost; remit looked, and found it'] : [],
    };
  }
  const failure = outcomeProblem(outcome, '');
  invariant(failure.facts.outcome !== 'applied', 'what was not applied is not said to be');
  if (outcome.kind !== 'unknown') throw failure;
  throw new Problem(
    { ...failure.facts, hint: next, outcomeNote: 'look whether it exists before you send it again' },
    { cause: outcome.error },
  );
}
