import { counted, thousands } from '../../core/amount-words.ts';
import { usage } from '../../core/problem.ts';
import { policyDowngradeNotes } from '../../payments/policy-downgrade.ts';
import type { TextCell } from '../../payments/shapes/pieces.ts';
import { USUAL } from '../../payments/shared-store.ts';
import { stateWords } from '../../payments/words/looks.ts';
import { spoken } from '../../payments/words/questions.ts';
import { awaitsApproval } from '../../runs/approve.ts';
import { runConclusion } from '../../runs/conclusion.ts';
import { findRun } from '../../runs/find-run.ts';
import { decisionsOn, stepsFrom } from '../../runs/next-steps.ts';
import { openPayStore } from '../../runs/open-store.ts';
import { reportColumns } from '../../runs/report.ts';
import { countIn, rowsIn, shownRowsIn } from '../../runs/rows-in.ts';
import { summaryLines } from '../../runs/run-lines.ts';
import { rowsAbout, type ShownRow, shownRow, shownRun } from '../../runs/run-output.ts';
import { runSummaryOf } from '../../runs/run-summary.ts';
import { type RowState, rowStatesThat } from '../../runs/store/port.ts';
import { whoSigned } from '../../runs/who-signed.ts';
import type { Call } from '../call.ts';
import { endingLook, labelledLines } from '../rows.ts';
import type { AnswerOf } from '../wire.ts';
import { isSignedHere, SIGNED } from './acts.ts';

/** The newest runs: a year of weekly wages. */
const MOST_RUNS = 60;
/** Rows that need action, on one page; the others are in the terminal. */
const MOST_ROWS = 200;

export async function runs({ desk }: Call): Promise<AnswerOf<'runs'>> {
  const { payruns } = await openPayStore(desk, USUAL);
  const { baseUrl } = await desk.connection();
  const found = await payruns.list({ baseUrl, limit: MOST_RUNS + 1 });
  const rows = await Promise.all(
    found.slice(0, MOST_RUNS).map(async (run): Promise<TextCell[]> => {
      const { name, status, ...shown } = shownRun(run, await runSummaryOf(payruns, run));
      const approved = shown.approved_by ?? 'nobody yet';
      const link = { text: name, to: 'run', of: name } as const;
      return [link, thousands(shown.rows), status, shown.created_at, approved, shown.held_by ?? ''];
    }),
  );
  return {
    heads: ['Run', '>Rows', 'State', 'Created', 'Approved by', 'On hold by'],
    rows,
    notes: found.length > MOST_RUNS ? [`Only the newest ${MOST_RUNS} runs are listed.`] : [],
  };
}

/** Rows that need action: they did not end well, or it is unknown. */
const NEEDING: readonly RowState[] = [
  ...rowStatesThat(({ open, endsWell }) => !open && !endsWell),
  'unknown',
  'sending',
];

/** Where a run stands, from the store alone: the service is asked for nothing. */
export async function run(call: Call, { id }: { id: string }): Promise<AnswerOf<'run'>> {
  const { desk, text, renderHint, showing } = call;
  const { payruns } = await openPayStore(desk, USUAL);
  const found = await findRun(desk, payruns, id, 'read');
  const signed = await whoSigned(desk, found);
  const { shown, ending, notes } = await runConclusion(payruns, found, { signed });
  const loosened = await policyDowngradeNotes(desk, found.account.profile, found.createdAt);
  const about = rowsAbout(found, showing.mask);
  const rows: TextCell[][] = [];
  for await (const page of rowsIn(payruns, found, NEEDING, MOST_ROWS))
    rows.push(...page.map((row) => cellsOf(shownRow(row, about))));
  const more = (await countIn(payruns, found, NEEDING)) - rows.length;
  const { name } = found;
  const planned = shown.states.planned ?? 0;
  return {
    name,
    digest: shown.digest ?? '',
    can: decisionsOn(found, shown, isSignedHere(desk)),
    whyNotHere: awaitsApproval(found) && planned > 0 && isSignedHere(desk) ? SIGNED : null,
    status: shown.status,
    look: endingLook(ending),
    isUnderWay: ending === 'pending' && !awaitsApproval(found),
    done: shown.rows - planned,
    of: shown.rows,
    lines: labelledLines(summaryLines(shown)),
    notes: [...notes.map(text), ...loosened],
    needing: { heads: NEEDED, rows },
    more: more > 0 ? `${counted(more, 'row')} more: ${renderHint({ do: 'show_rows', name })}` : null,
    commands: stepsFrom(found, shown).map(({ label, next }) => ({ label, text: renderHint(next) })),
  };
}

/** Rows that one file has from here: a longer report is made in the terminal. */
const MOST_REPORTED = 50_000;

/** Every row with what became of it, as `batch report` has it. */
export async function report(
  { desk, renderHint }: Call,
  { id }: { id: string },
): Promise<AnswerOf<'report'>> {
  const { payruns } = await openPayStore(desk, USUAL);
  const found = await findRun(desk, payruns, id, 'read');
  if (found.rows > MOST_REPORTED)
    throw usage(
      `these are more than ${thousands(MOST_REPORTED)} rows`,
      renderHint({ do: 'report_run', name: found.name }),
    );
  const beside = await (await desk.ports.books?.())?.booksBeside(desk, ['paid_at']);
  const rows: string[][] = [];
  for await (const page of shownRowsIn({ mask: desk.mask, beside }, payruns, found))
    rows.push(...page.map((row) => reportColumns.map(({ get }) => get(row) ?? '')));
  const columns = reportColumns.map(({ name, time = false, amount = false }) => ({ name, time, amount }));
  return { columns, rows };
}

const NEEDED = ['Row', 'Key', 'To', 'Account', '>Amount', 'State', 'Why', 'Who must act'];

const cellsOf = ({ row, key, name, recipient_id: id, ...one }: ShownRow): TextCell[] => [
  thousands(row),
  key,
  id === null ? (name ?? '') : { text: name ?? id, to: 'payout', of: id },
  one.account ?? '',
  spoken(one.amount, one.currency),
  stateWords(one.state),
  one.why ?? '',
  one.who_must_act ?? '',
];
