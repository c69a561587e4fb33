/** Ids for completion: read from the store as it is, without opening it for writing; the latest first. */
import { readOnce } from './driver.ts';

export interface SeenId {
  kind: string;
  id: string;
  externalId: string | null;
}

interface Wanted {
  path: string;
  /** How an id begins. */
  prefix: string;
  limit: number;
}

/** Of very many, older ones are not looked at: a key was pressed, and somebody waits. */
const LOOKED_AT = 20_000;

/** Those whose own or external id begins with the prefix. */
export async function readSeenIds(
  wanted: Wanted & { scope: string; kinds: readonly string[] },
): Promise<SeenId[]> {
  const { path, scope, kinds, prefix, limit } = wanted;
  const marks = kinds.map(() => '?').join(', ');
  const rows = await readOnce(
    path,
    `SELECT kind, id, external_id FROM (
       SELECT kind, id, external_id, seen_at FROM seen WHERE scope = ? AND kind IN (${marks})
       ORDER BY seen_at DESC LIMIT ${LOOKED_AT}
     )
     WHERE substr(id, 1, ?) = ? OR substr(external_id, 1, ?) = ? ORDER BY seen_at DESC LIMIT ?`,
    scope,
    ...kinds,
    prefix.length,
    prefix,
    prefix.length,
    prefix,
    limit,
  );
  return rows.map(({ kind, id, external_id }) => ({
    kind: String(kind),
    id: String(id),
    externalId: external_id === null ? null : String(external_id),
  }));
}

export interface IntentId {
  id: string;
  state: string;
}

export async function readIntentIds({ path, prefix, limit }: Wanted): Promise<IntentId[]> {
  const rows = await readOnce(
    path,
    'SELECT id, state FROM intents WHERE substr(id, 1, ?) = ? ORDER BY seq DESC LIMIT ?',
    prefix.length,
    prefix,
    limit,
  );
  return rows.map(({ id, state }) => ({ id: String(id), state: String(state) }));
}
