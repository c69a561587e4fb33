/** Which key may approve a run, and which run may be paid: the rule is of the run. */
import { describe, expect, it } from 'vitest';
import { keyPrint } from '../../../src/contract/account-key.ts';
import type { Approval, PayRun } from '../../../src/core/ports/payruns.ts';
import type { Plan } from '../../../src/desk/payruns/plan-text.ts';
import { isTwoPerson, plannedWith, refuseUnruly } from '../../../src/desk/payruns/rule.ts';
import { deskOver } from '../../support/desk.ts';
import { credentials } from '../../support/sandbox.ts';

const OWN = keyPrint(credentials.key);
const LAST = credentials.key.slice(-4);

const runOf = (plan: Partial<Plan>, approval?: Partial<Approval>): PayRun =>
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
    expect(keyPrint(`x${credentials.key.slice(1)}`)).not.toBe(OWN);
    expect(keyPrint(credentials.key)).toBe(OWN);
  });
});

describe('the key that planned a run', () => {
  it.each<[string, Partial<Plan>, string, boolean]>([
    ['the same key', { planner: OWN }, credentials.key, true],
    ['another key with the same last four', { planner: OWN }, `other${LAST}`, false],
    ['the same last four, of an earlier version', {}, `other${LAST}`, true],
    ['another key, of an earlier version', {}, 'key_9c9c', false],
  ])('%s', (_, plan, key, isPlanner) => {
    expect(plannedWith(runOf(plan), { credentials: { key, secret: '' } }, [])).toBe(isPlanner);
  });
});

describe('what is paid', () => {
  const strict: Partial<Plan> = { planner: OWN, twoPerson: true };
  it.each<[string, Partial<Plan>, Partial<Approval> | undefined, boolean | undefined, string | undefined]>([
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
    ['the same, under another last four', strict, { keyPrint: OWN, keyLast4: '9c9c' }, false, 'same_person'],
    ['a run of two, approved without a print by the same last four', strict, {}, undefined, 'same_person'],
    ['a run of two, approved without a print by another', strict, { keyLast4: '9c9c' }, undefined, undefined],
  ])('%s', async (_, plan, approval, two_person, code) => {
    const asked = refuseUnruly(deskWith(two_person), runOf(plan, approval), []);
    if (code === undefined) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ facts: { code, outcome: 'not applied' } });
    expect(isTwoPerson(runOf(plan))).toBe(plan.twoPerson === true);
  });
});
