/** Who may approve a run and pay it, by which digest, and what is asked first; the store of runs is a few values. */
import { describe, expect, it } from 'vitest';
import type { Intents } from '../../../src/client/store/port.ts';
import { keyFingerprint } from '../../../src/contract/account-key.ts';
import type { Desk, Heard } from '../../../src/payments/desk.ts';
import type { Confirmer } from '../../../src/payments/gate.ts';
import type { Connection } from '../../../src/profiles/connection.ts';
import { shownDigest } from '../../../src/profiles/digest.ts';
import {
  approveRun,
  authorizeApproval,
  authorizeRun,
  planLines,
  repeatedLines,
  runStep,
} from '../../../src/runs/approve.ts';
import { digestOf, hashOfWindow, type Plan } from '../../../src/runs/plan-text.ts';
import type { PayRow, PayRun, PayRuns, RowState, RowSum } from '../../../src/runs/store/port.ts';
import { deskOver } from '../../support/desk.ts';
import { plannedRows } from '../../support/planned-rows.ts';
import { credentials } from '../../support/sandbox.ts';

const BASE_URL = 'http://127.0.0.1:4010/v1';
const ROWS = plannedRows('wages', ['1', '2', '3', '4']);

const plan = (over: Partial<Plan> = {}): Plan => ({
  version: 1,
  windows: [hashOfWindow(ROWS)],
  totals: [
    { type: 'NGN::Bank', currency: 'NGN', inputCurrency: 'EUR', rows: 3, amount: '30000', estimate: '30' },
    { type: 'EUR::Bank', currency: 'EUR', inputCurrency: 'EUR', rows: 1, amount: '5', estimate: '5' },
  ],
  rates: { 'EUR NGN': '1000' },
  ceilings: { EUR: '40' },
  tolerance: '0.01',
  repeated: { rows: 0, first: [] },
  ...over,
});

const runOf = (over: Partial<PayRun> = {}, planned: Partial<Plan> = {}): PayRun =>
  ({
    id: 'run-1',
    name: 'wages',
    digest: digestOf(plan(planned), BASE_URL, 'wages'),
    rows: ROWS.length,
    windowSize: 200,
    state: 'planned',
    maker: 'ada',
    account: {
      baseUrl: BASE_URL,
      environment: 'sandbox',
      profile: 'own',
      keyLast4: '51ab',
    },
    plan: JSON.stringify(plan(planned)),
    ...over,
  }) as PayRun;

const DIGEST = runOf().digest;
const SHOWN = shownDigest(DIGEST);

const sum = (state: RowState, over: Partial<RowSum> = {}): RowSum => ({
  state,
  type: 'NGN::Bank',
  currency: 'NGN',
  inputCurrency: 'EUR',
  rows: 1,
  amount: '10000',
  estimate: '10',
  cost: '10',
  arrives: '10000',
  ...over,
});

const two = [
  { type: 'NGN::Bank', currency: 'NGN', inputCurrency: 'EUR', rows: 1, amount: '1000', estimate: '1' },
  { type: 'GHS::Bank', currency: 'GHS', inputCurrency: 'GBP', rows: 1, amount: '20', estimate: '2' },
];

interface Given {
  limits?: Connection['limits'];
  ended?: 'approved' | 'changed' | 'not_planned';
  /** The run as the store has it meanwhile. */
  now?: PayRun;
  sums?: RowSum[];
  /** As the store has them. */
  rows?: readonly PayRow[];
  yes?: boolean;
}

function stage({ limits = {}, ended = 'approved', now, sums = [], yes = true, rows = ROWS }: Given = {}) {
  const heard: Heard[] = [];
  const asked: string[] = [];
  const kept: unknown[] = [];
  const transport = async () => {
    throw new Error('an approval sends nothing');
  };
  const desk: Desk = {
    ...deskOver({ transport, clock: { now: () => 77 }, limits }),
    by: { words: 'batch approve', user: 'grace' },
    hear: (one) => void heard.push(one),
  };
  const confirmer: Confirmer = {
    isAttended: true,
    stance: () => ({ kind: 'asks' }),
    confirm: async ({ said }) => {
      asked.push(said);
      return yes;
    },
  };
  const payruns = {
    approve: async (...given: unknown[]) => {
      kept.push(given);
      return ended;
    },
    move: async (...given: unknown[]) => void kept.push(given),
    find: async () => (now ? [now] : []),
    sums: async () => sums,
    rows: async (_: string, { after = 0 }) => rows.filter(({ n }) => n > after),
    keepChecked: async () => void kept.push('checked'),
  } as unknown as PayRuns;
  const intents = { joins: async () => [] } as unknown as Intents;
  return { desk, confirmer, payruns, intents, asked, heard, kept };
}

const approval = {
  by: 'grace',
  profile: 'own',
  keyLast4: '51ab',
  keyPrint: keyFingerprint(credentials.key),
  at: 77,
};
const approving = (run: PayRun, given: Given = {}, digest = run.digest) => {
  const s = stage(given);
  return { ...s, done: approveRun(s.desk, s, { run, digest, confirmer: s.confirmer }) };
};
const paying = (run: PayRun, given: Given = {}) => {
  const s = stage(given);
  return { ...s, done: authorizeRun(s.desk, s, { run, confirmer: s.confirmer }) };
};

describe('an approval', () => {
  it.each([[DIGEST], [DIGEST.slice(0, 32)], [SHOWN], [SHOWN.toUpperCase()]])(
    'by %s is kept',
    async (digest) => {
      const { done, kept, asked } = approving(runOf(), {}, digest);
      expect(await done).toEqual({ ...runOf(), state: 'approved', approval });
      expect(kept).toEqual(['checked', ['run-1', DIGEST, approval]]);
      expect(asked).toEqual([
        'Approve this run: about 35.00 EUR, at most 35.39 EUR, from the sandbox balance, to 4 recipients?',
      ]);
    },
  );

  it.each<[string, string, RegExp, string]>([
    ['too short', SHOWN.slice(0, -1), /a digest has 32 hexadecimal digits, .* this has 31/, 'usage'],
    ['half of it', SHOWN.slice(0, 17), /this has 16 characters/, 'usage'],
    ['empty', '', /this has 0 characters/, 'usage'],
    ['no digest', 'g'.repeat(32), /a digest has 32 hexadecimal digits/, 'usage'],
    ['another', `${SHOWN.slice(0, -1)}${SHOWN.endsWith('8') ? '7' : '8'}`, /has another digest/, 'conflict'],
    ['the end of it', DIGEST.slice(1), /has another digest/, 'conflict'],
  ])('by a digest that is %s is refused', async (_, digest, words, category) => {
    const { done, kept, asked } = approving(runOf(), {}, digest);
    await expect(done).rejects.toMatchObject({
      message: expect.stringMatching(words),
      facts: { category, outcome: 'not applied' },
    });
    expect([kept, asked]).toEqual([[], []]);
  });

  it('by another digest names a code and the way to look', async () => {
    const { done } = approving(runOf(), {}, '0'.repeat(32));
    await expect(done).rejects.toMatchObject({
      facts: {
        code: 'digest_differs',
        hint: { parts: [expect.any(String), { do: 'show_run', name: 'wages' }] },
      },
    });
  });

  it.each(['approved', 'paused'] as const)('of a run that is %s changes nothing', async (state) => {
    const run = runOf({ state });
    const { done, kept, asked } = approving(run);
    expect(await done).toBe(run);
    expect([kept, asked]).toEqual([[], []]);
  });

  it.each(['planned', 'paused'] as const)(
    'of a run that was rejected while %s says so, and takes that back',
    async (state) => {
      const rejection = { by: 'eve', profile: 'own', keyLast4: '9c9c', at: 5, because: 'wrong month' };
      const { done, kept, heard } = approving(runOf({ state, rejection }));
      expect(await done).toMatchObject({ state: 'approved', rejection: undefined });
      expect(kept).toEqual(['checked', ['run-1', DIGEST, approval, 5]]);
      expect(heard).toContainEqual({
        says: '  It was rejected by eve, own, key …9c9c: wrong month',
        as: 'warning',
      });
    },
  );

  it('that is signed says until when, and leaves two persons to whoever approved first', async () => {
    const own = { account: { ...runOf().account, keyLast4: '51ab' } };
    const s = stage({ limits: { two_person: true } });
    const until = Date.parse('2026-12-01T00:00:00Z');
    const asked = { run: runOf({ ...own, state: 'approved' }), confirmer: s.confirmer, until };
    await authorizeApproval(s.desk, s, asked);
    const unsigned = stage({ limits: { two_person: true } });
    await authorizeApproval(unsigned.desk, unsigned, { run: asked.run, confirmer: unsigned.confirmer });
    const before = unsigned.heard.map(({ says }) => says);
    expect(s.heard.map(({ says }) => says).filter((line) => !before.includes(line))).toEqual([
      '  signed until 2026-12-01T00:00:00.000Z',
    ]);
    expect(before.length).toBe(s.heard.length - 1);
    expect(unsigned.heard.filter(({ as }) => as === 'warning')).toEqual([]);
    const rejection = { by: 'eve', profile: 'own', keyLast4: '9c9c', at: 5, because: 'wrong month' };
    await expect(
      authorizeApproval(s.desk, s, { ...asked, run: runOf({ ...own, state: 'approved', rejection }) }),
    ).rejects.toThrow(/two_person wants/);
    await expect(authorizeApproval(s.desk, s, { ...asked, run: runOf(own) })).rejects.toThrow(
      /two_person wants/,
    );
  });

  it('of a run that is cancelled is refused', async () => {
    await expect(approving(runOf({ state: 'cancelled' })).done).rejects.toThrow(
      'the run "wages" is cancelled',
    );
  });

  it.each([
    [true, '51ab', true],
    [true, '77aa', false],
    [false, '51ab', false],
    [undefined, '51ab', false],
  ])(
    'where two_person is %s, of a run planned with …%s, is refused: %s',
    async (two_person, keyLast4, isRefused) => {
      const run = runOf({ account: { ...runOf().account, keyLast4 } });
      const { done, asked } = approving(run, { limits: two_person === undefined ? {} : { two_person } });
      if (isRefused) await expect(done).rejects.toThrow(/planned with this key \(…51ab\)/);
      else expect((await done).state).toBe('approved');
      expect(asked).toHaveLength(isRefused ? 0 : 1);
    },
  );

  it('that is answered with no is not kept', async () => {
    const { done, kept } = approving(runOf(), { yes: false });
    await expect(done).rejects.toMatchObject({ facts: { category: 'interrupted' } });
    expect(kept).toEqual(['checked']);
  });

  it('above the limits of the profile is refused', async () => {
    await expect(approving(runOf(), { limits: { max_amount: { EUR: '34' } } }).done).rejects.toThrow(
      /35\.00 EUR is refused/,
    );
  });

  it('that another made meanwhile stands', async () => {
    const now = runOf({ state: 'approved', maker: 'other' });
    expect(await approving(runOf(), { ended: 'not_planned', now }).done).toBe(now);
  });

  it.each<[Given['ended'], PayRun | undefined, string]>([
    ['changed', runOf({ state: 'approved' }), 'it is approved'],
    ['changed', runOf(), 'it is planned'],
    ['not_planned', runOf({ state: 'cancelled' }), 'it is cancelled'],
    ['not_planned', undefined, 'it is gone'],
  ])('of a run that is %s meanwhile is refused', async (ended, now, words) => {
    const { done } = approving(runOf(), { ...(ended ? { ended } : {}), ...(now ? { now } : {}) });
    await expect(done).rejects.toMatchObject({
      message: `the run "wages" was changed meanwhile: ${words}`,
      facts: { category: 'conflict', code: 'run_changed', outcome: 'not applied' },
    });
  });

  it('shows the plan, who made it, and what may be paid twice', async () => {
    const repeated = { rows: 1, first: [{ n: 2, run: 'old', key: 'E-2' }] };
    const { done, heard } = approving(runOf({}, { repeated }));
    await done;
    const lines = heard.map(({ says }) => says);
    expect(lines).toContain('  planned by ada, own, key …51ab');
    expect(lines).toContain(
      '  in all 35.00 EUR, and at most 35.39 EUR: rates may move by 1 %, the limit is 40.00 EUR',
    );
    expect(heard).toContainEqual({ says: expect.stringContaining('Look again: 1 row has'), as: 'warning' });
  });

  it.each<[Partial<Plan>, string]>([
    [
      { ceilings: {} },
      'Approve this run: about 35.00 EUR, at most 35.39 EUR, from the sandbox balance, to 4 recipients?',
    ],
    [
      { totals: two, ceilings: { GBP: '3' } },
      'Approve this run: about 1.00 EUR, at most 1.02 EUR, and about 2.00 GBP, at most 2.03 GBP, from the sandbox balance, to 2 recipients?',
    ],
  ])('of %j asks', async (planned, words) => {
    const { done, asked } = approving(runOf({}, planned));
    await done;
    expect(asked).toEqual([words]);
  });
});

describe('whoever pays', () => {
  it.each<[PayRun['state'], unknown[], Partial<PayRun>]>([
    ['planned', [['run-1', DIGEST, approval]], { state: 'approved', approval }],
    ['approved', [], { state: 'approved' }],
    ['paused', [['run-1', ['paused'], 'approved']], { state: 'approved', why: undefined }],
  ])('a run that is %s gets a pass of money', async (state, written, over) => {
    const run = runOf({ state, why: 'stopped' });
    const { done, kept, asked } = paying(run);
    const { permit, run: now } = await done;
    expect(permit.effect).toBe('money');
    expect(now).toEqual({ ...run, ...over });
    // Its rows are looked at again behind the answer.
    expect(kept).toEqual(['checked', 'checked', ...written]);
    expect(asked).toHaveLength(1);
  });

  it('a run that is cancelled is refused', async () => {
    await expect(paying(runOf({ state: 'cancelled' })).done).rejects.toMatchObject({
      message: 'the run "wages" is cancelled',
      facts: { hint: 'plan it under another name' },
    });
  });

  it.each<[PayRun['state'], boolean]>([
    ['planned', true],
    ['approved', false],
    ['paused', false],
  ])('where two persons are wanted, a run that is %s, is refused: %s', async (state, isRefused) => {
    const by = { by: 'ada', profile: 'other', keyLast4: '9c9c', keyPrint: 'another', at: 1 };
    const run = runOf({ state, ...(isRefused ? {} : { approval: by }) }, { twoPerson: true });
    const { done } = paying(run);
    if (isRefused)
      await expect(done).rejects.toMatchObject({
        message: 'the run "wages" is not approved, and it was planned for two persons',
        facts: { hint: { parts: [expect.any(String), { do: 'approve_run', name: 'wages' }] } },
      });
    else expect((await done).run.state).toBe('approved');
  });
});

describe('the last question', () => {
  it.each<[string, RowSum[], Partial<Plan>, string, unknown[]]>([
    [
      'nothing was begun',
      [sum('planned', { rows: 4 })],
      {},
      'Pay 35.00 EUR from the LIVE balance, to 4 recipients?',
      [{ amount: '35', currency: 'EUR' }],
    ],
    [
      'nothing is known',
      [],
      {},
      'Pay 35.00 EUR from the LIVE balance, to 4 recipients?',
      [{ amount: '35', currency: 'EUR' }],
    ],
    [
      'some were paid',
      [sum('paid'), sum('planned', { rows: 2, estimate: '20' })],
      {},
      'Pay 20.00 EUR from the LIVE balance, to the remaining 2 recipients?',
      [{ amount: '20', currency: 'EUR' }],
    ],
    [
      'one is unknown',
      [sum('paid', { rows: 3 }), sum('unknown')],
      {},
      'Pay 10.00 EUR from the LIVE balance, to the remaining 1 recipient?',
      [{ amount: '10', currency: 'EUR' }],
    ],
    [
      'all that is open counts',
      [sum('planned'), sum('sending'), sum('unknown'), sum('refused')],
      {},
      'Pay 30.00 EUR from the LIVE balance, to the remaining 3 recipients?',
      [{ amount: '30', currency: 'EUR' }],
    ],
    [
      'there are two currencies',
      [],
      { totals: two },
      'Pay 1.00 EUR and 2.00 GBP to 2 recipients?',
      [
        { amount: '1', currency: 'EUR' },
        { amount: '2', currency: 'GBP' },
      ],
    ],
    ['nothing is left', [sum('paid')], {}, 'Pay  to the remaining 0 recipients?', []],
  ])('where %s', (_, sums, planned, words, amounts) => {
    const step = runStep(runOf({}, planned), sums);
    expect(step.question?.('LIVE')).toBe(words);
    const named = { names: ['run run-1'] };
    expect(step.amounts).toEqual(amounts.map((one) => Object.assign({}, one, named)));
    expect(step.effect).toBe('money');
  });

  it('stands below the lines of the plan', () => {
    expect(runStep(runOf(), [])).toMatchObject({
      what: [
        `run wages: 4 rows, digest ${SHOWN}`,
        '3 × NGN::Bank: 30000 NGN, about 30.00 EUR',
        '1 × EUR::Bank: 5.00 EUR',
        'rate EUR to NGN: 1000',
        'in all 35.00 EUR, and at most 35.39 EUR: rates may move by 1 %, the limit is 40.00 EUR',
      ],
      warnings: [],
    });
    expect(planLines(runOf({ rows: 1 }), plan({ totals: [], rates: {}, ceilings: {} }))).toEqual([
      `run wages: 1 row, digest ${SHOWN}`,
    ]);
  });

  it('says from when on rows are compared, where runs were forgotten', () => {
    const repeated = { rows: 0, first: [], from: Date.parse('2026-01-02T03:04:05Z') };
    expect(repeatedLines(plan({ repeated }))).toEqual([
      'Its rows are compared with those of runs that were planned after 2026-01-02T03:04:05.000Z: what was planned up to then was forgotten, or some of it',
    ]);
  });

  it('says what the service had already, or that it was not asked', () => {
    const bare = { totals: [], rates: {}, ceilings: {} };
    const lines = (over: Partial<Plan>) => planLines(runOf({ rows: 1 }), plan({ ...bare, ...over })).slice(1);
    expect(lines({})).toEqual([]);
    expect(lines({ before: { rows: 2, costs: { EUR: '9' } } })).toEqual([
      'paid before this run, and not paid again: 2 rows, 9.00 EUR',
    ]);
    expect(lines({ elsewhere: { rows: 1, costs: { GBP: '3' } } })).toEqual([
      'paid elsewhere under the ids of this run, and not paid again: 1 row, 3.00 GBP',
    ]);
    expect(lines({ unasked: true })).toEqual(['the service was not asked which rows are paid already']);
  });

  it.each<[number, number, string[]]>([
    [0, 0, []],
    [
      1,
      1,
      [
        'Look again: 1 row has the same account and amount as in a run of the last 35 days: row 1 (E-1 of old)',
      ],
    ],
    [
      2,
      2,
      [
        'Look again: 2 rows have the same account and amount as in a run of the last 35 days: row 1 (E-1 of old), row 2 (E-2 of old)',
      ],
    ],
    [
      1003,
      1,
      [
        'Look again: 1,003 rows have the same account and amount as in a run of the last 35 days: row 1 (E-1 of old), and 1,002 more',
      ],
    ],
  ])('with %i rows of an earlier run, of which %i are named', (rows, named, lines) => {
    const first = Array.from({ length: named }, (_, i) => ({ n: i + 1, run: 'old', key: `E-${i + 1}` }));
    expect(repeatedLines(plan({ repeated: { rows, first } }))).toEqual(lines);
  });
});
