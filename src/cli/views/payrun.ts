/** Pay runs: a run in a list, and where one stands. */
import { isoTime } from '../../core/clock.ts';
import { type PayRun, ROW_STATES } from '../../core/ports/payruns.ts';
import { shownDigest } from '../../desk/payruns/digest.ts';
import { whoApproved, whoPlanned } from '../../desk/payruns/persons.ts';
import { planOf } from '../../desk/payruns/plan-text.ts';
import { EXISTS, type RunStanding } from '../../desk/payruns/standing.ts';
import { counted, money, thousands } from '../../desk/words/amount.ts';
import type { DetailLine, View } from '../terminal/view.ts';

export interface ShownRun {
  name: string;
  id: string;
  state: string;
  /** What became of the rows, in words. */
  status: string;
  rows: number;
  why: string | null;
  environment: string;
  profile: string;
  planned_by: string | null;
  approved_by: string | null;
  /** Null where it was forgotten: a digest of few rows tells, to who tries, what they said. */
  digest: string | null;
  /** When its rows were last read whole and found to be as planned. */
  checked_at: string | null;
  /** When the names and accounts of its rows were forgotten. */
  forgotten_at: string | null;
  /** Earlier runs were compared with it from then on, where some were forgotten; null where all of the last 35 days were. */
  compared_from: string | null;
  created_at: string;
}

const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at));

/** @param standing where its rows were looked at */
export const shownRun = (run: PayRun, standing?: RunStanding): ShownRun => ({
  name: run.name,
  id: run.id,
  state: run.state,
  status: standing === undefined ? run.state : statusWords(standing),
  rows: run.rows,
  why: run.why ?? null,
  environment: run.account.environment,
  profile: run.account.profile,
  planned_by: whoPlanned(run),
  approved_by: whoApproved(run) ?? null,
  digest: run.forgotten === undefined ? shownDigest(run.digest) : null,
  checked_at: timeOrNull(run.checkedAt),
  forgotten_at: timeOrNull(run.forgotten?.at),
  compared_from: timeOrNull(planOf(run).repeated.from),
  created_at: isoTime(run.createdAt),
});

const digestLines = ({ digest, forgotten_at: forgotten }: ShownRun): DetailLine[] => [
  ...(digest === null ? [] : [['digest', digest] as DetailLine]),
  ...(forgotten === null ? [] : [['forgotten', forgotten] as DetailLine]),
];

export const runView: View<ShownRun> = {
  kind: 'payrun',
  empty: 'No pay run yet: remit batch plan FILE --name NAME',
  members: () => [
    'name',
    'id',
    'state',
    'status',
    'rows',
    'why',
    'digest',
    'planned_by',
    'approved_by',
    'forgotten_at',
    'created_at',
  ],
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'status', head: 'STATE', state: true, get: ({ status }) => status },
    { name: 'rows', right: true, priority: 1, get: ({ rows }) => String(rows) },
    { name: 'created_at', head: 'CREATED', time: true, priority: 1, get: (row) => row.created_at },
    { name: 'profile', priority: 3, get: ({ profile }) => profile },
    { name: 'why', priority: 2, wrap: true, get: ({ why }) => why },
    { name: 'id', id: true, priority: 4, get: ({ id }) => id },
  ],
  details: (row) => [
    ['run', row.name],
    ['state', row.status, { state: true }],
    ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as DetailLine]),
    ['rows', thousands(row.rows)],
    ['planned by', row.planned_by],
    ['approved by', row.approved_by ?? 'nobody yet'],
    ...digestLines(row),
    ['created', row.created_at],
  ],
};

export interface ShownStanding extends ShownRun {
  /** How many rows are in each state that occurs. */
  states: Record<string, number>;
  totals: readonly {
    type: string;
    currency: string;
    rows: number;
    amount: string;
    paid: string;
    open: string;
    held: string;
    unknown: string;
  }[];
  spent: Readonly<Record<string, string>>;
  still_needed: Readonly<Record<string, string>>;
  limits: Readonly<Record<string, string>>;
  agrees: boolean;
  breaks: readonly string[];
  ending: string;
}

export function shownStanding(standing: RunStanding): ShownStanding {
  const { run, counts, totals, spent, needed, breaks, ending } = standing;
  return {
    ...shownRun(run, standing),
    states: Object.fromEntries(
      ROW_STATES.flatMap((state) => (counts[state] > 0 ? [[state, counts[state]]] : [])),
    ),
    totals: totals.map(({ inputCurrency: _, ...total }) => total),
    spent,
    still_needed: needed,
    limits: planOf(run).ceilings,
    agrees: breaks.length === 0,
    breaks,
    ending,
  };
}

const amounts = (by: Readonly<Record<string, string>>): string =>
  Object.entries(by)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ');

/** A word for a state, as people say it. */
export const stateWords = (state: string): string => state.replace('_', ' ');

const statusWords = (standing: RunStanding): string =>
  `${endingWords(standing)}${standing.run.forgotten === undefined ? '' : ', forgotten'}`;

/** What became of the rows, in words: `approved` says nothing of that once all were sent. */
function endingWords({ run: { state }, counts, ending }: RunStanding): string {
  if (state !== 'approved') return state;
  const isOnTheWay = counts.created > 0;
  switch (ending) {
    case 'done':
      return isOnTheWay ? 'paid for, on the way to the recipients' : 'paid out';
    case 'some':
      return isOnTheWay ? 'paid in part, on the way to the recipients' : 'paid in part';
    case 'none':
      return 'nobody is paid';
    case 'unknown':
      return 'not known for every row';
    default:
      return counts.planned > 0 ? 'approved, not all sent' : 'on the way to the recipients';
  }
}

/** `2 rows, 2001 NGN: 1000 NGN paid out, 1001 NGN in error`. */
function totalWords({
  rows,
  currency,
  amount,
  paid,
  open,
  held,
  unknown,
}: ShownStanding['totals'][number]): string {
  const parts = [
    [paid, 'paid out'],
    [open, 'on the way'],
    [held, 'in error, held by the service'],
    [unknown, 'not known whether paid'],
  ].flatMap(([sum = '0', words]) => (Number(sum) === 0 ? [] : [`${money(sum, currency)} ${words}`]));
  return `${counted(rows, 'row')}, ${money(amount, currency)}: ${parts.join(', ') || 'nothing paid'}`;
}

function spentWords({ spent, states }: ShownStanding): string {
  const known = amounts(spent);
  const isOpen = (states.unknown ?? 0) + (states.sending ?? 0) > 0;
  if (!isOpen) return known || 'nothing';
  return known === '' ? 'not known yet' : `${known}, without rows that are not known`;
}

/** Where the service has none of the rows, there is nothing to compare with. */
const isCompared = ({ agrees, states }: ShownStanding): boolean =>
  !agrees || EXISTS.some((state) => (states[state] ?? 0) > 0);

const sumLines = (row: ShownStanding): DetailLine[] =>
  isCompared(row)
    ? [['sums', `${row.agrees ? 'agree' : 'DO NOT AGREE'} with what the service answered`]]
    : [];

/** For finance: `created` is the service's word. */
const rowStateWords = (state: string): string =>
  ({
    planned: 'not sent',
    created: 'on the way',
    paid: 'paid out',
    sending: 'sent, no answer',
    conflict: 'needs you',
  })[state] ?? stateWords(state);

export const standingView: View<ShownStanding> = {
  kind: 'payrun_status',
  members: () => [
    'name',
    'id',
    'state',
    'status',
    'rows',
    'states',
    'totals',
    'spent',
    'still_needed',
    'limits',
    'agrees',
    'breaks',
    'ending',
    'digest',
    'why',
    'planned_by',
    'approved_by',
    'checked_at',
    'forgotten_at',
    'compared_from',
    'created_at',
  ],
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'state', state: true, get: ({ state }) => state },
    { name: 'rows', right: true, get: ({ rows }) => String(rows) },
    {
      name: 'states',
      get: ({ states }) =>
        Object.entries(states)
          .map(([state, rows]) => `${rows} ${stateWords(state)}`)
          .join(', '),
    },
    { name: 'spent', get: ({ spent }) => amounts(spent) },
    { name: 'still_needed', get: (row) => amounts(row.still_needed) },
    { name: 'agrees', get: (row) => (isCompared(row) ? (row.agrees ? 'yes' : 'no') : null) },
    { name: 'ending', get: ({ ending }) => ending },
    { name: 'status', get: ({ status }) => status },
    { name: 'why', get: ({ why }) => why },
    {
      name: 'totals',
      get: ({ totals }) => totals.map((total) => `${total.type}: ${totalWords(total)}`).join('; '),
    },
    { name: 'limits', get: (row) => amounts(row.limits) },
    { name: 'breaks', get: ({ breaks }) => breaks.join('; ') },
    { name: 'planned_by', get: (row) => row.planned_by },
    { name: 'approved_by', get: (row) => row.approved_by },
    { name: 'digest', get: ({ digest }) => digest },
    { name: 'id', get: ({ id }) => id },
    { name: 'checked_at', get: (row) => row.checked_at },
    { name: 'forgotten_at', get: (row) => row.forgotten_at },
    { name: 'compared_from', get: (row) => row.compared_from },
    { name: 'created_at', get: (row) => row.created_at },
  ],
  details(row) {
    const lines: DetailLine[] = [
      ['run', row.name],
      ['state', row.status, { state: true }],
      ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as DetailLine]),
      ['rows', thousands(row.rows)],
      ...Object.entries(row.states).map(
        ([state, rows]): DetailLine => [rowStateWords(state), thousands(rows), { indent: true }],
      ),
      ...row.totals.map((total): DetailLine => [total.type, totalWords(total), { wrap: true }]),
      ['cost so far', spentWords(row), { wrap: true }],
      ...(amounts(row.still_needed) === ''
        ? []
        : [['for the rest', `about ${amounts(row.still_needed)}`] as DetailLine]),
      ['limit', amounts(row.limits)],
      ['planned by', row.planned_by],
      ['approved by', row.approved_by ?? 'nobody yet'],
      ...digestLines(row),
      ['checked', row.checked_at ?? 'not yet'],
      ...sumLines(row),
      ...row.breaks.map((words): DetailLine => ['', words, { wrap: true, indent: true }]),
      ['created', row.created_at],
    ];
    return lines;
  },
};
