/**
 * Decides what the answer to a raw call proves. It proves the same as the answer to a call of ours, where its body is
 * one that a plan of ours would send.
 */
import { invariant } from '../core/invariants.ts';
import type { WireResponse } from '../core/transport.ts';
import type { Client } from './client.ts';
import { judgeAnswer } from './create-plan.ts';
import { answersDebit } from './debit-plan.ts';
import { rawRefusal } from './decode.ts';
import { isRecord } from './fields.ts';
import type { RawAsked } from './identity.ts';
import { readJson } from './json.ts';
import type { WritePlan } from './outcome.ts';
import { type Claim, claimOfRefusal, claimUnseen } from './refusal-claims.ts';
import { type Asked, operationOf, writePlanOf } from './writes.ts';

export interface RawVerdict {
  kind: Claim;
  id?: string;
}

export async function rawVerdict(
  client: Client,
  asked: Asked | RawAsked,
  response: WireResponse,
): Promise<RawVerdict> {
  const answer = await readJson(response.body).catch(() => undefined);
  const verdict = await verdictOfAnswer(client, asked, response, answer);
  const needsId = verdict.kind === 'applied' && (asked.plan === 'create' || asked.plan === 'debit');
  invariant(!needsId || verdict.id, 'a payment that is said to be made is named by its id');
  return verdict;
}

async function verdictOfAnswer(
  client: Client,
  asked: Asked | RawAsked,
  response: WireResponse,
  answer: unknown,
): Promise<RawVerdict> {
  const path = asked.plan === 'raw' ? asked.path : operationOf(asked).path;
  const refusal = await rawRefusal(path, response, { operation: 'raw', nonce: '', effect: 'money' });
  if (refusal === undefined) return success(asked, answer);
  if (asked.plan === 'raw') return { kind: await claimUnseen(client, refusal) };
  const { kind, value } = await claimOfRefusal(
    writePlanOf(client, asked) as WritePlan<{ id?: unknown }>,
    refusal,
  );
  return kind === 'applied' ? { kind, id: String(value?.id) } : { kind };
}

/** Decides what a refusal proves of a call that remit cannot look for. */
export async function verdictOfRefusal(client: Client, path: string, response: WireResponse): Promise<Claim> {
  const refusal = await rawRefusal(path, response, { operation: 'raw', nonce: '', effect: 'money' });
  return refusal === undefined ? 'unknown' : claimUnseen(client, refusal);
}

function success(asked: Asked | RawAsked, answer: unknown): RawVerdict {
  const object = isRecord(answer) ? answer.object : undefined;
  if (asked.plan === 'create') {
    if (!isRecord(object)) return { kind: 'unknown' };
    const { wrong, id } = judgeAnswer(asked, object);
    if (wrong === undefined) return { kind: 'applied', id: String(object.id) };
    return { kind: 'unknown', ...(id && { id }) };
  }
  if (asked.plan === 'debit') {
    const wrong = Array.isArray(object) ? answersDebit(asked.debit, object) : 'no record';
    return wrong === undefined ? { kind: 'applied', id: asked.debit.to_id } : { kind: 'unknown' };
  }
  return { kind: isRecordFor(asked, object) ? 'applied' : 'unknown' };
}

/** An answer without a record, or with another than the one that the path names, proves nothing. */
function isRecordFor(asked: Asked | RawAsked, object: unknown): boolean {
  const [named] =
    asked.plan === 'raw' ? (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(asked.path) ?? []) : [];
  if (Array.isArray(object)) return named === undefined && object.length > 0 && object.every(hasId);
  return hasId(object) && (named === undefined || object.id.toLowerCase() === named.toLowerCase());
}

const hasId = (value: unknown): value is { id: string } =>
  isRecord(value) && typeof value.id === 'string' && value.id !== '';
