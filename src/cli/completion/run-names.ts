/** The names of pay runs of an account, for completion: read from the file as it is, the latest first. */
import { readOnce } from '../../store/driver.ts';

export interface RunName {
  name: string;
  state: string;
}

/** Sorts after every character that a name has. */
const LAST = '\uffff';
/** Without a beginning the latest of all runs are walked, with one the index of names: many runs are no slower than a few. */
const LATEST = `SELECT name, state FROM payruns WHERE base_url = ? AND state NOT IN ('draft', 'gone') ORDER BY seq DESC LIMIT ?`;
const BEGINNING = `SELECT name, state FROM (SELECT name, state, seq FROM payruns
  WHERE base_url = ? AND state NOT IN ('draft', 'gone') AND name >= ? AND name < ? LIMIT 1000) ORDER BY seq DESC LIMIT ?`;

export async function readRunNames({
  path,
  baseUrl,
  prefix,
  limit,
}: {
  path: string;
  baseUrl: string;
  prefix: string;
  limit: number;
}): Promise<RunName[]> {
  const rows =
    prefix === ''
      ? await readOnce(path, LATEST, baseUrl, limit)
      : await readOnce(path, BEGINNING, baseUrl, prefix, prefix + LAST, limit);
  return rows.map(({ name, state }) => ({ name: String(name), state: String(state) }));
}
