/** A sender by its id or by the caller's own id of it. */

import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { getSender, listSenders } from '../../contract/operations/senders.ts';
import type { Sender } from '../../contract/resources/sender.ts';
import { isUuid } from '../../core/ids.ts';
import { hint } from '../../core/next.ts';
import { notFound } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';
import { fullId, type Use } from './transaction.ts';

/** An external id may have the form of an id: many make UUIDs of their own. @throws Problem (not found) */
export async function findSender(desk: Desk, given: string, use: Use): Promise<Sender> {
  const client = await desk.client();
  const byId = isUuid(given) ? await orMissing(client, given.toLowerCase()) : undefined;
  const found = byId ?? (await senderByExternalId(client, given)) ?? (await byShortId(desk, given, use));
  if (found === undefined)
    throw notFound(
      `no sender has the id or external id "${given}"`,
      hint`${{ do: 'list_senders' }} shows the latest`,
    );
  await desk.remember([{ kind: 'sender', id: found.id ?? '', externalId: found.external_id ?? undefined }]);
  return found;
}

/** The id that a filter takes, whatever was given. */
export async function senderIdOf(desk: Desk, given: string): Promise<string> {
  return isUuid(given) ? given.toLowerCase() : ((await findSender(desk, given, 'read')).id ?? given);
}

async function byShortId(desk: Desk, given: string, use: Use): Promise<Sender | undefined> {
  const full = await fullId(desk, given, 'sender', use);
  return full === given ? undefined : orMissing(await desk.client(), full);
}

async function orMissing(client: Client, id: string): Promise<Sender | undefined> {
  try {
    return (await client.call(getSender, { path: { sender_id: id } })).object;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

export async function senderByExternalId(client: Client, externalId: string): Promise<Sender | undefined> {
  const { object } = await client.call(listSenders, { query: { external_id: externalId } });
  return object.find((candidate) => candidate.external_id === externalId);
}
