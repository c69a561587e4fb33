/** Pay runs: a run in a list, where one stands, and its rows. */
import { categoryInfo } from '../../contract/categories.ts';
import { codeInfo } from '../../contract/codes.ts';
import { isoTime } from '../../core/clock.ts';
import { type PayRow, type PayRun, ROW_STATES } from '../../core/ports/payruns.ts';
import { planOf } from '../../desk/payruns/plan.ts';
import type { RunStanding } from '../../desk/payruns/standing.ts';
import { money } from '../../desk/words/amount.ts';
import { whoActs } from '../../desk/words/who-acts.ts';
import type { DetailLine, View } from '../terminal/view.ts';

export interface ShownRun {
  name: string;
  id: string;
  state: string;
  rows: number;
  why: string | null;
  environment: string;
  profile: string;
  planned_by: string | null;
  approved_by: string | null;
  digest: string;
  created_at: string;
}

export const shownRun = (run: PayRun): ShownRun => ({
  name: run.name,
  id: run.id,
  state: run.state,
  rows: run.rows,
  why: run.why ?? null,
  environment: run.account.environment,
  profile: run.account.profile,
  planned_by: who(run.maker, run.account.profile, run.account.keyLast4),
  approved_by: run.approval ? who(run.approval.by, run.approval.profile, run.approval.keyLast4) : null,
  digest: run.digest,
  created_at: isoTime(run.createdAt),
});

const who = (user: string | undefined, profile: string, last4: string): string =>
  `${user === undefined ? '' : `${user}, `}${profile}, key …${last4}`;

export const runView: View<ShownRun> = {
  kind: 'payrun',
  empty: 'No pay run yet: remit batch plan FILE --name NAME',
  members: () => ['name', 'id', 'state', 'rows', 'why', 'digest', 'planned_by', 'approved_by', 'created_at'],
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'state', state: true, get: ({ state }) => state },
    { name: 'rows', right: true, priority: 1, get: ({ rows }) => String(rows) },
    { name: 'created_at', head: 'CREATED', time: true, priority: 1, get: (row) => row.created_at },
    { name: 'profile', priority: 3, get: ({ profile }) => profile },
    { name: 'why', priority: 2, wrap: true, get: ({ why }) => why },
    { name: 'id', id: true, priority: 4, get: ({ id }) => id },
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
    ...shownRun(run),
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

export const standingView: View<ShownStanding> = {
  kind: 'payrun_status',
  members: () => [
    'name',
    'id',
    'state',
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
    { name: 'agrees', get: ({ agrees }) => (agrees ? 'yes' : 'no') },
    { name: 'ending', get: ({ ending }) => ending },
  ],
  details(row) {
    const lines: DetailLine[] = [
      ['run', row.name],
      ['state', row.state, { state: true }],
      ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as DetailLine]),
      ['rows', String(row.rows)],
      ...Object.entries(row.states).map(
        ([state, rows]): DetailLine => [stateWords(state), String(rows), { indent: true }],
      ),
      ...row.totals.map(
        ({ type, currency, amount, paid, open, rows }): DetailLine => [
          type,
          `${rows} rows, ${money(amount, currency)} planned, ${money(paid, currency)} paid out, ${money(open, currency)} on its way`,
          { wrap: true },
        ],
      ),
      ['spent', amounts(row.spent) || 'nothing'],
      ...(amounts(row.still_needed) === ''
        ? []
        : [['still needed', `about ${amounts(row.still_needed)}`] as DetailLine]),
      ['at most', amounts(row.limits)],
      ['planned by', row.planned_by],
      ['approved by', row.approved_by ?? 'nobody yet'],
      ['digest', row.digest.slice(0, 12)],
      ['agrees', row.agrees ? 'yes: sums of the rows and of the service are the same' : 'NO'],
      ...row.breaks.map((words): DetailLine => ['', words, { wrap: true, indent: true }]),
      ['created', row.created_at],
    ];
    return lines;
  },
};

export interface ShownRow {
  row: number;
  key: string;
  state: string;
  type: string;
  amount: string;
  currency: string;
  cost: string | null;
  input_currency: string;
  code: string | null;
  why: string | null;
  who_must_act: string | null;
  external_id: string;
  transaction_id: string | null;
  recipient_id: string | null;
  tries: number;
  updated_at: string;
}

export const shownRow = (row: PayRow): ShownRow => ({
  row: row.n,
  key: row.key,
  state: row.state,
  type: row.type,
  amount: row.amount,
  currency: row.currency,
  cost: row.cost ?? null,
  input_currency: row.inputCurrency,
  code: row.code ?? null,
  why: row.why ?? null,
  who_must_act: actorOf(row),
  external_id: row.externalId,
  transaction_id: row.transactionId ?? null,
  recipient_id: row.recipientId ?? null,
  tries: row.tries,
  updated_at: isoTime(row.updatedAt),
});

/** As triage says it: by the code of the failure, where it has one. */
function actorOf({ state, code }: PayRow): string | null {
  const known = state === 'in_error' && code !== undefined ? codeInfo(code) : undefined;
  const info = known && categoryInfo(known.category);
  return info ? whoActs(info) : (ACTS[state] ?? null);
}

const ACTS: Readonly<Record<string, string>> = {
  in_error: 'you: look at the recipient',
  unknown: 'you: remit batch settle',
  refused: 'you: correct the row, pay it in a new run',
};

export const rowView: View<ShownRow> = {
  kind: 'payrun_row',
  empty: 'No row is in this state.',
  members: () => [
    'row',
    'key',
    'state',
    'code',
    'why',
    'who_must_act',
    'transaction_id',
    'recipient_id',
    'tries',
  ],
  columns: [
    { name: 'row', right: true, priority: 1, get: ({ row }) => String(row) },
    { name: 'key', get: ({ key }) => key },
    { name: 'state', state: true, get: ({ state }) => state },
    { name: 'amount', right: true, get: ({ amount, currency }) => money(amount, currency) },
    {
      name: 'cost',
      right: true,
      priority: 2,
      get: ({ cost, input_currency: currency }) => (cost === null ? null : money(cost, currency)),
    },
    { name: 'why', priority: 1, wrap: true, get: ({ why }) => why },
    { name: 'who_must_act', head: 'WHO MUST ACT', priority: 3, least: 12, get: (row) => row.who_must_act },
    { name: 'type', priority: 4, get: ({ type }) => type },
    { name: 'transaction_id', head: 'TRANSACTION', id: true, priority: 5, get: (row) => row.transaction_id },
  ],
  flat: [
    { name: 'row', get: ({ row }) => String(row) },
    { name: 'key', get: ({ key }) => key },
    { name: 'state', get: ({ state }) => state },
    { name: 'type', get: ({ type }) => type },
    { name: 'amount', amount: true, get: ({ amount }) => amount },
    { name: 'currency', get: ({ currency }) => currency },
    { name: 'cost', amount: true, get: ({ cost }) => cost },
    { name: 'input_currency', get: (row) => row.input_currency },
    { name: 'code', get: ({ code }) => code },
    { name: 'why', get: ({ why }) => why },
    { name: 'who_must_act', get: (row) => row.who_must_act },
    { name: 'external_id', get: (row) => row.external_id },
    { name: 'transaction_id', get: (row) => row.transaction_id },
    { name: 'recipient_id', get: (row) => row.recipient_id },
    { name: 'tries', get: ({ tries }) => String(tries) },
    { name: 'updated_at', get: (row) => row.updated_at },
  ],
};
