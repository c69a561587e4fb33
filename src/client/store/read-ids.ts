/** Ids and names for completion: read from the store as it is, without opening it for writing; the latest first. */
import { readOnce } from '../../disk/driver.ts';

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

/**
 * The most ids of one beginning that are looked at; the latest of them are taken. The user pressed a key and
 * waits.
 */
const LOOKED_AT = 1_000;
/** Sorts after every character that an id or a name has. */
const LAST = '\uffff';

/** Returns the seen objects whose own or external id begins with the prefix. */
export async function readSeenIds(
  wanted: Wanted & { scope: string; kinds: readonly string[] },
): Promise<SeenId[]> {
  const { path, scope, kinds, prefix, limit } = wanted;
  const of = `scope = ? AND kind IN (${kinds.map(() => '?').join(', ')})`;
  const columns = 'kind, id, external_id, seen_at';
  // Each part is one walk along an index: 20,000 ids are no slower than twenty.
  const beginning = (column: string) =>
    `SELECT * FROM (SELECT ${columns} FROM seen WHERE ${of} AND ${column} >= ? AND ${column} < ? LIMIT ${LOOKED_AT})`;
  const sql =
    prefix === ''
      ? kinds
          .map(
            () => `SELECT * FROM (SELECT ${columns} FROM seen WHERE scope = ? AND kind = ?
             ORDER BY seen_at DESC LIMIT ${limit})`,
          )
          .join(' UNION ')
      : `${beginning('id')} UNION ${beginning('external_id')}`;
  const range = [scope, ...kinds, prefix, prefix + LAST];
  const values = prefix === '' ? kinds.flatMap((kind) => [scope, kind]) : [...range, ...range];
  const rows = await readOnce(path, `${sql} ORDER BY seen_at DESC LIMIT ${limit}`, ...values);
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

/** @param states only these; all where there are none */
export async function readIntentIds({
  path,
  prefix,
  limit,
  states,
}: Wanted & { states: readonly string[] }): Promise<IntentId[]> {
  const among = states.length === 0 ? '' : ` AND state IN (${states.map(() => '?').join(', ')})`;
  const rows = await readOnce(
    path,
    `SELECT id, state FROM intents WHERE substr(id, 1, ?) = ?${among} ORDER BY seq DESC LIMIT ?`,
    prefix.length,
    prefix,
    ...states,
    limit,
  );
  return rows.map(({ id, state }) => ({ id: String(id), state: String(state) }));
}

export interface RunName {
  name: string;
  state: string;
}

/** Without a beginning the latest of all runs are walked, with one the index of names: many runs are no slower than a few. */
const LATEST = `SELECT name, state FROM payruns WHERE base_url = ? AND state NOT IN ('draft', 'gone') ORDER BY seq DESC LIMIT ?`;
const BEGINNING = `SELECT name, state FROM (SELECT name, state, seq FROM payruns
  WHERE base_url = ? AND state NOT IN ('draft', 'gone') AND name >= ? AND name < ? LIMIT 1000) ORDER BY seq DESC LIMIT ?`;

/** The names of pay runs of an account. */
export async function readRunNames(wanted: Wanted & { baseUrl: string }): Promise<RunName[]> {
  const { path, baseUrl, prefix, limit } = wanted;
  const rows =
    prefix === ''
      ? await readOnce(path, LATEST, baseUrl, limit)
      : await readOnce(path, BEGINNING, baseUrl, prefix, prefix + LAST, limit);
  return rows.map(({ name, state }) => ({ name: String(name), state: String(state) }));
}
