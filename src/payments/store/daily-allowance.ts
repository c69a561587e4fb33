/** The payments that the gate let through, beside the journal and in its file: what counts and the intents that it is about are on one disk. */

import type { FileParts } from '../../client/store/journal-file.ts';
import { invariant } from '../../core/invariants.ts';
import { gt } from '../../core/money.ts';
import {
  type AllowanceUse,
  CEILING_MS,
  type DailyAllowance,
  type DayAmount,
} from './daily-allowance-port.ts';

/** Longer than a ceiling needs: a clock that was wrong for a while and is put right loses nothing. */
const KEPT_MS = 7 * CEILING_MS;

const FORGET = 'DELETE FROM let_through WHERE at <= ?';
const LATELY =
  'SELECT name, currency, amount, at FROM let_through WHERE profile = ? AND at > ? ORDER BY at, seq';
const RENAME = 'UPDATE let_through SET name = ? WHERE profile = ? AND name = ?';
const ADD =
  'INSERT INTO let_through (admission, profile, name, currency, amount, at) VALUES (?, ?, ?, ?, ?, ?)';

export function createDailyAllowance({ database, clock, write }: FileParts): DailyAllowance {
  function together(
    { profile, payments }: Pick<AllowanceUse, 'profile' | 'payments'>,
    now: number,
  ): DayAmount[] {
    const renamed = new Map(
      payments.flatMap(({ names: [first, ...others] }) => others.map((one) => [one, first])),
    );
    const kept = database.all(LATELY, profile, now - CEILING_MS).map((row) => {
      const name = String(row.name);
      return {
        ...{ name: renamed.get(name) ?? name, currency: String(row.currency) },
        ...{ amount: String(row.amount), at: Number(row.at) },
      };
    });
    const added = payments.map(({ names: [name], amount, currency }) => ({
      name,
      amount,
      currency,
      at: now,
    }));
    return largestOfEach([...kept, ...added]);
  }

  function add<Refusal>(
    use: AllowanceUse,
    judge: (lately: readonly DayAmount[]) => Refusal | undefined,
  ): Refusal | undefined {
    const now = clock.now();
    database.run(FORGET, now - KEPT_MS);
    const refusal = judge(together(use, now));
    if (refusal !== undefined) return refusal;
    const { id, profile, payments } = use;
    for (const { names, amount, currency } of payments) {
      const [name, ...others] = names;
      for (const other of others) database.run(RENAME, name, profile, other);
      const added = database.run(ADD, id, profile, name, currency, amount, now);
      invariant(added === 1, 'an amount is counted before anything is paid of it');
    }
    return undefined;
  }

  function release(countId: string, names: readonly string[] | undefined): void {
    if (names === undefined) database.run('DELETE FROM let_through WHERE admission = ?', countId);
    for (const name of names ?? [])
      database.run('DELETE FROM let_through WHERE admission = ? AND name = ?', countId, name);
  }

  return {
    usesWith: async (use) => together(use, clock.now()),
    add: (use, judge) => write(() => add(use, judge)),
    release: (countId, names) => write(() => release(countId, names)),
  };
}

/** One entry for each payment and currency, oldest first. */
function largestOfEach(rows: readonly DayAmount[]): DayAmount[] {
  const largest = new Map<string, DayAmount>();
  for (const row of rows) {
    const key = JSON.stringify([row.name, row.currency]);
    const before = largest.get(key);
    const amount = before !== undefined && gt(before.amount, row.amount) ? before.amount : row.amount;
    largest.delete(key);
    largest.set(key, { ...row, amount });
  }
  return [...largest.values()];
}
