/**
 * Forgets the persons of runs that are over: names, accounts, what tells accounts apart, and reasons leave the store. States, amounts and
 * ids stay. What the service has, and files that rows were handed on to, are not the store's.
 *
 * If the process dies
 *   before a run is marked       nothing was changed.
 *   after it is marked           nothing is done with it any more; it says that it is owed, and the same command again goes on.
 *   while its rows are emptied   the same: each row is emptied with its intents, and a second time changes nothing.
 *   while the file is written    the same: the store has the old file or the new one.
 *   after that                   it is forgotten.
 */

import { counted, thousands } from '../core/amount-words.ts';
import { invariant } from '../core/invariants.ts';
import { hint } from '../core/next.ts';
import { type Problem, refuse } from '../core/problem.ts';
import { byName } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer } from '../payments/gate.ts';
import { planOf } from './plan-text.ts';
import type { BytesLeft, PayRun, PayRuns, RowState, SignedVerdict } from './store/port.ts';

export interface ForgettableRun {
  run: PayRun;
  lastChange: number;
  /** Rows by state that keep it from being forgotten. */
  unended: Readonly<Partial<Record<RowState, number>>>;
}

export interface ForgetTerms {
  /** The user looked at the rows whose external ids other payments have: remit does not end them. */
  conflicts: boolean;
}

const standsInTheWay = ({ conflicts }: ForgetTerms): readonly RowState[] =>
  conflicts ? UNENDED.filter((state) => state !== 'conflict') : UNENDED;

export async function candidateOf(
  payruns: PayRuns,
  run: PayRun,
  terms: ForgetTerms,
): Promise<ForgettableRun> {
  const unended: Partial<Record<RowState, number>> = {};
  const sums = await payruns.sums(run.id);
  for (const state of standsInTheWay(terms)) {
    const rows = sums.reduce((all, sum) => all + (sum.state === state ? sum.rows : 0), 0);
    if (rows > 0) unended[state] = rows;
  }
  return { run, lastChange: await payruns.lastChange(run.id), unended };
}

/** Runs of the account that were changed last before that moment, and were not forgotten yet; newest first. */
export async function candidatesBefore(
  desk: Desk,
  payruns: PayRuns,
  { before, ...terms }: ForgetTerms & { before: number },
): Promise<ForgettableRun[]> {
  const { baseUrl } = await desk.connection();
  const found: ForgettableRun[] = [];
  for (const run of await payruns.list({ baseUrl, limit: Number.MAX_SAFE_INTEGER })) {
    if (run.createdAt >= before || (run.forgotten !== undefined && !run.forgotten.isOwed)) continue;
    const candidate = await candidateOf(payruns, run, terms);
    if (candidate.lastChange < before) found.push(candidate);
  }
  return found;
}

export const isEnded = ({ unended }: ForgettableRun): boolean => Object.keys(unended).length === 0;

/** `2 in error, 1 planned`. */
export const unendedWords = ({ unended }: ForgettableRun): string =>
  Object.entries(unended)
    .map(([state, rows]) => `${thousands(rows)} ${state.replace('_', ' ')}`)
    .join(', ');

/** @throws Problem (conflict) that says how many rows are in the way, and what ends them */
export function refuseUnended(candidate: ForgettableRun): void {
  if (isEnded(candidate)) return;
  const { run, unended } = candidate;
  const rows = Object.values(unended).reduce((all, count) => all + count, 0);
  const state = UNENDED.find((one) => unended[one] !== undefined);
  const next = state && NEXT[state];
  invariant(next, 'a run that is not ended has a row that is not');
  throw refuse(
    'conflict',
    'run_not_ended',
    `the run "${run.name}" is not over: ${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'} still open (${unendedWords(candidate)})`,
    { hint: next(run.name), note: 'nothing was forgotten' },
  );
}

/**
 * The command that ends rows in a state, where something is still to be done for them: it needs what would be
 * forgotten, or a person who looks. Undefined for rows that are over.
 */
const NEXT: Readonly<Record<RowState, ((name: string) => Problem['facts']['hint']) | undefined>> = {
  planned: (name) =>
    hint`pay the rest with ${{ do: 'pay_run', name }}, or give it up with ${{ do: 'cancel_run', name }}`,
  sending: (name) => hint`find out what became of them: ${{ do: 'settle_run', name }}`,
  unknown: (name) => hint`find out what became of them: ${{ do: 'settle_run', name }}`,
  in_error: (name) =>
    hint`correct or cancel the recipients, then ask how they stand: ${{ do: 'show_rows', name, state: 'in_error' }}, then ${{ do: 'watch_run', name }}`,
  conflict: (name) =>
    hint`look which payment is right: ${{ do: 'show_rows', name, state: 'conflict' }}; once you did, ${{ give: 'conflicts' }} forgets them too`,
  created: undefined,
  paid: undefined,
  refunded: undefined,
  cancelled: undefined,
  refused: undefined,
  handed_on: undefined,
};

const UNENDED = (Object.keys(NEXT) as RowState[]).filter((state) => NEXT[state] !== undefined);

/** A plan has hashes of its rows, and few of them could be told by trying: those leave too. */
function planWithoutPrints(run: PayRun): string {
  const { windows: _, ...plan } = planOf(run);
  return JSON.stringify(plan);
}

/** A signature is over the digest: by trying all rows, a reader could tell. A reason may name a person. Who said what stays. */
const withoutSignatures = ({ statements }: PayRun): SignedVerdict[] =>
  statements.map(({ because: _, ...said }) => ({ ...said, replaces: [], signature: '' }));

/** @param candidates runs that are over. @throws Problem for a no, or where a row was opened meanwhile; runs before it are forgotten then */
export async function forgetCandidates(
  desk: Desk,
  payruns: PayRuns,
  {
    candidates,
    confirmer,
    ...terms
  }: ForgetTerms & { candidates: readonly ForgettableRun[]; confirmer: Confirmer },
): Promise<BytesLeft> {
  const rows = candidates.reduce((all, { run }) => all + run.rows, 0);
  const named = candidates.slice(0, 10).map(({ run }) => run.name);
  const more = candidates.length > named.length ? `, and ${candidates.length - named.length} more` : '';
  const of = `${candidates.length === 1 ? 'run' : 'runs'} ${named.join(', ')}${more}`;
  const what = `forget the names, accounts and reasons of ${of}: ${counted(rows, 'row')}; nothing brings them back`;
  const [one] = candidates;
  const confirm = byName(candidates.length === 1 && one ? one.run.name : counted(candidates.length, 'run'));
  await authorizeWrite(desk, { effect: 'destructive', what: [what], confirm }, confirmer);
  for (const { run } of candidates) {
    const isDone = await payruns.forget(run.id, {
      unless: standsInTheWay(terms),
      plan: planWithoutPrints(run),
      statements: withoutSignatures(run),
    });
    // Runs that were forgotten before it are still owed the clearing of their bytes, and say so.
    if (!isDone) refuseUnended(await candidateOf(payruns, run, terms));
  }
  return payruns.clearForgotten();
}
