/** Any sequence of moves, in every store of pay runs, against a plain model: states, sums, and what each call answers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IntentState } from '../../src/client/store/port.ts';
import { add, eq } from '../../src/core/money.ts';
import {
  type Lease,
  ROW_STATES,
  type RowNews,
  type RowState,
  type RowSum,
} from '../../src/runs/store/port.ts';
import {
  approved,
  BASE_URL,
  everyStore,
  type KeptRuns,
  newIntent,
  newRow,
  newRows,
} from '../support/payrun-stores.ts';

const ROWS = 3;
const LEASE = 1000;
type Closed = Exclude<IntentState, 'open'>;
type Move =
  | { do: 'take'; by: number }
  | { do: 'open'; taken: number; n: number }
  | { do: 'close'; intent: number; taken: number; as: Closed; refused: boolean; cost: number }
  | { do: 'observe'; n: number; state: RowState; arrives: number }
  | { do: 'cancel'; n: number }
  | { do: 'hand on'; n: number }
  | { do: 'take back'; n: number }
  | { do: 'fix'; n: number }
  | { do: 'hold'; on: boolean }
  | { do: 'pass' }
  | { do: 'giveBack'; taken: number };

const at = fc.nat({ max: 5 });
const n = fc.integer({ min: 1, max: ROWS });
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), by: fc.nat({ max: 1 }) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('open' as const), taken: at, n }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('close' as const),
        intent: at,
        taken: at,
        as: fc.constantFrom<Closed>('applied', 'not_applied', 'unknown', 'conflict'),
        refused: fc.boolean(),
        cost: fc.integer({ min: 1, max: 99_999 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('observe' as const),
        n,
        // Nobody hears from the service that a row was handed on.
        state: fc.constantFrom(...ROW_STATES.filter((state) => state !== 'handed_on')),
        arrives: fc.integer({ min: 1, max: 99_999 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), n }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hand on' as const), n }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('take back' as const), n }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fix' as const), n }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), on: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('giveBack' as const), taken: at }) },
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
);

const mayBecome = (from: RowState, to: RowState): boolean =>
  ['created', 'paid', 'in_error', 'sending', 'unknown'].includes(from) &&
  ['paid', 'in_error', 'refunded', 'cancelled'].includes(to) &&
  from !== to;

interface ModelRow {
  state: RowState;
  intent: string | undefined;
  transaction: boolean;
  /** What it was when it was handed on. */
  from?: RowState;
}

/** One window of three rows, and what everybody should think of it. */
class Model {
  rows = Array.from(
    { length: ROWS },
    (): ModelRow => ({ state: 'planned', intent: undefined, transaction: false }),
  );
  intents: { id: string; n: number; state: IntentState }[] = [];
  taken: Lease[] = [];
  holder: Lease | undefined;
  /** Whoever took the window last, though it was given back: undefined once a row of it was corrected. */
  lastHolder: Lease | undefined;
  isLeased = false;
  isOnHold = false;
  /** How often a row was corrected: the digest of each time is another. */
  fixes = 0;
  /** What each row says. */
  bodies = new Map<number, string>();

  row(n: number): ModelRow {
    const row = this.rows[n - 1];
    if (!row) throw new Error(`no row ${n}`);
    return row;
  }

  mayOpen(lease: Lease, n: number): boolean {
    return !this.isOnHold && lease === this.holder && this.isLeased && this.row(n).state === 'planned';
  }

  close(lease: Lease, intent: Model['intents'][number], as: Closed, said: RowState): RowState {
    const row = this.row(intent.n);
    const isHolder = lease === this.lastHolder;
    if (as !== 'applied' && !isHolder) return row.state;
    const wasKnown = !['open', 'unknown'].includes(intent.state);
    if (!wasKnown) intent.state = as;
    if (as === 'applied') {
      const before = ['planned', 'sending', 'unknown', 'refused', 'conflict', 'handed_on'].includes(
        row.state,
      );
      if (before || (row.state === 'cancelled' && !row.transaction)) {
        row.state = 'created';
        row.intent = intent.id;
      }
      row.transaction = true;
    } else if (row.intent === intent.id && ['sending', 'unknown'].includes(row.state)) {
      if (intent.state === 'applied') row.state = 'created';
      else if (intent.state === 'unknown') row.state = 'unknown';
      else if (intent.state === 'conflict') row.state = 'conflict';
      else row.state = as === 'not_applied' ? said : 'planned';
    }
    return row.state;
  }
}

/** What a set of rows adds up to, reckoned from the rows themselves. */
async function sumsOfRows({ runs }: KeptRuns, id: string): Promise<RowSum[]> {
  const sums = new Map<string, RowSum>();
  for (const { state, type, currency, inputCurrency, amount, estimate, cost, arrives } of await runs.rows(
    id,
  )) {
    const name = `${state} ${type} ${currency} ${inputCurrency}`;
    const sum = sums.get(name) ?? {
      ...{ state, type, currency, inputCurrency },
      ...{ rows: 0, amount: '0', estimate: '0', cost: '0', arrives: '0' },
    };
    sum.rows++;
    sum.amount = add(sum.amount, amount);
    sum.estimate = add(sum.estimate, estimate);
    sum.cost = add(sum.cost, cost ?? '0');
    sum.arrives = add(sum.arrives, arrives ?? '0');
    sums.set(name, sum);
  }
  return [...sums.values()];
}

async function expectSums(kept: KeptRuns, id: string): Promise<void> {
  const [sums, reckoned] = [await kept.other.sums(id), await sumsOfRows(kept, id)];
  expect(sums).toHaveLength(reckoned.length);
  for (const sum of sums) {
    const same = reckoned.find((one) => one.state === sum.state && one.type === sum.type);
    expect(same?.rows).toBe(sum.rows);
    for (const name of ['amount', 'estimate', 'cost', 'arrives'] as const)
      expect(eq(sum[name], same?.[name] ?? '-1'), `${name} of ${sum.state}`).toBe(true);
  }
}

const digestAfter = (fixes: number): string => `d${fixes + 1}`;
const approval = { by: 'grace', profile: 'acme', keyLast4: '77aa', at: 1 };

const decimalOf = (units: number): string =>
  `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;

async function make(kept: KeptRuns, id: string, model: Model, move: Move): Promise<void> {
  const by = kept.other;
  if (move.do === 'take') {
    const lease = await (move.by ? by : kept.runs).take(id, `w${model.taken.length}`, {
      after: -1,
      leaseMs: LEASE,
    });
    const isLeft = model.rows.some(({ state }) => ['planned', 'sending', 'unknown'].includes(state));
    expect(lease !== undefined).toBe(isLeft && !model.isLeased);
    if (!lease) return;
    expect(model.taken.every(({ fence }) => fence < lease.fence)).toBe(true);
    model.taken.push(lease);
    model.holder = lease;
    model.lastHolder = lease;
    model.isLeased = true;
  }
  if (move.do === 'pass') {
    await kept.pass(LEASE + 1);
    model.isLeased = false;
  }
  if (move.do === 'hold') {
    const hold = {
      by: 'ada',
      profile: 'acme',
      keyLast4: '3f2a',
      keyPrint: 'p',
      at: 1,
      because: 'a question',
    };
    expect(await by.hold(id, move.on ? hold : undefined)).toBe(move.on !== model.isOnHold);
    model.isOnHold = move.on;
    expect((await kept.runs.find(BASE_URL, id))[0]).toMatchObject({
      state: 'approved',
      hold: move.on ? hold : undefined,
    });
  }
  if (move.do === 'fix') {
    const row = model.row(move.n);
    const fixed = {
      ...newRow(move.n),
      body: `{"fixed":${model.fixes}}`,
      content: `c-${model.fixes}`,
      payee: 'ab',
    };
    const [digest, next] = [digestAfter(model.fixes), digestAfter(model.fixes + 1)];
    const may = row.state === 'planned' || row.state === 'refused';
    expect(await by.fix(id, next, { row: fixed, digest, plan: '{"version":1}' })).toBe('changed');
    const given = { row: fixed, digest: next, plan: `{"version":1,"fixed":${model.fixes}}` };
    expect(await by.fix(id, digest, given)).toBe(may ? 'fixed' : 'not_open');
    if (!may) return;
    Object.assign(row, { state: 'planned' });
    Object.assign(model, { holder: undefined, lastHolder: undefined, isLeased: false });
    model.fixes += 1;
    model.bodies.set(move.n, fixed.body);
    const [now] = await kept.runs.find(BASE_URL, id);
    expect(now).toMatchObject({
      state: 'planned',
      approval: undefined,
      statements: [],
      digest: next,
      plan: given.plan,
    });
    // Nothing of a run that waits for its approval is opened, whoever asks for it.
    for (const lease of model.taken) expect(await by.open(lease, move.n, newIntent(move.n))).toBe('lost');
    expect(await by.approve(id, digest, approval)).toBe('changed');
    expect(await by.approve(id, next, approval)).toBe('approved');
  }
  if (move.do === 'cancel') {
    const row = model.row(move.n);
    expect(await by.cancelRows(id, [`key-${move.n}`])).toBe(row.state === 'planned' ? 1 : 0);
    if (row.state === 'planned') row.state = 'cancelled';
  }
  if (move.do === 'hand on') {
    const row = model.row(move.n);
    const may = ['planned', 'refused', 'cancelled', 'refunded'].includes(row.state);
    expect(await by.handOn(id, [{ n: move.n, as: `new-${move.n}` }], '/rest.csv')).toBe(may ? 1 : 0);
    if (may) Object.assign(row, { from: row.state, state: 'handed_on' });
    const kept = await by.row(id, `key-${move.n}`);
    if (may) expect(kept?.handed).toEqual({ file: '/rest.csv', as: `new-${move.n}`, from: row.from });
  }
  if (move.do === 'take back') {
    const row = model.row(move.n);
    const may = row.state === 'handed_on' && row.from !== undefined;
    expect(await by.takeBack(id, [move.n])).toBe(may ? 1 : 0);
    if (may) row.state = row.from ?? row.state;
  }
  if (move.do === 'observe') {
    const row = model.row(move.n);
    const news: RowNews = { state: move.state, transactionId: `t-${move.n}`, arrives: String(move.arrives) };
    await by.observe(id, [{ externalId: `wages-2026-11-${move.n}`, news }], mayBecome);
    if (row.state === move.state || mayBecome(row.state, move.state)) {
      row.state = move.state;
      row.transaction = true;
    }
  }
  const lease = 'taken' in move ? model.taken[move.taken % Math.max(1, model.taken.length)] : undefined;
  if (!lease) return;
  if (move.do === 'giveBack') {
    await kept.runs.giveBack(lease);
    if (lease === model.holder) {
      model.holder = undefined;
      model.isLeased = false;
    }
  }
  if (move.do === 'open') {
    const mayOpen = model.mayOpen(lease, move.n);
    const opened = await kept.runs.open(lease, move.n, newIntent(move.n));
    expect(opened !== 'lost').toBe(mayOpen);
    if (opened === 'lost') return;
    const row = model.row(move.n);
    row.state = 'sending';
    row.intent = opened.opened.id;
    model.intents.push({ id: opened.opened.id, n: move.n, state: 'open' });
  }
  if (move.do === 'close') {
    const intent = model.intents[move.intent % Math.max(1, model.intents.length)];
    if (!intent) return;
    const said = move.refused ? 'refused' : 'planned';
    const applied: RowNews = { transactionId: `t-${intent.n}`, cost: decimalOf(move.cost) };
    const news = move.as === 'applied' ? applied : { state: said };
    const state = model.close(lease, intent, move.as, said);
    expect(await kept.runs.close(lease, intent.n, intent.id, { state: move.as }, news as RowNews)).toBe(
      state,
    );
  }
}

/** So many sequences in each: a server is slower. */
const makers = everyStore().map(
  ([name, maker]) => [name, name === 'in PostgreSQL' ? 25 : 60, maker] as const,
);

describe.each(makers)('pay runs %s', (_name, numRuns, maker) => {
  it('are what a plain model says after any sequence of moves, and their sums are those of the rows', async () => {
    const kept = await maker();
    let names = 0;
    try {
      await fc.assert(
        fc.asyncProperty(moves, async (sequence) => {
          const name = `run ${names++}`;
          const { id } = await approved(kept.runs, newRows(ROWS), { name, windowSize: ROWS });
          const model = new Model();
          for (const move of sequence) await make(kept, id, model, move);
          const rows = await kept.other.rows(id);
          expect(rows.map(({ state }) => state)).toEqual(model.rows.map(({ state }) => state));
          expect(rows.map(({ body }) => body)).toEqual(
            rows.map(({ n }) => model.bodies.get(n) ?? newRow(n).body),
          );
          for (const intent of model.intents)
            expect((await kept.otherIntents.get(intent.id))?.state).toBe(intent.state);
          expect(
            rows.every(({ tries }, i) => tries === model.intents.filter((one) => one.n === i + 1).length),
          ).toBe(true);
          await expectSums(kept, id);
        }),
        { numRuns, seed: 20_261_122 },
      );
    } finally {
      await kept.close();
    }
  });
});
