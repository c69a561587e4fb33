/** Finding entries by parts of their texts. */
import { invariant } from '../../../core/invariants.ts';
import type { Database, Row } from '../../../disk/driver.ts';
import type { Books, FoundEntry } from '../port.ts';

const FEW = 2_000;

const quoted = (part: string): string => `"${part.replaceAll('"', '""')}"`;

export const foundOf = (row: Row): FoundEntry => ({
  id: String(row.id),
  createdAt: Number(row.created_at),
  heardAt: Number(row.heard_at),
  body: String(row.body),
});

export function createFinding(database: Database): Pick<Books, 'find'> {
  return {
    async find(parts, { limit, from = 0, to = Number.MAX_SAFE_INTEGER, containing = [] }) {
      invariant(
        parts.flat().every((part) => part.length >= 3),
        'a part has three characters or more',
      );
      const holds = containing.map(() => ' AND instr(body, ?) > 0').join('');
      if (parts.length === 0) {
        const walk = `SELECT id, created_at, heard_at, body FROM entries INDEXED BY entries_created
          WHERE created_at >= ? AND created_at < ?${holds} ORDER BY created_at DESC LIMIT ?`;
        return database.all(walk, from, to, ...containing, limit).map(foundOf);
      }
      const query = parts.map((spellings) => `(${spellings.map(quoted).join(' OR ')})`).join(' AND ');
      // Few entries are looked up one by one; the newest of many are met soon on a walk along the times.
      const seqs = database.all(`SELECT rowid FROM finds WHERE finds MATCH ? LIMIT ${FEW + 1}`, query);
      const isFew = seqs.length <= FEW;
      const sql = `SELECT id, created_at, heard_at, body FROM entries${isFew ? '' : ' INDEXED BY entries_created'}
        WHERE ${isFew ? 'seq IN (SELECT value FROM json_each(?))' : '+seq IN (SELECT rowid FROM finds WHERE finds MATCH ?)'}
        AND created_at >= ? AND created_at < ?${holds} ORDER BY created_at DESC LIMIT ?`;
      const among = isFew ? JSON.stringify(seqs.map(({ rowid }) => rowid)) : query;
      return database.all(sql, among, from, to, ...containing, limit).map(foundOf);
    },
  };
}
