/** Puts the outcome of a write into the words of the library. `client/outcome.ts` decided what may be claimed. */
import type { Outcome } from '../../client/outcome.ts';
import type * as Public from '../client-types.ts';

type Thing = { id?: string | null | undefined };

/** A record without an id is not what was asked for, from any server: nothing is claimed of it. */
export function applied<T extends Thing>(record: T, how: Public.Applied<T>['how']): Public.PlainOutcome<T> {
  const { id } = record;
  return id ? { outcome: 'applied', record: { ...record, id }, how } : unknown('the record has no id');
}

export const outcomeOf = <T extends Thing>(outcome: Outcome<T>): Public.PlainOutcome<T> =>
  outcome.kind === 'applied' ? applied(outcome.value, outcome.how) : notAsAsked(outcome);

/** The service's answer about a payment that was only validated and not made. */
export const validationOf = (outcome: Outcome<Public.Transaction>): Public.Validation =>
  outcome.kind === 'applied'
    ? { outcome: 'applied', record: outcome.value, how: outcome.how }
    : notAsAsked(outcome);

/** A record that differs and may be ours, changed since, leaves it unknown. */
function notAsAsked<T>(
  outcome: Exclude<Outcome<T>, { kind: 'applied' }>,
): Public.NotApplied | Public.Unknown {
  switch (outcome.kind) {
    case 'not_applied': {
      const { error, why } = outcome;
      return { outcome: 'not_applied', why: why ?? reasonOf(error), error, conflict: undefined };
    }
    case 'unknown': {
      const { error, why } = outcome;
      const known = why ?? error?.message ?? 'it was not found by looking, which proves nothing';
      return { outcome: 'unknown', why: known, error };
    }
    case 'conflict': {
      const { value: record, differences, why } = outcome;
      if (outcome.madeFor !== undefined) return unknown(madeOtherwiseWords(record as Thing, differences));
      if (why !== undefined) return { outcome: 'unknown', why, error: undefined };
      const differing = `another record stands in its place: it differs in ${differences.join(', ')}`;
      return { outcome: 'not_applied', why: differing, error: undefined, conflict: { record, differences } };
    }
  }
}

/** The outcome of a write of which nothing was begun. */
export const notSent = (error: Public.NotSent['error']): Public.NotSent => ({
  outcome: 'not_applied',
  why: reasonOf(error),
  error,
  conflict: undefined,
  intent: undefined,
});

function reasonOf(error: Public.NotSent['error'] | undefined): string {
  if (error === undefined) return 'it was not applied';
  const fields = 'fields' in error ? error.fields : [];
  const named = fields.map(({ path, words }) => `${path} ${words.join(', ')}`).join('; ');
  return named === '' ? error.message : `${error.message}: ${named}`;
}

/** It is there, whatever the program makes of it: so it is never called not applied. */
export const madeOtherwiseWords = ({ id }: Thing, differences: readonly string[]): string =>
  `transaction ${id} was made, with other money or another payee than asked (it differs in ${differences.join(', ') || 'what its answer said'}): do not make it again; look at it, then debits.create pays it as it stands, or recipients.cancel ends it`;

export const unknown = (why: string): Public.Unknown => ({ outcome: 'unknown', why, error: undefined });
