/** What passes by: the states that answers and webhooks show, and which transactions a request is about. Nothing is judged here. */
import type { WireRequest, WireResponse } from '../../../src/core/transport.ts';
import { type Json, statesIn } from './look.ts';
import type { Kind } from './tables.ts';

export interface Claim {
  kind: Kind;
  id: string;
  state: string;
  /** Who said so. */
  by: string;
}

/** Every state that an object of an answer or a webhook shows, whatever kind of object it is. */
export function claimsOf(object: Json, by: string): Claim[] {
  if (Array.isArray(object)) return object.flatMap((each) => claimsOf(each, by));
  if (typeof object !== 'object' || object === null || typeof object.id !== 'string') return [];
  const claim = (kind: Kind, id: string, state: unknown): Claim[] =>
    typeof state === 'string' ? [{ kind, id, state, by }] : [];
  if ('recipients' in object) return [...statesIn(object)].map((each) => ({ ...each, by }));
  if ('ux_flow' in object) return claim('payin_method', object.id, object.state);
  if ('transaction_state' in object) {
    const { transaction_id, transaction_state } = object;
    return [
      ...claim('recipient', object.id, object.state),
      ...claim('transaction', transaction_id, transaction_state),
    ];
  }
  return 'ip' in object ? claim('sender', object.id, object.state) : [];
}

/** The transactions that an object belongs to, by their own id or by one that it names. */
export function subjectsOf(object: Json): string[] {
  if (Array.isArray(object)) return object.flatMap(subjectsOf);
  if (typeof object !== 'object' || object === null) return [];
  if ('recipients' in object && typeof object.id === 'string') return [object.id];
  return typeof object.transaction_id === 'string' ? [object.transaction_id] : [];
}

export interface Passed {
  method: string;
  /** Below `/v1`, without the query. */
  path: string;
  body: Json;
  /** Absent when the connection broke. */
  answer: { status: number; body: Json } | undefined;
}

export function passed({ method, url, body }: WireRequest, answer: WireResponse | undefined): Passed {
  return {
    method,
    path: new URL(url).pathname.replace(/^\/v1/, ''),
    body: body === undefined ? undefined : parsed(body),
    answer: answer && { status: answer.status, body: parsed(answer.body) },
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ids in a path and in the body of debits: of transactions, recipients or payins. */
export function idsAsked({ path, body }: Passed): string[] {
  const [, id] = /^\/(?:transactions|recipients|payin_methods)\/([0-9a-f-]{36})/.exec(path) ?? [];
  const debits = [body?.debit].flat().map((debit: Json) => debit?.to_id);
  return [id, ...debits].filter((each) => typeof each === 'string');
}
