/**
 * Rows that a person says were not paid, for what nobody can find out: the provider's word, a first call that never arrived. Each is looked for
 * first, and what is found counts, whatever the person says. A row that is not found is planned again, under the external id that it has: the
 * service takes that once, so a late first call and the next one cannot both pay.
 *
 * If the process dies before a row is closed, that row is unknown as before; after it, the word stands. Nothing is sent either way.
 */

import { kinship } from '../../core/account.ts';
import type { PayRow, PayRun } from '../../core/ports/payruns.ts';
import { notFound, usage } from '../../core/problem.ts';
import { accountOf } from '../../profiles/connection.ts';
import type { Desk } from '../desk.ts';
import { wordOf } from '../payments/by-word.ts';
import { byName } from '../payments/confirmation.ts';
import type { Step } from '../payments/gate.ts';
import { counted } from '../words/amount.ts';
import { isTwoPerson } from './rule.ts';
import type { NotPaid, PayStore } from './terms.ts';

const NAMED = 10;

/** @throws Problem where a row is not of unknown outcome, or where the run wants another person's word */
export async function rowsNotPaid(
  desk: Desk,
  { payruns, intents }: PayStore,
  { run, keys, because }: { run: PayRun; keys: readonly string[]; because: string },
): Promise<{ notPaid: NotPaid; step: Step }> {
  const rows: PayRow[] = [];
  for (const key of keys) {
    const row = await payruns.row(run.id, key);
    if (row === undefined) throw notFound(`the run "${run.name}" has no row ${key}`);
    if (row.state !== 'unknown' && row.state !== 'sending')
      throw usage(
        `row ${key} is ${row.state.replace('_', ' ')}: it is known what became of it`,
        'leave it out: a word is taken for rows of unknown outcome alone',
      );
    rows.push(row);
  }
  if (isTwoPerson(run)) await refusePayer(desk, intents, rows);
  const named = rows.slice(0, NAMED).map(({ key }) => key);
  const more = rows.length > NAMED ? `, and ${rows.length - NAMED} more` : '';
  return {
    notPaid: { rows: new Set(rows.map(({ n }) => n)), note: wordOf(desk, because) },
    step: {
      effect: 'money',
      explicitId: true,
      word: 'not paid',
      confirm: byName(run.name),
      what: [
        `record as not paid: ${counted(rows.length, 'row')} of run ${run.name}: ${named.join(', ')}${more}`,
        `because: ${because}`,
        'each is looked for first; what is found counts',
      ],
      warnings: [
        'if one was paid all the same, and its transaction is not found later, to pay it again pays it twice',
      ],
    },
  };
}

/** Whoever sent a row gains by calling it unpaid. @throws Problem (usage) */
async function refusePayer(desk: Desk, intents: PayStore['intents'], rows: readonly PayRow[]): Promise<void> {
  const here = accountOf(await desk.connection());
  const joins = await intents.joins();
  for (const { key, intentId } of rows) {
    const intent = intentId === undefined ? undefined : await intents.get(intentId);
    if (intent === undefined || kinship(here, intent, joins) === 'other') continue;
    throw usage(
      `row ${key} was sent with this key (…${intent.keyLast4}), and the run wants two persons`,
      'the other person says that it was not paid, with a profile of a key of their own',
    );
  }
}
