/** Which runs a worker leaves alone, what it says of them, and what it answers when it ends. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Intents } from '../../../src/client/store/port.ts';
import { keyFingerprint } from '../../../src/contract/account-key.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import type { Confirmer } from '../../../src/payments/gate.ts';
import { approverLine, fingerprintOf, rawKeyOf } from '../../../src/profiles/approver-key.ts';
import { planDigest, type RunPlan } from '../../../src/runs/plan-text.ts';
import type { PayRun, PayRuns, RowSum, SignedVerdict } from '../../../src/runs/store/port.ts';
import { workOn } from '../../../src/runs/work.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';
import { credentials } from '../../support/sandbox.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const ada = { name: 'ada', key: rawKeyOf(privateKey) };
const OWN = keyFingerprint(credentials.key);

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'remit-test-'));
  writeFileSync(join(dir, 'approvers.txt'), approverLine(ada));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const runOf = (name: string, over: Partial<PayRun> = {}, planner = OWN): PayRun => {
  const plan = { version: 1, windows: [], totals: [], rates: {}, ceilings: {}, tolerance: '0', planner };
  return {
    id: name,
    name,
    state: 'approved',
    account: { baseUrl: DESK_BASE_URL, environment: 'sandbox', profile: 'own', keyLast4: '0000' },
    plan: JSON.stringify(plan),
    digest: planDigest(plan as unknown as RunPlan, DESK_BASE_URL, name),
    statements: [],
    ...over,
  } as unknown as PayRun;
};
const forged: SignedVerdict = {
  approver: 'ada',
  key: ada.key,
  verdict: 'approve',
  until: '2099-01-01T00:00:00.000Z',
  at: '2026-01-05T09:00:00.000Z',
  replaces: [],
  signature: Buffer.alloc(64, 1).toString('base64'),
};
const rejection = { by: 'eve', profile: 'own', keyLast4: '0000', at: 1, because: 'no' };

/** `looks` are the approved runs, as the worker finds them at each look. After the last one it is told to stop. */
async function worked(looks: PayRun[][], { once = false, isSent = false } = {}) {
  const said: string[] = [];
  const stop = new AbortController();
  let at = 0;
  const desk: Desk = {
    ...deskOver({
      transport: async () => {
        throw new Error('a run that is left alone sends nothing');
      },
      clock: { now: () => 0 },
      limits: {
        approvers: join(dir, 'approvers.txt'),
        accepted_approvers: { ada: fingerprintOf(ada.key) },
      },
      sleep: async () => {
        at += 1;
        if (at === looks.length) stop.abort();
      },
    }),
    signal: stop.signal,
    hear: ({ says }) => void said.push(String(says)),
  };
  const sums = [{ state: isSent ? 'created' : 'planned', rows: 2 }] as RowSum[];
  const payruns = {
    list: async () => looks[at] ?? [],
    sums: async () => sums,
  } as unknown as PayRuns;
  const intents = { joins: async () => [] } as unknown as Intents;
  const confirmer: Confirmer = {
    isAttended: false,
    stance: () => ({ kind: 'asks' }),
    confirm: async () => false,
  };
  const ended = await workOn(
    desk,
    { payruns, intents },
    { once, confirmer, inFlight: 1, perSecond: undefined, onEnd: async () => {} },
  );
  return { said, codes: ended.left.map(({ facts }) => facts.code), runs: ended.runs };
}

describe('a worker', () => {
  it.each<[string, () => PayRun, string | undefined, string]>([
    ['not signed', () => runOf('wages'), 'not_signed', 'none of 1 signature'],
    ['forged', () => runOf('wages', { statements: [forged] }), 'signature_forged', 'did not come from'],
    ['rejected', () => runOf('wages', { rejection }), 'run_rejected', 'was rejected by eve'],
    // Its machine pays it, and this one has nothing to answer for.
    ['of another account', () => runOf('wages', {}, 'x'.repeat(32)), undefined, 'belongs to own'],
  ])('leaves a run that is %s, says why, and answers it', async (_, run, code, words) => {
    const { said, codes, runs } = await worked([[run()]], { once: true });
    expect(said).toEqual([expect.stringMatching(`^left alone: the run "wages" .*${words}`)]);
    expect([codes, runs]).toEqual([code === undefined ? [] : [code], []]);
  });

  it('says it once, and again where the reason is another', async () => {
    const [bare, bad] = [runOf('wages'), runOf('wages', { statements: [forged] })];
    const { said } = await worked([[bare], [bare], [bad], [bad], [bare]]);
    expect(said).toEqual([
      expect.stringContaining('none of 1 signature that'),
      expect.stringContaining('did not come from the approver'),
      expect.stringContaining('none of 1 signature that'),
    ]);
  });

  it('answers what it left at the last look', async () => {
    const looks = [[runOf('wages'), runOf('bonus', { rejection })], [runOf('bonus', { rejection })]];
    expect((await worked(looks)).codes).toEqual(['run_rejected']);
    expect((await worked([...looks, []])).codes).toEqual([]);
  });

  it('says nothing of a run that has no rows to send', async () => {
    expect(await worked([[runOf('wages')]], { once: true, isSent: true })).toEqual({
      said: [],
      codes: [],
      runs: [],
    });
  });
});
