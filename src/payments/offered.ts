/**
 * The offer of the service (decision 0013): its own list of payout types with their fields comes first,
 * remit's data stand in where it cannot be read. It is read once in a command, and kept for a while
 * (cache.ts).
 */

import { balanceCurrency, balanceFields } from '../contract/corridors/balance.ts';
import { describeField, describeFields } from '../contract/corridors/check.ts';
import type { CorridorField, PartyKind } from '../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor, loadOptionsOf } from '../contract/corridors/index.ts';
import { listPayoutPaymentMethods } from '../contract/operations/info.ts';
import type { FieldDescription, PaymentMethod } from '../contract/resources/info.ts';
import { type Desk, tell } from './desk.ts';
import { problemOf } from './problem-of.ts';
import { cachedRead } from './read-cache.ts';

export type Descriptors = Record<string, FieldDescription>;

export interface Offered {
  type: string;
  label: string;
}

/** The types of the service's list, in its order; those that remit knows where it cannot be read. */
export async function offeredTypes(desk: Desk): Promise<Offered[]> {
  const listed = await listOnce(desk);
  const types = listed?.map(({ type }) => type) ?? corridorTypes.map(({ type }) => type);
  return types.map((type) => ({ type, label: labelOf(type) }));
}

function labelOf(type: string): string {
  const balance = balanceCurrency(type);
  if (balance !== null) return `Your own balance in ${balance}`;
  return corridorTypes.find((one) => one.type === type)?.summary ?? type;
}

/** The types of the list if it was read already: it is not read for this. */
export async function listedSoFar(desk: Desk): Promise<string[]> {
  return ((await reads.get(desk)) ?? []).map(({ type }) => type);
}

/** The fields of a payout type; undefined where neither the service nor remit knows any. */
export async function offeredFields(
  desk: Desk,
  type: string,
  kind: PartyKind,
): Promise<Descriptors | undefined> {
  const known = await knownFields(type, kind);
  const listed = (await listOnce(desk))?.find((one) => one.type === type);
  // The list describes persons: of a business, remit knows more.
  if (known && (kind === 'business' || !listed)) return known;
  const described = listed?.fields ?? {};
  if (Object.keys(described).length > 0) return described;
  if (known) return known;
  const names = listed?.details ?? [];
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, { type: 'input' }])) : undefined;
}

/** Returns the fields of a type by our own data; undefined where we have none. */
export async function knownFields(type: string, kind: PartyKind): Promise<Descriptors | undefined> {
  const corridor = await loadCorridor(type);
  if (corridor) return describeFields(corridor, kind, await loadOptionsOf(corridor)) as Descriptors;
  if (balanceCurrency(type) === null) return undefined;
  return Object.fromEntries(
    balanceFields.map((field) => [field.name, describeField(field, () => ({})) as FieldDescription]),
  );
}

/** The fields of a payout type to a person, each as remit's own data and as the wire describe it. */
export async function describedFields(
  type: string,
): Promise<{ name: string; known: CorridorField; field: FieldDescription }[]> {
  const corridor = await loadCorridor(type);
  if (corridor === undefined) return [];
  const options = await loadOptionsOf(corridor);
  return corridor.recipientKinds.person.map((known) => ({
    name: known.name,
    known,
    field: describeField(known, options) as FieldDescription,
  }));
}

const reads = new WeakMap<Desk, Promise<readonly PaymentMethod[] | undefined>>();

function listOnce(desk: Desk): Promise<readonly PaymentMethod[] | undefined> {
  const begun = reads.get(desk);
  if (begun) return begun;
  const read = readList(desk);
  reads.set(desk, read);
  return read;
}

async function readList(desk: Desk): Promise<readonly PaymentMethod[] | undefined> {
  try {
    const client = await desk.client();
    return await cachedRead(
      desk,
      '/info/payment_methods/out',
      async (terms) => (await client.call(listPayoutPaymentMethods, terms)).object,
    );
  } catch (error) {
    const { category, message, status } = problemOf(error).facts;
    if (category === 'interrupted' || category === 'config' || status === 401) throw error;
    tell(desk, `the service's list of payout types could not be read (${message}): remit's own is used`);
    return undefined;
  }
}
