/** An approver signs a run, or rejects it: what is looked at and asked before, what is signed, and what the store is told. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Intents } from '../../../src/client/store/port.ts';
import { keyFingerprint } from '../../../src/contract/account-key.ts';
import { Problem } from '../../../src/core/problem.ts';
import { TransportError } from '../../../src/core/transport.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import type { Confirmer } from '../../../src/payments/gate.ts';
import { rawKeyOf, type Signer } from '../../../src/profiles/approver-key.ts';
import { planDigest, type RunPlan } from '../../../src/runs/plan-text.ts';
import { approvalEnd, rejectRun, signRun } from '../../../src/runs/sign.ts';
import { isSigned, printOfStatement, signedRunOf, signStatement } from '../../../src/runs/statement.ts';
import type { PayRun, PayRuns, SignedVerdict } from '../../../src/runs/store/port.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';
import { credentials } from '../../support/sandbox.ts';

const DAY = 24 * 3_600_000;
/** By the service, to the second; the clock here is another. */
const NOW = Date.parse('2026-11-24T12:00:00Z');
const OURS = Date.parse('2026-11-20T08:00:00.500Z');
const iso = (ms: number): string => new Date(ms).toISOString();

const { privateKey } = generateKeyPairSync('ed25519');
const ada = { name: 'ada', key: rawKeyOf(privateKey) };

const plan = {
  version: 1,
  windows: [],
  totals: [],
  rates: {},
  ceilings: {},
  tolerance: '0',
  repeated: { rows: 0, first: [] },
  planner: 'another',
};
const DIGEST = planDigest(plan as unknown as RunPlan, DESK_BASE_URL, 'wages');
const runOf = (over: Partial<PayRun> = {}): PayRun =>
  ({
    id: 'run-1',
    name: 'wages',
    state: 'planned',
    rows: 0,
    windowSize: 200,
    account: { baseUrl: DESK_BASE_URL, environment: 'sandbox', profile: 'own', keyLast4: '0000' },
    plan: JSON.stringify(plan),
    digest: DIGEST,
    statements: [],
    ...over,
  }) as unknown as PayRun;

const APPROVAL = {
  by: 'grace',
  profile: 'own',
  keyLast4: credentials.key.slice(-4),
  keyPrint: keyFingerprint(credentials.key),
  at: OURS,
};

interface Given {
  /** What the service answers. */
  answer?: { date?: string } | Error;
  ended?: 'signed' | 'rejected' | 'changed' | 'not_open';
  /** The run as the store has it meanwhile. */
  now?: PayRun;
  yes?: boolean;
  /** Of the machine: nobody is named where it is left out. */
  user?: string | undefined;
}

function stage(given: Given = {}) {
  const { answer = { date: new Date(NOW).toUTCString() }, now, yes = true } = given;
  const user = 'user' in given ? given.user : 'grace';
  const order: string[] = [];
  const asked: string[] = [];
  const kept: unknown[][] = [];
  const desk: Desk = {
    ...deskOver({
      transport: async () => {
        if (answer instanceof Error) throw answer;
        const { date } = answer;
        return { status: 200, headers: date === undefined ? {} : { date }, body: '[]' };
      },
      clock: { now: () => OURS },
    }),
    by: { words: 'batch approve', user },
    hear: ({ says }) => void asked.push(String(says)),
  };
  const confirmer: Confirmer = {
    isAttended: true,
    stance: () => ({ kind: 'asks' }),
    confirm: async ({ said }) => {
      order.push('asked');
      asked.push(said);
      return yes;
    },
  };
  const signer: Signer = {
    ...ada,
    privateKey: async () => {
      order.push('key');
      return privateKey;
    },
  };
  const keep =
    (what: 'sign' | 'reject', well: string) =>
    async (...told: unknown[]) => {
      order.push(what);
      kept.push(told);
      return given.ended ?? well;
    };
  const payruns = {
    sign: keep('sign', 'signed'),
    reject: keep('reject', 'rejected'),
    find: async (...wanted: unknown[]) => {
      expect(wanted).toEqual([DESK_BASE_URL, 'run-1']);
      return now === undefined ? [] : [now];
    },
    rows: async () => [],
    keepChecked: async () => {},
    move: async () => {},
  } as unknown as PayRuns;
  const store = { payruns, intents: { joins: async () => [] } as unknown as Intents };
  return { desk, store, confirmer, signer, order, asked, kept };
}

type Over = Given & { run?: PayRun; digest?: string; until?: (now: number) => number };

async function signs({ run = runOf(), digest = DIGEST, until, ...given }: Over = {}) {
  const { desk, store, ...at } = stage(given);
  const about = { run, digest, confirmer: at.confirmer, signer: at.signer, ...(until && { until }) };
  const done = await signRun(desk, store, about).catch((error: unknown) => error);
  return { done, ...at };
}

async function rejects({
  run = runOf(),
  digest = DIGEST,
  isBare = false,
  ...given
}: Over & { isBare?: boolean } = {}) {
  const { desk, store, ...at } = stage(given);
  const about = {
    run,
    digest,
    confirmer: at.confirmer,
    because: 'row 2 left',
    signer: isBare ? undefined : at.signer,
  };
  const done = await rejectRun(desk, store, about).catch((error: unknown) => error);
  return { done, ...at };
}

interface Told {
  statement: SignedVerdict;
  rejection: object;
}
/** What the store was told, beside run and digest. */
const toldIn = ([told = []]: unknown[][]): Told => told[2] as Told;
const statementIn = (kept: unknown[][]): SignedVerdict => toldIn(kept).statement;
const factsOf = (done: unknown): Problem['facts'] => {
  if (!(done instanceof Problem)) throw new Error(`no problem: ${String(done)}`);
  return done.facts;
};

describe('an end', () => {
  it.each<[string, number | undefined, number]>([
    ['is a week after the approval', undefined, NOW + 7 * DAY],
    ['is a week after the run may be paid, where that is later', NOW + 3 * DAY, NOW + 10 * DAY],
    ['is a week after the approval, where the run may be paid before', NOW - 3 * DAY, NOW + 7 * DAY],
  ])('%s', (_, notBefore, end) => expect(approvalEnd(NOW, notBefore)).toBe(end));
});

describe('a signature', () => {
  it('is over the run as it is here, by the time of the service, until a week later', async () => {
    const now = runOf({ state: 'approved' });
    const { done, order, kept, asked } = await signs({ now });
    expect(order).toEqual(['asked', 'key', 'sign']);
    const statement = statementIn(kept);
    expect(kept).toEqual([['run-1', DIGEST, { statement, approval: APPROVAL, over: undefined }]]);
    const { signature: _, ...said } = statement;
    expect(said).toEqual({
      approver: 'ada',
      key: ada.key,
      verdict: 'approve',
      until: iso(NOW + 7 * DAY),
      at: iso(NOW),
      replaces: [],
    });
    expect(isSigned(signedRunOf(runOf()), statement)).toBe(true);
    expect(asked.join('\n')).toContain(iso(NOW + 7 * DAY));
    // As the store has it afterwards.
    expect(done).toBe(now);
  });

  it('is of the run at hand, where the store does not show it any more', async () => {
    const run = runOf();
    expect((await signs({ run })).done).toBe(run);
  });

  it.each<[string, Given, number]>([
    ['the service does not say it', { answer: {} }, OURS],
    ['it cannot be reached', { answer: new TransportError('not_sent', 'ECONNREFUSED', 'refused') }, OURS],
    ['the service says it', {}, NOW],
  ])('has the time of whoever knows it: %s', async (_, given, now) => {
    for (const made of [await signs(given), await rejects(given)])
      expect(statementIn(made.kept).at).toBe(iso(now));
  });

  it('a defect on the way to the time is no reason to take another', async () => {
    const answer = new RangeError('a defect');
    for (const made of [await signs({ answer }), await rejects({ answer })])
      expect([made.order, made.done instanceof Error]).toEqual([[], true]);
  });

  it('ends when it is said, by the time of the service', async () => {
    const { kept } = await signs({ until: (now) => now + 1 });
    expect(statementIn(kept).until).toBe(iso(NOW + 1));
  });

  it.each([0, -1])('does not end before it begins: %s ms', async (later) => {
    const { done, order } = await signs({ until: (now) => now + later });
    expect(factsOf(done)).toMatchObject({
      category: 'usage',
      message: `an approval until ${iso(NOW + later)} would be over already`,
    });
    expect(order).toEqual([]);
  });

  it('takes the place of what the same approver said before, and of nobody else', async () => {
    const first = (await signs()).kept;
    const run = runOf({ statements: [statementIn(first)] });
    const grace = generateKeyPairSync('ed25519').privateKey;
    const { signature: _, ...said } = statementIn(first);
    const others = { ...said, approver: 'grace', key: rawKeyOf(grace) };
    const both = runOf({ statements: [...run.statements, signStatement(signedRunOf(run), others, grace)] });
    for (const made of [await signs({ run: both }), await rejects({ run: both })])
      expect(statementIn(made.kept).replaces).toEqual([printOfStatement(statementIn(first))]);
  });

  it('names the rejection that whoever signs knows of', async () => {
    const rejection = { by: 'eve', profile: 'own', keyLast4: '0000', at: 5, because: 'no' };
    const { kept } = await signs({ run: runOf({ state: 'paused', rejection }) });
    expect(toldIn(kept)).toMatchObject({ over: 5 });
  });
});

describe('a rejection', () => {
  it('is signed, has its reason and no end, and pauses the run in the same step', async () => {
    const now = runOf({ state: 'paused' });
    const { done, order, kept, asked } = await rejects({ now });
    expect(order).toEqual(['key', 'reject']);
    const statement = statementIn(kept);
    const rejection = { ...APPROVAL, because: 'row 2 left', approver: 'ada' };
    expect(kept).toEqual([['run-1', DIGEST, { statement, rejection, why: 'rejected by ada: row 2 left' }]]);
    const { signature: _, ...said } = statement;
    expect(said).toEqual({
      approver: 'ada',
      key: ada.key,
      verdict: 'reject',
      because: 'row 2 left',
      at: iso(NOW),
      replaces: [],
    });
    expect(isSigned(signedRunOf(runOf()), statement)).toBe(true);
    expect(asked.join('\n')).toContain('run wages: nobody pays it before it is approved again');
    expect(done).toBe(now);
  });

  it.each<[string, string | undefined, string]>([
    ['the user of the machine', 'grace', 'rejected by grace: row 2 left'],
    ['the profile, where nobody knows the user', undefined, 'rejected by own: row 2 left'],
  ])('without a key is by %s', async (_, user, why) => {
    const { order, kept } = await rejects({ isBare: true, user });
    expect(order).toEqual(['reject']);
    const rejection = { ...APPROVAL, by: user, because: 'row 2 left' };
    expect(kept).toEqual([['run-1', DIGEST, { statement: undefined, rejection, why }]]);
    expect(Object.keys(toldIn(kept).rejection)).not.toContain('approver');
  });
});

describe.each([
  ['signed', signs],
  ['rejected', rejects],
] as const)('no run is %s', (_name, says) => {
  it.each<[string, Over, string, string]>([
    ['under another digest', { digest: 'a'.repeat(64) }, 'conflict', 'digest_differs'],
    ['under half a digest', { digest: DIGEST.slice(0, 16) }, 'usage', 'usage'],
    ['that is cancelled', { run: runOf({ state: 'cancelled' }) }, 'usage', 'usage'],
  ])('%s: nothing is asked', async (_, over, category, code) => {
    const { done, order } = await says(over);
    expect(factsOf(done)).toMatchObject({ category, code });
    expect(order).toEqual([]);
  });

  it.each(['changed', 'not_open'] as const)('that became another meanwhile: %s', async (ended) => {
    for (const [now, word] of [
      [runOf({ state: 'cancelled' }), 'cancelled'],
      [undefined, 'gone'],
    ] as const) {
      const { done } = await says({ ended, ...(now && { now }) });
      expect(factsOf(done)).toMatchObject({
        code: 'run_changed',
        message: `the run "wages" was changed meanwhile: it is ${word}`,
      });
    }
  });
});

it('who says no to the question signs nothing', async () => {
  const { done, order } = await signs({ yes: false });
  expect([done instanceof Error, order]).toEqual([true, ['asked']]);
});
