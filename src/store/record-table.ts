/** One table of records: the port's questions as SQL. Names come from the specification, values are always bound. */
import { invariant } from '../core/invariants.ts';
import type {
  ColumnValue,
  Condition,
  RecordTable,
  Selection,
  StoredRecord,
  TableSpec,
} from '../core/ports/record-database.ts';
import type { Database, Row } from './driver.ts';

interface Where {
  sql: string;
  values: ColumnValue[];
}

export function createTable(database: Database, spec: TableSpec, writing: () => void): RecordTable {
  const { name } = spec;
  const columns = Object.keys(spec.columns);
  invariant(
    [name, ...columns].every((word) => /^[a-z_]+$/.test(word)),
    `${name} has plain names`,
  );
  const add = addSql(name, columns);
  const read = `SELECT sequence, id, body FROM ${name}`;
  const numberOf = (sql: string, ...values: ColumnValue[]) => Number(database.get(sql, ...values)?.n ?? 0);
  const lastSequence = () => numberOf(`SELECT max(sequence) AS n FROM ${name}`);
  return {
    get: (id) => stored(database.get(`${read} WHERE id = ?`, id)),
    find: (column, value) => stored(database.get(`${read} WHERE ${column} = ? LIMIT 1`, value)),
    select(selection) {
      const { sql, values } = selectSql(name, selection);
      return database.all(sql, ...values).map((row) => stored(row) as StoredRecord);
    },
    count(where) {
      const { sql, values } = whereSql(where);
      return numberOf(`SELECT count(*) AS n FROM ${name}${sql}`, ...values);
    },
    firstFrom(column, least) {
      invariant(columns.includes(column), `${column} is a column of ${name}`);
      const next = `SELECT ${column} AS n FROM ${name} WHERE sequence >= ? ORDER BY sequence LIMIT 1`;
      let low = numberOf(`SELECT min(sequence) AS n FROM ${name}`);
      let high = lastSequence() + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (numberOf(next, middle) < least) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    lastSequence,
    add({ sequence, id, body, columns: values }) {
      writing();
      database.run(add, sequence, id, ...columns.map((column) => values[column] ?? null), body);
    },
    change(sequence, changed, body) {
      writing();
      const set = Object.keys(changed).map((column) => `${column} = ?, `);
      const sql = `UPDATE ${name} SET ${set.join('')}body = ? WHERE sequence = ?`;
      database.run(sql, ...Object.values(changed), body, sequence);
    },
    remove(sequence) {
      writing();
      database.run(`DELETE FROM ${name} WHERE sequence = ?`, sequence);
    },
    removeUpTo(sequence) {
      writing();
      database.run(`DELETE FROM ${name} WHERE sequence <= ?`, sequence);
    },
    clear() {
      writing();
      database.run(`DELETE FROM ${name}`);
    },
  };
}

function stored(row: Row | undefined): StoredRecord | undefined {
  return row && { sequence: Number(row.sequence), id: String(row.id), body: String(row.body) };
}

function addSql(name: string, columns: readonly string[]): string {
  const all = ['sequence', 'id', ...columns, 'body'];
  return `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`;
}

function whereSql(where: readonly Condition[]): Where {
  const parts: string[] = [];
  const values: ColumnValue[] = [];
  for (const condition of where) {
    const { column } = condition;
    invariant(/^[a-z_]+$/.test(column), `${column} is a column`);
    if ('in' in condition) {
      parts.push(
        condition.in.length === 1 ? `${column} = ?` : `${column} IN (${condition.in.map(() => '?')})`,
      );
      values.push(...condition.in);
      continue;
    }
    if (condition.from !== undefined) {
      parts.push(`${column} >= ?`);
      values.push(condition.from);
    }
    if (condition.to !== undefined) {
      parts.push(`${column} <= ?`);
      values.push(condition.to);
    }
  }
  return { sql: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values };
}

/**
 * Records of one value of an indexed column come in order, those of several do not: each value is then read by itself, as far
 * as the page needs, instead of sorting all.
 */
function selectSql(name: string, { where, order, limit, offset }: Selection): Where {
  const direction = order === 'newest' ? 'DESC' : 'ASC';
  const several = where.find((condition) => 'in' in condition && condition.in.length > 1);
  const read = `SELECT sequence, id, body FROM ${name}`;
  const by = `ORDER BY sequence ${direction} LIMIT ?`;
  if (!several || !('in' in several)) {
    const { sql, values } = whereSql(where);
    return { sql: `${read}${sql} ${by} OFFSET ?`, values: [...values, limit, offset] };
  }
  const rest = where.filter((condition) => condition !== several);
  const each = [...new Set(several.in)].map((value) =>
    whereSql([{ column: several.column, in: [value] }, ...rest]),
  );
  const parts = each.map(({ sql }) => `SELECT * FROM (SELECT sequence FROM ${name}${sql} ${by})`);
  return {
    sql: `${read} WHERE sequence IN (SELECT sequence FROM (${parts.join(' UNION ALL ')}) ${by} OFFSET ?) ORDER BY sequence ${direction}`,
    values: [...each.flatMap(({ values }) => [...values, limit + offset]), limit, offset],
  };
}
