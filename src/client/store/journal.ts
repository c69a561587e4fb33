/**
 * The journal of intents on disk (docs/rules.md 2, decision 0007). The request's text is kept while the outcome is open or
 * unknown, since settling needs the same bytes, and wiped as soon as it is known.
 */
import { invariant } from '../../core/invariants.ts';
import { committedTogether, type Write } from '../../disk/commit-together.ts';
import type { Database, Row } from '../../disk/driver.ts';
import {
  closableTo,
  INTENT_COLUMNS,
  RESULT_COLUMNS,
  readIntent,
  readStanding,
  STOPPED_RUN,
  valuesOf,
} from './intent-row.ts';
import { drawIntent, FORGOTTEN, type IntentWrites, type StoreDependencies } from './intent-writes.ts';
import { sqliteKeyJoins } from './key-joins.ts';
import {
  givenIdOf,
  type Intent,
  type IntentFilter,
  type IntentState,
  type Intents,
  type NewIntent,
  REPEAT_WINDOW_MS,
} from './port.ts';

/** Finds intents that may be the same payment: not over, or so fresh that it may be the same wish. */
const alike = (given: string): string => `SELECT * FROM intents
  WHERE digest = ? AND ${given} AND (state IN ('open', 'unknown') OR (state = 'applied' AND (told_at IS NULL OR told_at > ?)))
  ORDER BY seq DESC`;
const ALIKE = alike('(given_id IS NULL OR given_id = ?)');
const ALIKE_OF_ANY_ID = alike('TRUE');
const OPEN_OF_SUBJECT = `SELECT * FROM intents WHERE about ->> '$.subject' = ? AND state = 'open' AND digest <> ? ORDER BY seq DESC`;
const GET = 'SELECT * FROM intents WHERE id = ?';
const STOPPED = `SELECT 1 FROM intents i, payrun_rows w, payruns r
  WHERE i.id = ? AND w.external_id = i.given_id AND w.intent_id = i.id AND r.seq = w.run AND ${STOPPED_RUN}`;
const INSERT = `INSERT INTO intents (${INTENT_COLUMNS.join(', ')}) VALUES (${INTENT_COLUMNS.map(() => '?').join(', ')})
  RETURNING state, digest, request`;
const CLOSE = `UPDATE intents
  SET state = ?, updated_at = ?, result_id = COALESCE(?, result_id), note = COALESCE(?, note), empty_since = ?,
    request = CASE WHEN ? THEN NULL ELSE request END, told_at = COALESCE(told_at, ?)
  WHERE id = ? AND ${closableTo('?1')} RETURNING ${RESULT_COLUMNS}`;
const TOLD = `UPDATE intents SET told_at = COALESCE(told_at, ?), told_uptime = COALESCE(told_uptime, ?),
    told_seq = COALESCE(told_seq, (SELECT COALESCE(max(told_seq), 0) + 1 FROM intents WHERE told_seq IS NOT NULL)) WHERE id = ?`;
const TOLD_WITH_ROW = 'UPDATE intents SET told_at = COALESCE(told_at, ?) WHERE id = ?';
const LAST_TOLD = 'SELECT COALESCE(max(told_seq), 0) AS last FROM intents WHERE told_seq IS NOT NULL';
const TRIES = 'SELECT DISTINCT digest, given_id FROM intents WHERE id IN (SELECT value FROM json_each(?))';
const FORGET = `UPDATE intents SET request = NULL, note = NULL, digest = '${FORGOTTEN}',
    about = json_set(json_remove(about, '$.payer'), '$.summary', '${FORGOTTEN}')
  WHERE digest = ? AND given_id IS ? AND state NOT IN ('open', 'unknown')`;

/** @param write shared by all that write to the same file in the same turn */
export function createJournal(
  database: Database,
  { clock, random }: StoreDependencies,
  write: Write = committedTogether(database),
): Intents {
  const { open, close, told } = changes(database, { clock, random });
  return {
    open: (intent, judge) => write(() => open(intent, judge)),
    close: (id, closing) => write(() => close(id, closing)),
    told: (id) => write(() => told(id)),
    lastTold: async () => Number(database.get(LAST_TOLD)?.last),
    ...sqliteKeyJoins(database, write),
    async rekey(id, digest) {
      invariant(digest !== '', 'an intent is known by its digest');
      await write(() => database.run('UPDATE intents SET digest = ? WHERE id = ?', digest, id));
    },
    get: async (id) => readOne(database, id),
    isStopped: async (id) => database.get(STOPPED, id) !== undefined,
    async list({ limit = 100, ...filter } = {}) {
      const { where, values } = whereOf(filter);
      const sql = `SELECT * FROM intents ${where} ORDER BY seq DESC LIMIT ?`;
      return database.all(sql, ...values, limit).map(readIntent);
    },
    async count(filter = {}) {
      const { where, values } = whereOf(filter);
      return Number(database.get(`SELECT count(*) AS total FROM intents ${where}`, ...values)?.total);
    },
  };
}

const readOne = (database: Database, id: string): Intent | undefined =>
  database.all(GET, id).map(readIntent)[0];

/** The writes of the journal that are done within a transaction. */
function changes(database: Database, { clock, random }: StoreDependencies) {
  const writes = intentWrites(database, { clock, random });

  function alikeOf(intent: NewIntent, since: number): Row[] {
    const { digest, subject } = intent;
    const given = givenIdOf(intent);
    const same =
      given === undefined
        ? database.all(ALIKE_OF_ANY_ID, digest, since)
        : database.all(ALIKE, digest, given, since);
    return subject === undefined ? same : [...same, ...database.all(OPEN_OF_SUBJECT, subject, digest)];
  }

  function open<Refusal>(
    intent: NewIntent,
    judge?: (alike: readonly Intent[]) => Refusal | undefined,
  ): { opened: Intent } | { refused: Refusal } {
    const refused = judge?.(alikeOf(intent, clock.now() - REPEAT_WINDOW_MS).map(readIntent));
    if (refused !== undefined) return { refused };
    const opened = writes.draw(intent);
    writes.insert(opened);
    return { opened };
  }

  return { open, close: writes.close, told: writes.told };
}

/** Writes of intents within a transaction, of the journal or of a pay run. */
export function intentWrites(database: Database, dependencies: StoreDependencies): IntentWrites {
  const { clock } = dependencies;
  const mustBeThere = (id: string, changed: number | bigint): void =>
    invariant(Number(changed) === 1, `no intent ${id} to tell of`);
  const told = (id: string): void =>
    mustBeThere(id, database.run(TOLD, clock.now(), clock.uptime?.() ?? null, id));
  const toldWithRow = (id: string): void => mustBeThere(id, database.run(TOLD_WITH_ROW, clock.now(), id));
  return {
    draw: (intent) => drawIntent(dependencies, intent),
    insert(opened) {
      const kept = database.get(INSERT, ...valuesOf(opened));
      invariant(
        kept?.state === 'open' && kept.request === opened.request && kept.digest === opened.digest,
        'an intent is in the journal, open and with the request that will be sent, before anything is sent',
      );
    },
    stateOf(id) {
      const row = database.get('SELECT state FROM intents WHERE id = ?', id);
      invariant(row, `no intent ${id} to close`);
      return row.state as IntentState;
    },
    close(id, { state, resultId, note, emptySince }, isTold = false) {
      const isOver = state === 'unknown' ? 0 : 1;
      const now = dependencies.clock.now();
      const said = [state, now, resultId ?? null, note ?? null, emptySince ?? null];
      const values = [...said, isOver, isTold ? now : null, id];
      const row = database.get(CLOSE, ...values);
      const closed = row && readStanding(row);
      const standing = closed ?? readOne(database, id);
      invariant(standing, `no intent ${id} to close`);
      invariant(!closed || closed.state === state, 'an intent is closed as it was told to be');
      invariant(standing.state !== 'open', 'what was closed is open no more');
      invariant(
        !closed || (closed.request !== undefined) === (state === 'unknown'),
        'the request is kept as long as the outcome is unknown, and no longer',
      );
      if (isTold && !closed) toldWithRow(id);
      return standing;
    },
    told,
    forget(ids) {
      for (const { digest = '', given_id: given = null } of database.all(TRIES, JSON.stringify(ids)))
        database.run(FORGET, digest, given);
    },
  };
}

interface Term {
  sql: string;
  values: (string | number)[];
}

/** Written out, so that SQLite sees that the index of the unsettled ones fits. */
function quoted(state: IntentState): string {
  invariant(/^[a-z_]+$/.test(state), 'a state is a plain word');
  return `'${state}'`;
}

function whereOf(filter: IntentFilter): { where: string; values: (string | number)[] } {
  const terms = termsOf(filter);
  return {
    where: terms.length === 0 ? '' : `WHERE ${terms.map(({ sql }) => sql).join(' AND ')}`,
    values: terms.flatMap(({ values }) => values),
  };
}

function termsOf({
  after,
  states,
  digest,
  profile,
  subject,
  command,
  from,
  to,
  prefix,
}: IntentFilter): Term[] {
  const term = (sql: string, ...values: (string | number | undefined)[]): Term[] =>
    values[0] === undefined ? [] : [{ sql, values: values as (string | number)[] }];
  return [
    ...(states === undefined ? [] : [{ sql: `state IN (${states.map(quoted).join(', ')})`, values: [] }]),
    ...term('seq > (SELECT seq FROM intents WHERE id = ?)', after),
    ...term('digest = ?', digest),
    ...term('profile = ?', profile),
    ...term("about ->> '$.subject' = ?", subject),
    ...term('created_at >= ?', from),
    ...term('created_at <= ?', to),
    ...term('substr(id, 1, length(?)) = ?', prefix, prefix),
    ...term("(command = ? OR substr(command, 1, length(?) + 1) = ? || ' ')", command, command, command),
  ];
}
