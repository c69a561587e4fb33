/** The conclusion of a command about a run: where the run stands, one line that says which ending it is, and the category of that ending. */

import { counted, thousands } from '../core/amount-words.ts';
import { type Hint, hint } from '../core/next.ts';
import type { Category } from '../core/problem.ts';
import { forgottenNotes } from './forgotten.ts';
import { foundWords } from './paid-before.ts';
import { whoHolds } from './persons.ts';
import { type ShownRunSummary, shownRunSummary } from './run-output.ts';
import { type RunSummary, runSummaryOf } from './run-summary.ts';
import { type PayRun, type PayRuns, type RowState, rowStatesThat } from './store/port.ts';
import type { PayEnd } from './terms.ts';
import type { Pause } from './verdict.ts';
import { signedNotes, type WhoSigned } from './who-signed.ts';
import type { Worked } from './work.ts';

type Ending = Category | 'done';

export interface RunConclusion {
  shown: ShownRunSummary;
  ending: Ending;
  notes: Hint[];
}

/** A run that pays no row ends as a refusal does. */
const ENDINGS: Readonly<Record<RunSummary['ending'], Ending>> = {
  done: 'done',
  under_way: 'pending',
  unknown: 'unknown',
  some: 'check',
  none: 'conflict',
};

/** Reads the run once more: it may have been changed meanwhile. */
export async function runConclusion(
  payruns: PayRuns,
  run: PayRun,
  {
    until = 'funded',
    end,
    signed,
  }: { until?: 'funded' | 'paid'; end?: PayEnd; signed?: WhoSigned | undefined } = {},
): Promise<RunConclusion> {
  const { now, standing } = await standsNow(payruns, run, until);
  const notes = [
    ...(end === undefined ? [] : endNotes(now, end)),
    ...endingNotes(standing),
    ...foundNotes(standing),
    ...forgottenNotes(now),
    ...(signed === undefined ? [] : signedNotes(now, signed, standing.counts.planned > 0)),
  ];
  return { shown: shownRunSummary(standing, signed), ending: endingOf(standing), notes };
}

async function standsNow(payruns: PayRuns, run: PayRun, until: 'funded' | 'paid') {
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  return { now, standing: await runSummaryOf(payruns, now, until) };
}

const endingOf = ({ breaks, ending }: RunSummary): Ending =>
  breaks.length > 0 && ending !== 'unknown' ? 'check' : ENDINGS[ending];

/** Returns the endings of the runs that a worker went through, and of those that it left alone. */
export async function endingsOfWorked(payruns: PayRuns, { runs, left }: Worked): Promise<Ending[]> {
  const endings: Ending[] = left.map(({ facts }) => facts.category);
  for (const run of runs) endings.push(endingOf((await standsNow(payruns, run, 'funded')).standing));
  return endings;
}

/** It costs more than a yes was said to. */
const DEARER: ReadonlySet<Pause['code']> = new Set(['rate', 'dearer', 'ceiling']);

function endNotes({ name }: PayRun, end: PayEnd): Hint[] {
  switch (end.kind) {
    case 'paused':
      return [
        hint`Paused: ${end.pause.why}. Nothing more is sent. When it is put right: ${{ do: 'pay_run', name }}`,
        ...(DEARER.has(end.pause.code)
          ? [
              hint`What was approved is not raised here. To pay the rest at the price of now, plan it anew: ${{ do: 'remaining_of_run', name }}`,
            ]
          : []),
      ];
    case 'stopped':
      return [hint`Stopped; what was on its way has its answer. Go on with ${{ do: 'pay_run', name }}`];
    case 'ended_elsewhere':
      if (end.run.hold !== undefined)
        return [
          hint`On hold, by ${whoHolds(end.run.hold)}: ${end.run.hold.because}. Nothing more is sent. When the reason is gone: ${{ do: 'release_run', name }}`,
        ];
      return [`Somebody else set it to ${end.run.state}${end.run.why ? `: ${end.run.why}` : ''}.`];
    case 'through':
      return [];
  }
}

/** Rows that were not paid from here or not as asked, and what was not spent for them. */
function foundNotes({ run: { name }, before, elsewhere, otherwise }: RunSummary): Hint[] {
  const isAccepted = before.rows <= before.accepted;
  const were = before.rows === 1 ? 'was' : 'were';
  return [
    ...(before.rows === 0
      ? []
      : isAccepted
        ? [`${foundWords(before)}, ${were} paid before this run, and not by it: that is not in its cost.`]
        : [
            hint`${foundWords(before)}, ${were} paid before this run, and not by it. Look who paid ${before.rows === 1 ? 'it' : 'them'}: ${{ do: 'show_rows', name }}. To go on without: ${{ do: 'accept_paid_before', name, rows: before.rows }}`,
          ]),
    ...(elsewhere.rows === 0
      ? []
      : [
          `${foundWords(elsewhere)}, ${elsewhere.rows === 1 ? 'was' : 'were'} paid elsewhere under the ids of this run: that is not in the cost here.`,
        ]),
    ...(otherwise.rows === 0
      ? []
      : [
          hint`${foundWords(otherwise)}, ${otherwise.rows === 1 ? 'was' : 'were'} made otherwise than the run asked, with other money or another payee. Do not pay ${otherwise.rows === 1 ? 'it' : 'them'} again: ${{ do: 'show_rows', name }} says which, and ${{ do: 'cancel_transaction' }} asks for an end of one.`,
        ]),
  ];
}

/** One line says which ending it is, and what to do next. */
export function endingNotes({ run, counts, ending }: RunSummary): Hint[] {
  const { name } = run;
  const taken = rowStatesThat(({ takesMoney }) => takesMoney).reduce((all, state) => all + counts[state], 0);
  const of = `${thousands(taken)} of ${counted(run.rows, 'row')} ${taken === 1 ? 'is' : 'are'} paid for`;
  switch (ending) {
    case 'done':
      return counts.created > 0
        ? [
            hint`${allRows(run)} paid for. To follow ${run.rows === 1 ? 'it to the recipient' : 'them to the recipients'}: ${{ do: 'watch_run', name }}`,
          ]
        : [`${allRows(run)} paid out.`];
    case 'under_way':
      return [
        counts.planned > 0
          ? `${of}; ${areOrIs(counts.planned)} not sent yet.`
          : `${thousands(counts.paid)} of ${counted(run.rows, 'row')} ${counts.paid === 1 ? 'is' : 'are'} paid out; ${areOrIs(counts.created)} on the way.`,
      ];
    case 'unknown':
      return [
        hint`Of ${counted(counts.unknown + counts.sending, 'row')} it is not known whether ${counts.unknown + counts.sending === 1 ? 'it was paid. Do not pay it' : 'they were paid. Do not pay them'} by hand. To find out: ${{ do: 'settle_run', name }}`,
      ];
    case 'some':
      return [hint`${[of, ...othersOf(counts)].join('; ')}.${whereWhy(run, counts)}`];
    case 'none':
      return [hint`${['No row is paid for', ...othersOf(counts)].join('; ')}.${whereWhy(run, counts)}`];
  }
}

/** Reasons are forgotten too. */
const whereWhy = ({ name, forgotten }: PayRun, counts: Counts): Hint =>
  forgotten === undefined ? hint` ${{ do: 'show_rows', name, ...onlyState(counts) }} says why.` : '';

const allRows = ({ rows }: PayRun): string => (rows === 1 ? 'The row is' : `All ${thousands(rows)} rows are`);
const areOrIs = (count: number): string => `${thousands(count)} ${count === 1 ? 'is' : 'are'}`;

type Counts = RunSummary['counts'];

/** Rows that ended otherwise, and where their money is. */
function othersOf(counts: Counts): string[] {
  const { in_error: inError, conflict, refunded, refused, cancelled, handed_on: handedOn } = counts;
  return [
    ...(inError > 0 ? [`${areOrIs(inError)} in error, and the service has the money until you act`] : []),
    ...(conflict > 0
      ? [
          `${conflict === 1 ? '1 needs' : `${thousands(conflict)} need`} you: another payment has the external id`,
        ]
      : []),
    ...(refunded > 0 ? [`${areOrIs(refunded)} refunded`] : []),
    ...(refused > 0
      ? [`${areOrIs(refused)} refused, and nothing was taken for ${refused === 1 ? 'it' : 'them'}`]
      : []),
    ...(cancelled > 0 ? [`${areOrIs(cancelled)} cancelled`] : []),
    ...(handedOn > 0 ? [`${areOrIs(handedOn)} handed on to another file`] : []),
  ];
}

/** Where all of the others are in one state, their list can be asked for. */
function onlyState(counts: Counts): { state?: RowState } {
  const others = rowStatesThat(({ open, endsWell }) => !open && !endsWell).filter(
    (state) => counts[state] > 0,
  );
  const [only] = others;
  return only !== undefined && others.length === 1 ? { state: only } : {};
}
