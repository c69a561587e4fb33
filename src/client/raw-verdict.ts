/** What the answer to a raw call proves: the same as to a call of ours, where its body is one that a plan of ours would send. */
import type { WireResponse } from '../core/ports/transport.ts';
import type { Client } from './client.ts';
import { answersDebit } from './debit-plan.ts';
import { ApiError } from './errors.ts';
import { isRecord } from './fields.ts';
import type { RawAsked } from './identity.ts';
import { readJson } from './json.ts';
import { lookInto, type Plan, verdictOfStatus } from './outcome.ts';
import { type Asked, answersPayment, operationOf, planOf } from './writes.ts';

export interface RawVerdict {
  kind: 'applied' | 'not_applied' | 'unknown';
  id?: string;
}

export async function rawVerdict(
  client: Client,
  asked: Asked | RawAsked,
  response: WireResponse,
): Promise<RawVerdict> {
  const { status } = response;
  const answer = await readJson(response.body).catch(() => undefined);
  if (status >= 200 && status < 300) return success(asked, answer);
  if (verdictOfStatus(status, false) !== 'refused') return { kind: 'unknown' };
  // Whether a copy of it was applied before can only be told where remit knows where to look.
  if (asked.plan === 'raw') return { kind: status === 401 || status === 403 ? 'unknown' : 'not_applied' };
  return refused(client, asked, status);
}

function success(asked: Asked | RawAsked, answer: unknown): RawVerdict {
  const object = isRecord(answer) ? answer.object : undefined;
  if (asked.plan === 'create') {
    const wrong = isRecord(object) ? answersPayment(asked, object) : 'no record';
    return wrong === undefined && isRecord(object)
      ? { kind: 'applied', id: String(object.id) }
      : { kind: 'unknown' };
  }
  if (asked.plan === 'debit') {
    const wrong = Array.isArray(object) ? answersDebit(asked.debit, object) : 'no record';
    return wrong === undefined ? { kind: 'applied', id: asked.debit.to_id } : { kind: 'unknown' };
  }
  return { kind: isRecordFor(asked, object) ? 'applied' : 'unknown' };
}

/** An answer without a record, or with another than the one that the path names, proves nothing. */
function isRecordFor(asked: Asked | RawAsked, object: unknown): boolean {
  if (Array.isArray(object)) return object.length > 0;
  if (!isRecord(object) || Object.keys(object).length === 0) return false;
  const [named] =
    asked.plan === 'raw' ? (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(asked.path) ?? []) : [];
  return named === undefined || String(object.id).toLowerCase() === named.toLowerCase();
}

async function refused(client: Client, asked: Asked, status: number): Promise<RawVerdict> {
  const call = { operation: operationOf(asked).id, nonce: '', effect: 'money' } as const;
  const refusal = new ApiError(status, call, { fields: [], meta: {}, existing: {}, resource: undefined });
  const outcome = await lookInto<{ id?: unknown }>(planOf(client, asked) as Plan<{ id?: unknown }>, refusal);
  if (outcome?.kind === 'applied') return { kind: 'applied', id: String(outcome.value.id) };
  // Another record stands in its place: then this one is not made, and never will be.
  const isRefused =
    outcome?.kind === 'not_applied' || (outcome?.kind === 'conflict' && outcome.why === undefined);
  return { kind: isRefused ? 'not_applied' : 'unknown' };
}
