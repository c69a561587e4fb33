import { rowStatesThat } from '../../core/ports/payruns.ts';
import { looseningNotes } from '../../desk/loosening.ts';
import { awaitsApproval } from '../../desk/payruns/approve.ts';
import { conclusionOf } from '../../desk/payruns/conclusion.ts';
import { findRun } from '../../desk/payruns/find-run.ts';
import { openPayStore } from '../../desk/payruns/open-store.ts';
import { rowsIn } from '../../desk/payruns/rows-in.ts';
import { rowsAbout, type ShownRow, shownRow, shownRun } from '../../desk/payruns/shown.ts';
import { standingOf } from '../../desk/payruns/standing.ts';
import { standingLines, stateWords } from '../../desk/payruns/told.ts';
import { whoSigned } from '../../desk/payruns/who-signed.ts';
import { USUAL } from '../../desk/places/shared-store.ts';
import { counted, thousands } from '../../desk/words/amount.ts';
import { spoken } from '../../desk/words/questions.ts';
import type { Call } from '../call.ts';
import type { Run, RunRow } from '../wire/runs.ts';
import type { AnswerOf } from '../wire.ts';
import { isSignedHere, SIGNED } from './run-acts.ts';

/** The newest runs: a year of weekly wages. */
const MOST_RUNS = 60;
/** Rows that need somebody, on one page; the others are in the terminal. */
const MOST_ROWS = 200;

export async function runs({ desk }: Call): Promise<AnswerOf<'runs'>> {
  const { payruns } = await openPayStore(desk, USUAL);
  const { baseUrl } = await desk.connection();
  const found = await payruns.list({ baseUrl, limit: MOST_RUNS + 1 });
  const listed = found.slice(0, MOST_RUNS);
  return {
    rows: await Promise.all(
      listed.map(async (run) => {
        const {
          name,
          id,
          status,
          rows,
          created_at: at,
          approved_by: approved,
          held_by: held,
        } = shownRun(run, await standingOf(payruns, run));
        return { name, id, status, rows: thousands(rows), at, approved, held };
      }),
    ),
    notes: found.length > MOST_RUNS ? [`Only the newest ${MOST_RUNS} runs are listed.`] : [],
  };
}

/** Where a run stands, from the store alone: the service is asked for nothing. */
export async function run(call: Call, { id }: { id: string }): Promise<AnswerOf<'run'>> {
  const { desk, text, spell, showing } = call;
  const { payruns } = await openPayStore(desk, USUAL);
  const found = await findRun(desk, payruns, id, 'read');
  const signed = await whoSigned(desk, found);
  const { shown, ending, notes } = await conclusionOf(payruns, found, { signed });
  const loosened = await looseningNotes(desk, found.account.profile, found.createdAt);
  const needing = rowStatesThat(({ open, endsWell }) => !open && !endsWell);
  const about = rowsAbout(found, showing.mask);
  const rows: ShownRow[] = [];
  for await (const page of rowsIn(payruns, found, [...needing, 'unknown', 'sending'], MOST_ROWS))
    rows.push(...page.map((row) => shownRow(row, about)));
  const { name } = found;
  const planned = shown.states.planned ?? 0;
  const total = [...needing, 'unknown', 'sending'].reduce(
    (all, state) => all + (shown.states[state] ?? 0),
    0,
  );
  return {
    name,
    digest: shown.digest ?? '',
    can: actsOf(call, found, { planned, open: (shown.states.unknown ?? 0) + (shown.states.sending ?? 0) }),
    whyNotHere: awaitsApproval(found) && planned > 0 && isSignedHere(desk) ? SIGNED : null,
    status: shown.status,
    look: ending === 'done' ? 'good' : ending === 'pending' ? 'waiting' : 'bad',
    isUnderWay: ending === 'pending' && !awaitsApproval(found),
    done: shown.rows - planned,
    of: shown.rows,
    lines: standingLines(shown).flatMap(([label, words]) => (words ? [{ label, text: words }] : [])),
    notes: [...notes.map(text), ...loosened],
    rows: rows.map(runRow),
    more:
      total > rows.length
        ? `${counted(total - rows.length, 'row')} more: ${spell({ do: 'show_rows', name })}`
        : null,
    commands: [
      { label: 'where it stands', text: spell({ do: 'show_run', name }) },
      ...(awaitsApproval(found) && planned > 0
        ? [{ label: 'approve it', text: spell({ do: 'approve_run', name, digest: shown.digest ?? '' }) }]
        : []),
      ...(!awaitsApproval(found) && planned > 0
        ? [{ label: 'pay it, or go on', text: spell({ do: 'pay_run', name }) }]
        : []),
      ...(found.hold === undefined && planned > 0
        ? [{ label: 'hold it', text: spell({ do: 'hold_run', name }) }]
        : found.hold === undefined
          ? []
          : [{ label: 'release it', text: spell({ do: 'release_run', name }) }]),
    ],
  };
}

/** The acts that the run's own state lets come next. */
function actsOf(
  { desk }: Call,
  run: Awaited<ReturnType<typeof findRun>>,
  { planned, open }: { planned: number; open: number },
): Run['can'] {
  if (run.state === 'cancelled') return [];
  const decides = planned > 0 && !isSignedHere(desk);
  return [
    ...(decides && awaitsApproval(run) ? (['approve'] as const) : []),
    ...(decides ? (['reject'] as const) : []),
    ...(run.hold !== undefined ? (['release'] as const) : planned > 0 ? (['hold'] as const) : []),
    ...(open > 0 ? (['settle_run'] as const) : []),
  ];
}

const runRow = (row: ShownRow): RunRow => ({
  n: thousands(row.row),
  key: row.key,
  name: row.name,
  account: row.account,
  amount: spoken(row.amount, row.currency),
  state: stateWords(row.state),
  why: row.why,
  who: row.who_must_act,
  recipient: row.recipient_id,
});
