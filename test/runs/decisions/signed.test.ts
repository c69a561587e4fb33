/** What time it is says the service: where it does not, real money is not sent. Whether a run is signed at all is asked without it. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../../src/core/problem.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { approverLine, fingerprintOf, rawKeyOf } from '../../../src/profiles/approver-key.ts';
import type { ProfileLimits } from '../../../src/profiles/schema.ts';
import { planDigest, type RunPlan } from '../../../src/runs/plan-text.ts';
import { refuseUnsigned, refuseUnsignedNow, ruleOf } from '../../../src/runs/signed.ts';
import { signedRunOf, signStatement } from '../../../src/runs/statement.ts';
import type { PayRun, SignedVerdict } from '../../../src/runs/store/port.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const ada = { name: 'ada', key: rawKeyOf(privateKey) };
const NOW = Date.parse('2026-11-24T12:00:00Z');
const plan = { version: 1, windows: [], totals: [], rates: {}, ceilings: {}, tolerance: '0', planner: 'p' };

const other = (name: string) => ({ name, key: rawKeyOf(generateKeyPairSync('ed25519').privateKey) });

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'remit-test-'));
  writeFileSync(join(dir, 'approvers.txt'), approverLine(ada));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const limits = () => ({
  approvers: join(dir, 'approvers.txt'),
  accepted_approvers: { ada: fingerprintOf(ada.key) },
});

const bare = (): PayRun =>
  ({
    id: 'run-1',
    name: 'wages',
    account: { baseUrl: DESK_BASE_URL },
    plan: JSON.stringify(plan),
    digest: planDigest(plan as unknown as RunPlan, DESK_BASE_URL, 'wages'),
    statements: [],
  }) as unknown as PayRun;

const HOUR = 3_600_000;
const says = (over: Partial<SignedVerdict> = {}): SignedVerdict => {
  const until = new Date(NOW + HOUR).toISOString();
  const said = { approver: 'ada', key: ada.key, verdict: 'approve', until, at: '', replaces: [] } as const;
  return signStatement(signedRunOf(bare()), { ...said, ...over }, privateKey);
};
const runWith = (...statements: SignedVerdict[]): PayRun => ({ ...bare(), statements });
/** Signed by ada, for an hour. */
const signed = (): PayRun => runWith(says());
const forged = (n = 1): SignedVerdict => ({ ...says(), signature: Buffer.alloc(64, n).toString('base64') });

/** The clock of the machine is years behind, or ahead: only a sandbox goes by it. */
const deskWith = (
  date: string | undefined,
  environment: 'sandbox' | 'production',
  ours = NOW,
  over: ProfileLimits = limits(),
) => {
  let asked = 0;
  const heard: string[] = [];
  const desk: Desk = {
    ...deskOver({
      transport: async () => {
        asked++;
        return { status: 200, headers: date === undefined ? {} : { date }, body: '[]' };
      },
      clock: { now: () => ours },
      environment,
      limits: over,
    }),
    hear: ({ says: words }) => void heard.push(String(words)),
  };
  return { desk, asked: () => asked, heard };
};
const HTTP = (ms: number): string => new Date(ms).toUTCString();

describe('the time of an approval', () => {
  it.each<[string, string | undefined, 'sandbox' | 'production', number, string | undefined]>([
    ['the service says that it holds', HTTP(NOW), 'production', NOW + 9e9, undefined],
    ['the service says that it is over', HTTP(NOW + 3_600_000), 'production', NOW, 'not_signed'],
    ['the service does not say it', undefined, 'production', NOW, 'no_service_time'],
    ['it is no date', 'tomorrow', 'production', NOW, 'no_service_time'],
    ['a sandbox does not say it', undefined, 'sandbox', NOW, undefined],
    ['a sandbox does not say it, and it is over here', undefined, 'sandbox', NOW + 3_600_000, 'not_signed'],
  ])('%s', async (_, date, environment, ours, code) => {
    const { desk, asked } = deskWith(date, environment, ours);
    const done = refuseUnsignedNow(desk, signed());
    if (code === undefined) await expect(done).resolves.toBeUndefined();
    else await expect(done).rejects.toMatchObject({ facts: { code, outcome: 'not applied' } });
    expect(asked()).toBe(1);
  });

  it('is not asked for where the run is not signed, or where a worker only looks', async () => {
    const { desk, asked } = deskWith(HTTP(NOW), 'production');
    await expect(refuseUnsignedNow(desk, bare())).rejects.toMatchObject({ facts: { category: 'usage' } });
    await expect(refuseUnsigned(desk, bare())).rejects.toMatchObject({ facts: { code: 'not_signed' } });
    await expect(refuseUnsigned(desk, signed())).resolves.toBeUndefined();
    expect(asked()).toBe(0);
  });
});

describe('a run is refused', () => {
  const problemOf = async (run: PayRun, over?: ProfileLimits): Promise<Problem['facts']> => {
    const { desk } = deskWith(HTTP(NOW), 'production', NOW, over);
    const refused = await refuseUnsignedNow(desk, run).catch((error: unknown) => error);
    if (!(refused instanceof Problem)) throw new Error('it was not refused');
    return refused.facts;
  };
  const two = () => ({ ...limits(), approvals_needed: 2 });

  it.each<[string, () => PayRun, (() => ProfileLimits) | undefined, string, string, string]>([
    [
      'that nobody signed',
      bare,
      undefined,
      'usage',
      'not_signed',
      'the run "wages" is not approved: it has none of 1 signature that this profile wants',
    ],
    [
      'that one signed, and two must',
      signed,
      two,
      'usage',
      'not_signed',
      'the run "wages" is not approved: it has 1 of 2 signatures that this profile wants',
    ],
    [
      'whose signature is over',
      () => runWith(says({ until: '2026-11-24T11:00:00.000Z' })),
      undefined,
      'usage',
      'not_signed',
      'the run "wages" is not approved: it has none of 1 signature that this profile wants (that of ada ended at 2026-11-24T11:00:00.000Z)',
    ],
    [
      'of whose signatures two are over',
      () => runWith(says({ until: '2026-11-24T11:00:00.000Z' }), says({ until: '2026-11-24T12:00:00.000Z' })),
      undefined,
      'usage',
      'not_signed',
      'wants (that of ada ended at 2026-11-24T11:00:00.000Z, that of ada ended at 2026-11-24T12:00:00.000Z)',
    ],
    [
      'with one that is forged',
      () => runWith(forged()),
      undefined,
      'check',
      'signature_forged',
      'it has none of 1 signature that this profile wants, and 1 signature in the store did not come from the approver named there',
    ],
    [
      'with two that are forged, and too few',
      () => runWith(forged(), says(), forged(2)),
      two,
      'check',
      'signature_forged',
      'it has 1 of 2 signatures that this profile wants, and 2 signatures in the store did not come from the approvers named there',
    ],
    [
      'that was rejected',
      () => runWith(says({ verdict: 'reject', because: 'row 2 left', at: 'Monday' })),
      undefined,
      'conflict',
      'run_rejected',
      'the run "wages" was rejected by ada at Monday: row 2 left',
    ],
    [
      'that was rejected without a word, beside a forged one',
      () => runWith(forged(), says({ verdict: 'reject', at: 'Monday' })),
      undefined,
      'conflict',
      'run_rejected',
      'the run "wages" was rejected by ada at Monday: ',
    ],
  ])('%s', async (_, run, over, category, code, message) => {
    const facts = await problemOf(run(), over?.());
    expect(facts).toMatchObject({
      category,
      code,
      message: expect.stringContaining(message),
      outcome: 'not applied',
      outcomeNote: 'nothing was sent that was not sent before',
    });
    expect(facts.message.endsWith(message)).toBe(true);
  });

  it('by no profile that wants no signatures, and nobody is asked what time it is', async () => {
    const { desk, asked } = deskWith(undefined, 'production', NOW, {});
    await expect(refuseUnsigned(desk, bare())).resolves.toBeUndefined();
    await expect(refuseUnsignedNow(desk, runWith(forged()))).resolves.toBeUndefined();
    expect(asked()).toBe(0);
  });
});

describe('a run is paid, and it is said', () => {
  it('nothing, where all is well', async () => {
    const { desk, heard } = deskWith(HTTP(NOW), 'production');
    await refuseUnsignedNow(desk, signed());
    expect(heard).toEqual([]);
  });

  it('what else stands in the store, where enough others hold', async () => {
    const { desk, heard } = deskWith(HTTP(NOW), 'production');
    await refuseUnsignedNow(desk, runWith(forged(), says(), forged(2)));
    expect(heard).toEqual([
      '2 signatures of the run in the store did not come from an approver and counts for nothing: find out who can write to the store',
    ]);
  });

  it('whose keys in the file were never accepted', async () => {
    const file = join(dir, 'three.txt');
    writeFileSync(file, [ada, other('grace'), other('eve')].map(approverLine).join('\n'));
    const { desk, heard } = deskWith(HTTP(NOW), 'production', NOW, { ...limits(), approvers: file });
    await refuseUnsignedNow(desk, signed());
    expect(heard).toEqual([
      'grace, eve in the file of approvers: the key was never accepted here, and counts for nothing',
    ]);
  });
});

describe('a profile', () => {
  it('that wants approvals and names nobody takes none', () => {
    expect(ruleOf({})).toBeUndefined();
    expect(ruleOf({ approvals_needed: 1 })).toEqual({ needed: 1, accepted: [], others: [] });
    expect(ruleOf(limits())).toEqual({ needed: 1, accepted: [ada], others: [] });
    const print = { accepted_approvers: { ada: fingerprintOf(ada.key).replace(/^./, 'x') } };
    expect(ruleOf({ ...limits(), ...print })).toEqual({ needed: 1, accepted: [], others: ['ada'] });
    expect(ruleOf({ ...limits(), approvals_needed: 3 })?.needed).toBe(3);
    // Nobody is called `constructor` because every object has one.
    expect(ruleOf({ approvers: limits().approvers })).toEqual({ needed: 1, accepted: [], others: ['ada'] });
  });
});
