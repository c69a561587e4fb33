/**
 * The journal of intents on disk (docs/rules.md 2, decision 0007). The request's text is kept while the outcome is open or
 * unknown, since settling needs the same bytes, and wiped as soon as it is known.
 */
import { uuid } from '../core/ids.ts';
import { invariant } from '../core/invariants.ts';
import {
  type Intent,
  type IntentFilter,
  type IntentState,
  type Intents,
  type NewIntent,
  REPEAT_WINDOW_MS,
} from '../core/ports/intents.ts';
import type { StoreDependencies } from './dependencies.ts';
import type { Database, Row } from './driver.ts';

/** What may be the same payment: not over, or so fresh that it may be the same wish. */
const ALIKE = `SELECT * FROM intents
  WHERE digest = ? AND (state IN ('open', 'unknown') OR (state = 'applied' AND (told_at IS NULL OR told_at > ?)))
  ORDER BY seq DESC`;

export function createJournal(database: Database, { clock, random }: StoreDependencies): Intents {
  const get = (id: string) => read(database.get('SELECT * FROM intents WHERE id = ?', id));
  return {
    open: (intent, judge) =>
      database.transaction(() => {
        const now = clock.now();
        const alike = () =>
          database.all(ALIKE, intent.digest, now - REPEAT_WINDOW_MS).flatMap((row) => read(row) ?? []);
        const refused = judge?.(alike());
        if (refused !== undefined) return { refused };
        const opened: Intent = { ...intent, id: uuid(random), state: 'open', ...times(now) };
        insert(database, opened);
        const kept = get(opened.id);
        invariant(
          kept?.state === 'open' && kept.request === intent.request && kept.digest === intent.digest,
          'an intent is in the journal, open and with the request that will be sent, before anything is sent',
        );
        return { opened };
      }),
    close(id, { state, resultId, note }) {
      const changes = database.run(
        `UPDATE intents SET state = ?, updated_at = ?, result_id = COALESCE(?, result_id), note = COALESCE(?, note),
           request = CASE WHEN ? THEN request END
         WHERE id = ? AND state IN ('open', 'unknown')`,
        state,
        clock.now(),
        resultId ?? null,
        note ?? null,
        state === 'unknown' ? 1 : 0,
        id,
      );
      const closed = get(id);
      invariant(closed, `no intent ${id} to close`);
      invariant(changes === 0 || closed.state === state, 'an intent is closed as it was told to be');
      invariant(closed.state !== 'open', 'what was closed is open no more');
      invariant(
        changes === 0 || (closed.request !== undefined) === (state === 'unknown'),
        'the request is kept as long as the outcome is unknown, and no longer',
      );
    },
    told(id) {
      const changes = database.run(
        'UPDATE intents SET told_at = COALESCE(told_at, ?) WHERE id = ?',
        clock.now(),
        id,
      );
      invariant(changes === 1, `no intent ${id} to tell of`);
    },
    rekey(id, digest) {
      invariant(digest !== '', 'an intent is known by its digest');
      database.run('UPDATE intents SET digest = ? WHERE id = ?', digest, id);
    },
    get,
    list({ limit = 100, ...filter } = {}) {
      const terms = termsOf(filter);
      const where = terms.length === 0 ? '' : `WHERE ${terms.map(({ sql }) => sql).join(' AND ')}`;
      const sql = `SELECT * FROM intents ${where} ORDER BY seq DESC LIMIT ?`;
      return database
        .all(sql, ...terms.flatMap(({ values }) => values), limit)
        .flatMap((row) => read(row) ?? []);
    },
  };
}

interface Term {
  sql: string;
  values: (string | number)[];
}

function termsOf({ states, digest, profile, command, from, to, prefix }: IntentFilter): Term[] {
  const term = (sql: string, ...values: (string | number | undefined)[]): Term[] =>
    values[0] === undefined ? [] : [{ sql, values: values as (string | number)[] }];
  return [
    ...(states === undefined
      ? []
      : [{ sql: `state IN (${states.map(() => '?').join(', ')})`, values: [...states] }]),
    ...term('digest = ?', digest),
    ...term('profile = ?', profile),
    ...term('created_at >= ?', from),
    ...term('created_at <= ?', to),
    ...term('substr(id, 1, length(?)) = ?', prefix, prefix),
    // Last: it reads the row's JSON.
    ...term(
      "(about ->> '$.command' = ? OR substr(about ->> '$.command', 1, length(?) + 1) = ? || ' ')",
      command,
      command,
      command,
    ),
  ];
}

const times = (now: number) => ({ createdAt: now, updatedAt: now });

function insert(database: Database, intent: Intent): void {
  const { id, profile, digest, state, createdAt, updatedAt, request, ...about } = intent;
  database.run(
    `INSERT INTO intents (id, profile, digest, state, created_at, updated_at, about, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    profile,
    digest,
    state,
    createdAt,
    updatedAt,
    JSON.stringify(about),
    request ?? null,
  );
}

type About = Omit<NewIntent, 'profile' | 'digest' | 'request'>;

function read(row: Row | undefined): Intent | undefined {
  if (!row) return undefined;
  return {
    ...(JSON.parse(String(row.about)) as About),
    id: String(row.id),
    profile: String(row.profile),
    digest: String(row.digest),
    state: row.state as IntentState,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(row.told_at === null || row.told_at === undefined ? {} : { toldAt: Number(row.told_at) }),
    ...optional('request', row.request),
    ...optional('resultId', row.result_id),
    ...optional('note', row.note),
  };
}

function optional<K extends string>(name: K, value: Row[string] | undefined): Partial<Record<K, string>> {
  return typeof value === 'string' ? ({ [name]: value } as Record<K, string>) : {};
}
