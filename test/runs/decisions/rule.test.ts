/** Which key may approve a run, and which run may be paid: the rule is of the run. */
import { describe, expect, it } from 'vitest';
import { keyFingerprint, knownKey } from '../../../src/contract/account-key.ts';
import type { KeyJoin } from '../../../src/core/account.ts';
import type { RunPlan } from '../../../src/runs/plan-text.ts';
import { isTwoPerson, plannedWith, plannerOf, refuseUnruly } from '../../../src/runs/rule.ts';
import type { Approval, PayRun } from '../../../src/runs/store/port.ts';
import { deskOver } from '../../support/desk.ts';
import { credentials } from '../../support/sandbox.ts';

const OWN = keyFingerprint(credentials.key);
const LAST = credentials.key.slice(-4);

const runOf = (plan: Partial<RunPlan>, approval?: Partial<Approval>): PayRun =>
  ({
    id: 'run-1',
    name: 'wages',
    maker: 'ada',
    account: { baseUrl: 'http://127.0.0.1:4010/v1', environment: 'sandbox', profile: 'own', keyLast4: LAST },
    approval: approval && { by: 'grace', profile: 'checker', keyLast4: LAST, at: 1, ...approval },
    plan: JSON.stringify({ version: 1, ...plan }),
  }) as unknown as PayRun;

const deskWith = (two_person?: boolean) =>
  deskOver({
    transport: async () => {
      throw new Error('a rule sends nothing');
    },
    clock: { now: () => 0 },
    limits: two_person === undefined ? {} : { two_person },
  });

describe('a print of a key', () => {
  it('is of the whole key, and shows none of it', () => {
    expect(OWN).toMatch(/^[0-9a-f]{32}$/);
    expect(keyFingerprint(`x${credentials.key.slice(1)}`)).not.toBe(OWN);
    expect(keyFingerprint(credentials.key)).toBe(OWN);
  });
});

describe('the key that planned a run', () => {
  it.each<[string, Partial<RunPlan>, string, boolean]>([
    ['the same key', { planner: OWN }, credentials.key, true],
    ['another key with the same last four', { planner: OWN }, `other${LAST}`, false],
    ['the same last four, of an earlier version', {}, `other${LAST}`, true],
    ['another key, of an earlier version', {}, 'key_9c9c', false],
  ])('%s', (_, plan, key, isPlanner) => {
    expect(plannedWith(runOf(plan), { credentials: { key, secret: '' } }, [])).toBe(isPlanner);
  });
});

describe('what is paid', () => {
  const strict: Partial<RunPlan> = { planner: OWN, twoPerson: true };
  it.each<[string, Partial<RunPlan>, Partial<Approval> | undefined, boolean | undefined, string | undefined]>(
    [
      ['a run of one person', { planner: OWN }, undefined, undefined, undefined],
      ['a run of one person, the rule taken away', { planner: OWN }, undefined, false, undefined],
      [
        'a run of one person, where the profile has the rule',
        { planner: OWN },
        undefined,
        true,
        'one_person_run',
      ],
      ['the same, approved by another', { planner: OWN }, { keyPrint: 'another' }, true, 'one_person_run'],
      ['a run of two, not approved', strict, undefined, undefined, 'usage'],
      ['a run of two, approved by another', strict, { keyPrint: 'another' }, undefined, undefined],
      ['the same, where the profile has the rule', strict, { keyPrint: 'another' }, true, undefined],
      ['a run of two, approved by its planner', strict, { keyPrint: OWN }, undefined, 'same_person'],
      [
        'the same, under another last four',
        strict,
        { keyPrint: OWN, keyLast4: '9c9c' },
        false,
        'same_person',
      ],
      ['a run of two, approved without a print by the same last four', strict, {}, undefined, 'same_person'],
      [
        'a run of two, approved without a print by another',
        strict,
        { keyLast4: '9c9c' },
        undefined,
        undefined,
      ],
    ],
  )('%s', async (_, plan, approval, two_person, code) => {
    const asked = refuseUnruly(deskWith(two_person), runOf(plan, approval), []);
    if (code === undefined) await expect(asked).resolves.toBeUndefined();
    else {
      const category = code === 'usage' ? 'usage' : 'conflict';
      await expect(asked).rejects.toMatchObject({ facts: { code, category, outcome: 'not applied' } });
    }
    expect(isTwoPerson(runOf(plan))).toBe(plan.twoPerson === true);
  });

  it.each<[string, Partial<RunPlan>, Partial<Approval> | undefined]>([
    ['of one person', { planner: OWN }, undefined],
    ['of two, approved by another', strict, { keyPrint: 'another' }],
    ['of two, not approved', strict, undefined],
  ])('is no run %s that somebody rejected', async (_, plan, approval) => {
    const rejection = { by: 'grace', profile: 'checker', keyLast4: '9c9c', at: 1, because: 'row 2 left' };
    await expect(refuseUnruly(deskWith(), { ...runOf(plan, approval), rejection }, [])).rejects.toMatchObject(
      {
        message: 'the run "wages" was rejected by grace, checker, key …9c9c: row 2 left',
        facts: { code: 'run_rejected', category: 'conflict', outcome: 'not applied' },
      },
    );
  });
});

describe('keys that took the place of one another', () => {
  const join = (isProven: boolean): KeyJoin => ({
    baseUrl: 'http://127.0.0.1:4010/v1',
    before: knownKey(credentials.key),
    key: knownKey('key_next_9c9c'),
    isProven,
    at: 1,
  });
  const next = { credentials: { key: 'key_next_9c9c', secret: '' } };

  it.each([true, false])('are one person, proven or not: %s', async (isProven) => {
    const run = runOf({ planner: OWN, twoPerson: true }, knownKey('key_next_9c9c'));
    expect(plannedWith(run, next, [join(isProven)])).toBe(true);
    await expect(refuseUnruly(deskWith(), run, [join(isProven)])).rejects.toMatchObject({
      facts: { code: 'same_person' },
    });
    expect(plannedWith(run, next, [])).toBe(false);
    await expect(refuseUnruly(deskWith(), run, [])).resolves.toBeUndefined();
  });

  it('of another service are two', () => {
    const elsewhere = { ...join(true), baseUrl: 'https://api.example.com/v1' };
    expect(plannedWith(runOf({ planner: OWN }), next, [elsewhere])).toBe(false);
  });
});

it('the planner of a run is its key at its URL; an earlier version knew the last four alone', () => {
  const known = { baseUrl: 'http://127.0.0.1:4010/v1', keyLast4: LAST };
  expect(plannerOf(runOf({ planner: OWN }))).toEqual({ ...known, keyPrint: OWN });
  expect(plannerOf(runOf({}))).toEqual({ ...known, keyPrint: undefined });
});
