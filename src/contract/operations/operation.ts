/** One row per operation of the service: the client, the sandbox's router, `remit api` and completion read the same row. */

import type * as z from 'zod/mini';
import type { Effect } from '../../core/effect.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** How an unknown outcome is settled (docs/rules.md 1). */
export type Settlement =
  /** A read: repeat it. */
  | 'repeat'
  /** Look the record up by its `external_id`, send the same body again, look again. */
  | 'external_id'
  /** Read the transaction again before anything is sent. */
  | 'transaction'
  /** Read the recipient inside its transaction, compare with what was asked. */
  | 'recipient'
  /** Read the thing itself and compare. */
  | 'resource'
  /** List and compare: the thing has no id of ours. */
  | 'list';

/** The advice after a write whose answer was lost. */
export const TO_SETTLE: Readonly<Record<Settlement, string>> = {
  repeat: 'it changes nothing: run it again',
  external_id: 'look it up by its external_id before anything is sent again',
  transaction: 'read the transaction before anything is sent again',
  recipient: 'read the recipient before anything is sent again',
  resource: 'read it before anything is sent again',
  list: 'list and compare before anything is sent again',
};

export type QueryKind = 'text' | 'integer' | 'date' | 'decimal' | 'uuid' | 'list';

export interface QueryParameter {
  name: string;
  kind: QueryKind;
  values?: readonly string[];
}

export interface Operation<Body = unknown, Answer = unknown> {
  /** Our name for it, `resource.verb`. */
  id: string;
  /** The name in the service's interface description. */
  wireId: string;
  method: HttpMethod;
  /** Below the version segment, with `{name}` for path parameters. */
  path: string;
  summary: string;
  query: readonly QueryParameter[];
  /** Strict: what we write. Absent when the call has no body. */
  body?: z.ZodMiniType<Body>;
  /** Tolerant: what we read. */
  answer: z.ZodMiniType<Answer>;
  /** The status of success; 200 and 201 are both accepted when read. */
  status: 200 | 201;
  /** Declared failures beside 401 and 500, which every operation may answer. */
  failures: readonly (400 | 404 | 422)[];
  effect: Effect;
  settle: Settlement;
  paging: 'envelope' | 'none';
  /** Refused before anything is sent where the environment is not a sandbox. */
  sandboxOnly?: true;
  /** The answer may take over a minute: the response time-out is two. */
  slow?: true;
}

export const page: readonly QueryParameter[] = [
  { name: 'page', kind: 'integer' },
  { name: 'per', kind: 'integer' },
];
export const dates: readonly QueryParameter[] = [
  { name: 'created_at_from', kind: 'date' },
  { name: 'created_at_to', kind: 'date' },
];

/** Names of the `{parameters}` in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

type Defaults = 'query' | 'status' | 'failures' | 'paging';
type Declared<Body, Answer> = Omit<Operation<Body, Answer>, Defaults> &
  Partial<Pick<Operation<Body, Answer>, Defaults>>;

/** A row; where it does not say otherwise it takes no query, answers 200, and may answer 404 and 422. */
export function operation<Body, Answer>(row: Declared<Body, Answer>): Operation<Body, Answer> {
  return { query: [], status: 200, failures: [404, 422], paging: 'none', ...row };
}

/** A row for a call without body that changes nothing: most of them. */
export function readOperation<Answer>(
  row: Pick<Operation<never, Answer>, 'id' | 'wireId' | 'path' | 'summary' | 'answer'> &
    Partial<Operation<never, Answer>>,
): Operation<never, Answer> {
  return operation({ method: 'GET', failures: [], effect: 'read', settle: 'repeat', ...row });
}
