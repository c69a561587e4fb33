/** What time it is says the service: where it does not, real money is not sent. Whether a run is signed at all is asked without it. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayRun } from '../../../src/core/ports/payruns.ts';
import { digestOf, type Plan } from '../../../src/desk/payruns/plan-text.ts';
import { refuseUnsigned, refuseUnsignedNow, ruleOf } from '../../../src/desk/payruns/signed.ts';
import { signedRunOf, signStatement } from '../../../src/desk/payruns/statement.ts';
import { fingerprintOf, lineOf, rawKeyOf } from '../../../src/profiles/approver-key.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const ada = { name: 'ada', key: rawKeyOf(privateKey) };
const NOW = Date.parse('2026-11-24T12:00:00Z');
const plan = { version: 1, windows: [], totals: [], rates: {}, ceilings: {}, tolerance: '0', planner: 'p' };

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'remit-test-'));
  writeFileSync(join(dir, 'approvers.txt'), lineOf(ada));
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
    digest: digestOf(plan as unknown as Plan, DESK_BASE_URL, 'wages'),
    statements: [],
  }) as unknown as PayRun;

/** Signed by ada, for an hour. */
function signed(): PayRun {
  const run = bare();
  const until = new Date(NOW + 3_600_000).toISOString();
  const said = { approver: 'ada', key: ada.key, verdict: 'approve', until, at: '', replaces: [] } as const;
  return { ...run, statements: [signStatement(signedRunOf(run), said, privateKey)] };
}

/** The clock of the machine is years behind, or ahead: only a sandbox goes by it. */
const deskWith = (date: string | undefined, environment: 'sandbox' | 'production', ours = NOW) => {
  let asked = 0;
  const desk = deskOver({
    transport: async () => {
      asked++;
      return { status: 200, headers: date === undefined ? {} : { date }, body: '[]' };
    },
    clock: { now: () => ours },
    environment,
    limits: limits(),
  });
  return { desk, asked: () => asked };
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

describe('a profile', () => {
  it('that wants approvals and names nobody takes none', () => {
    expect(ruleOf({})).toBeUndefined();
    expect(ruleOf({ approvals_needed: 1 })).toEqual({ needed: 1, accepted: [], others: [] });
    expect(ruleOf(limits())).toEqual({ needed: 1, accepted: [ada], others: [] });
    const print = { accepted_approvers: { ada: fingerprintOf(ada.key).replace(/^./, 'x') } };
    expect(ruleOf({ ...limits(), ...print })).toEqual({ needed: 1, accepted: [], others: ['ada'] });
    expect(ruleOf({ ...limits(), approvals_needed: 3 })?.needed).toBe(3);
  });
});
