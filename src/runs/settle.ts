/**
 * Settles rows of unknown outcome: each is looked for, and the same payment with the same external id is sent again where it is not found.
 * Rows of a run that may not be paid now (rejected, on hold, cancelled, its approvals ended) are only looked for.
 *
 * A person may say of rows that they were not paid, where it cannot be found out: the provider's word, a first call that never arrived. Such a
 * row is looked for too, and what is found counts, whatever the person says. A row that is not found is planned again, under the external id
 * that it has: the service takes that once, so a late first call and the next one cannot both pay.
 *
 * If the process dies before a row is closed, that row is unknown as before; after it, the word stands. Nothing is sent either way.
 */

import type { Intent } from '../client/store/port.ts';
import { accountRelation } from '../core/account.ts';
import { counted } from '../core/amount-words.ts';
import { type Hint, hint as sentence } from '../core/next.ts';
import { notFound, type Problem, usage } from '../core/problem.ts';
import { byName, byTotal } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer, type WritePermit, type WriteStep } from '../payments/gate.ts';
import { manualOutcomeNote } from '../payments/manual-outcome.ts';
import { runName } from '../payments/store/daily-allowance-port.ts';
import { accountOf } from '../profiles/connection.ts';
import { type RunConclusion, runConclusion } from './conclusion.ts';
import { refuseOtherAccount } from './find-run.ts';
import { runsOfFile } from './open-store.ts';
import { payRun } from './pay.ts';
import { rowsIn } from './rows-in.ts';
import { isTwoPerson } from './rule.ts';
import { stopOf } from './stopped.ts';
import type { PayRow, PayRun, RowSum } from './store/port.ts';
import { storeFailed } from './store-failed.ts';
import type { NotPaid, PayStore } from './terms.ts';

const NAMED = 10;

/** Rows that a person says were not paid, by their keys, and why. */
export interface NotPaidClaim {
  keys: readonly string[];
  because: string;
}

/** @throws Problem where the run is of another account, where the word cannot be taken, or where the person says no */
export async function settleRows(
  desk: Desk,
  store: PayStore,
  { run, said, confirmer }: { run: PayRun; said: NotPaidClaim | undefined; confirmer: Confirmer },
): Promise<RunConclusion> {
  const joins = await store.intents.joins();
  await refuseOtherAccount(desk, { run, payruns: store.payruns, joins });
  const open = (await store.payruns.sums(run.id)).filter(
    ({ state }) => state === 'unknown' || state === 'sending',
  );
  const rows = open.reduce((all, sum) => all + sum.rows, 0);
  const word = said && (await rowsNotPaid(desk, store, { run, ...said }));
  if (rows === 0) return runConclusion(store.payruns, run);
  const stopNow = () => stopOf(desk, store.payruns, { run, joins });
  let stop = word === undefined ? await stopNow() : undefined;
  let permit: WritePermit | 'look' = 'look';
  if (stop === undefined) {
    permit = await authorizeWrite(desk, word?.step ?? lookingStep(run, rows, open), confirmer);
    // The question may have stood for hours.
    if (word === undefined) stop = await stopNow();
    if (stop !== undefined) permit = 'look';
  }
  const end = await desk.working(`settling ${counted(rows, 'row')}`, () =>
    payRun(desk, store, {
      ...{ run, permit: permit, inFlight: 16, perSecond: undefined, only: 'settle' },
      ...(word && { notPaid: word.notPaid }),
      onStop: (problem) => {
        stop ??= problem;
      },
    }).catch(async (error: unknown) => {
      throw await storeFailed(store.payruns, run, error);
    }),
  );
  const conclusion = await runConclusion(store.payruns, run, { end });
  if (stop === undefined) return conclusion;
  const left: string[] = [];
  for await (const page of rowsIn(store.payruns, run, ['unknown', 'sending'], NAMED))
    left.push(...page.map(({ key }) => key));
  const note = lookedNote(run, stop, { left, isWhole: permit === 'look' });
  return { ...conclusion, notes: [note, ...conclusion.notes] };
}

/**
 * @param left keys of the rows that are still unknown
 * @param isWhole false where some may have been sent before the run was stopped
 */
function lookedNote(
  { name, state, hold }: PayRun,
  { facts }: Problem,
  { left, isWhole }: { left: readonly string[]; isWhole: boolean },
): Hint {
  const looked = `${isWhole ? 'Only looked for; nothing was sent' : 'It was stopped meanwhile; from then on rows were only looked for'}: ${facts.message}.`;
  if (left.length === 0) return looked;
  const free: Hint =
    hold !== undefined || facts.code === 'run_on_hold'
      ? sentence` When the reason is gone, ${{ do: 'release_run', name }}, and settle again.`
      : state === 'cancelled' || facts.code === 'one_person_run'
        ? ''
        : sentence` When it may be paid, ${{ do: 'approve_run', name }}, and settle again.`;
  return sentence`${looked} What was not found stays unknown: ${{ do: 'settle_run', name }} looks again.${free} Or ask the operator, and record that it was not paid: ${{ do: 'settle_run', name, rows: left.join(',') }}`;
}

/** Returns why rows of runs on this machine may only be looked for, by the id of the intent. */
export async function onlyLookedFor(desk: Desk, asked: readonly Intent[]): Promise<Map<string, Hint>> {
  const store = await desk.store();
  const [payruns, joins, { baseUrl }] = await Promise.all([
    store.part(runsOfFile),
    store.intents.joins(),
    desk.connection(),
  ]);
  const why = new Map<string, Hint>();
  for (const run of await payruns.list({ baseUrl, limit: Number.MAX_SAFE_INTEGER })) {
    const rows: PayRow[] = [];
    for (const { id, externalId } of asked) {
      const row = externalId === undefined ? undefined : await payruns.row(run.id, externalId);
      if (row?.intentId === id) rows.push(row);
    }
    const stop = rows.length === 0 ? undefined : await stopOf(desk, payruns, { run, joins });
    if (stop)
      for (const { key, intentId = '' } of rows)
        why.set(intentId, lookedNote(run, stop, { left: [key], isWhole: true }));
  }
  return why;
}

function lookingStep(run: PayRun, rows: number, open: readonly RowSum[]): WriteStep {
  const amounts = open.map(({ estimate, inputCurrency }) => ({ amount: estimate, currency: inputCurrency }));
  const these = rows === 1 ? 'this row' : `these ${rows} rows`;
  return {
    effect: 'money',
    what: [`run ${run.name}: ${counted(rows, 'row')} of unknown outcome`],
    question: () => `Look for ${these}, and send again what is not there?`,
    amounts: amounts.map((one) => ({ ...one, names: [runName(run.id)] })),
    confirm: byTotal(amounts, byName(run.name)),
  };
}

/** @throws Problem where a row is not of unknown outcome, or where the run wants another person's word */
async function rowsNotPaid(
  desk: Desk,
  { payruns, intents }: PayStore,
  { run, keys, because }: NotPaidClaim & { run: PayRun },
): Promise<{ notPaid: NotPaid; step: WriteStep }> {
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
    notPaid: { rows: new Set(rows.map(({ n }) => n)), note: manualOutcomeNote(desk, because) },
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

/** A row's sender gains by calling it unpaid. @throws Problem (usage) */
async function refusePayer(desk: Desk, intents: PayStore['intents'], rows: readonly PayRow[]): Promise<void> {
  const here = accountOf(await desk.connection());
  const joins = await intents.joins();
  for (const { key, intentId } of rows) {
    const intent = intentId === undefined ? undefined : await intents.get(intentId);
    if (intent === undefined || accountRelation(here, intent, joins) === 'other') continue;
    throw usage(
      `row ${key} was sent with this key (…${intent.keyLast4}), and the run wants two persons`,
      'the other person says that it was not paid, with a profile of a key of their own',
    );
  }
}
