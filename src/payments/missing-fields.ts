/** A file that was filled in half: every place that is still empty, in words, in one message. */

import { balanceCurrency } from '../contract/corridors/balance.ts';
import { fieldsFor } from '../contract/corridors/check.ts';
import { corridorTypes, loadCorridor } from '../contract/corridors/index.ts';
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { byWord } from '../core/by-word.ts';
import { currencyRule } from '../core/currency.ts';
import { hint } from '../core/next.ts';
import { type FieldProblem, type Problem, refuse } from '../core/problem.ts';
import type { BodyDraft } from './body.ts';

const PLACES: Readonly<Record<string, string>> = byWord({
  input_currency: 'the currency you pay in',
  external_id: 'your reference for the payment',
  'sender.external_id': 'the sender',
  'sender.id': 'the sender',
  requested_amount: 'the amount',
  requested_currency: 'the currency of the amount',
  'payout_method.type': 'the payout type',
});

interface Gap {
  path: string;
  words: string;
}

/** @throws Problem (usage) where a place is empty: nothing was sent */
export async function refuseGaps(draft: BodyDraft): Promise<void> {
  const { recipients, metadata: _, ...own } = draft;
  const gaps = emptyIn(own).map((path): Gap => ({ path, words: PLACES[path] ?? path }));
  const list = Array.isArray(recipients) ? (recipients as unknown[]) : [];
  for (const [index, recipient] of list.entries()) {
    const which = list.length > 1 ? ` of recipient ${index + 1}` : '';
    for (const { path, words } of await gapsOf(recipient))
      gaps.push({ path: `recipients.${index}.${path}`, words: `${words}${which}` });
  }
  if (gaps.length > 0) throw incomplete(gaps);
}

async function gapsOf(recipient: unknown): Promise<Gap[]> {
  if (typeof recipient !== 'object' || recipient === null) return [];
  const { metadata: _, ...own } = recipient as Record<string, unknown>;
  const labels = await neededIn(own);
  return emptyIn(own).flatMap((path): Gap[] => {
    const name = path.replace(/^payout_method\.details\./, '');
    if (name === path) return [{ path, words: PLACES[path] ?? path }];
    const label = labels.get(name);
    // The service takes a detail without a value where it asks for none.
    return label === undefined ? [] : [{ path, words: `${label} (${name})` }];
  });
}

/** The labels of the details that must have a value. */
async function neededIn(recipient: Record<string, unknown>): Promise<Map<string, string>> {
  const { type, details = {} } = (recipient.payout_method ?? {}) as Record<string, unknown>;
  const corridor = typeof type === 'string' ? await loadCorridor(type) : undefined;
  if (corridor === undefined) return new Map();
  const kind = recipient.type === 'business' && corridor.recipientKinds.business ? 'business' : 'person';
  const given = details as Record<string, unknown>;
  const groups = corridor.requireOneOf ?? [];
  const isMet = groups.some((group) => group.every((name) => (given[name] ?? '') !== ''));
  const ofGroup = isMet ? [] : (groups[0] ?? []);
  const needed = fieldsFor(corridor, kind).filter((field) => field.required || ofGroup.includes(field.name));
  return new Map(needed.map(({ name, label }) => [name, label]));
}

/** The dotted names of texts that are empty. */
function emptyIn(value: unknown, at = ''): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'metadata' ? [] : emptyIn(member, at === '' ? name : `${at}.${name}`),
  );
}

function incomplete(gaps: readonly Gap[]): Problem {
  const all = gaps.map(({ words }) => words).join(', ');
  const count = gaps.length === 1 ? 'one place is' : `${gaps.length} places are`;
  return refuse('usage', 'body', `${count} still empty: ${all}`, {
    hint: hint`fill them in, or give them by flag (${{ do: 'describe_payment' }})`,
    fields: gaps.map(({ path }): FieldProblem => ({ path, words: ['is empty'] })),
    note: 'nothing was sent',
  });
}

/**
 * Payout types and currencies that remit does not know: they are named, and not refused. This catches what
 * people mistype. What remit does not know may still be known to the service, which decides.
 */
export function unknownNames(body: TransactionWrite, listed: readonly string[]): string[] {
  const types = body.recipients.flatMap(({ payout_method: { type } }) =>
    type === undefined || isKnownType(type) || listed.includes(type)
      ? []
      : [
          `${type} is not a payout type that remit knows (${corridorTypes.map((one) => one.type).join(', ')})`,
        ],
  );
  const codes = [body.input_currency, ...body.recipients.map((one) => one.requested_currency)];
  const unknown = [...new Set(codes.filter((code) => currencyRule(code) === undefined))];
  return [...types, ...unknown.map((code) => `${code} is not a currency that remit knows`)];
}

const isKnownType = (type: string): boolean =>
  corridorTypes.some((one) => one.type === type) || balanceCurrency(type) !== null;
