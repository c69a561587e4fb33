/** Which statements of a run count, by whom, and until when: the store may have anything in it. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApproverKey, rawKeyOf } from '../../../src/profiles/approver-key.ts';
import { planDigest, type RunPlan } from '../../../src/runs/plan-text.ts';
import { approvalEnd } from '../../../src/runs/sign.ts';
import { judgeStatements, toReplace } from '../../../src/runs/signatures.ts';
import {
  isSigned,
  printOfStatement,
  type SignedRun,
  signedRunOf,
  signStatement,
  statementText,
  type Unsigned,
} from '../../../src/runs/statement.ts';
import type { PayRun, SignedVerdict } from '../../../src/runs/store/port.ts';

const RUN: SignedRun = {
  id: 'run-1',
  name: 'wages',
  baseUrl: 'https://api.example.com/v1',
  planner: 'a'.repeat(32),
  digest: 'd'.repeat(64),
};
const NOW = Date.parse('2026-11-24T12:00:00Z');
const DAY = 24 * 3_600_000;
const at = (days: number): string => new Date(NOW + days * DAY).toISOString();

interface Person extends ApproverKey {
  own: KeyObject;
}
const person = (name: string): Person => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { name, key: rawKeyOf(privateKey), own: privateKey };
};
const [ada, grace, eve] = [person('ada'), person('grace'), person('eve')] as const;

const says = (who: Person, over: Partial<Unsigned> = {}, run = RUN): SignedVerdict =>
  signStatement(
    run,
    {
      approver: who.name,
      key: who.key,
      verdict: 'approve',
      until: at(7),
      at: at(0),
      replaces: [],
      ...over,
    },
    who.own,
  );
const approves = (who: Person, days = 7, over: Partial<Unsigned> = {}) =>
  says(who, { until: at(days), ...over });
const rejects = (who: Person, over: Partial<Unsigned> = {}): SignedVerdict => {
  const { until: _, ...said } = { approver: who.name, key: who.key, at: at(0), replaces: [], until: '' };
  return signStatement(RUN, { ...said, verdict: 'reject', because: 'no', ...over }, who.own);
};
const later = (...earlier: SignedVerdict[]) => ({ replaces: earlier.map(printOfStatement) });
const judge = (statements: SignedVerdict[], needed = 1, accepted: ApproverKey[] = [ada, grace], now = NOW) =>
  judgeStatements(RUN, statements, { rule: { needed, accepted }, now });

/** Made anew each time, and the same each time: an Ed25519 signature has no dice in it. */
const first = (): SignedVerdict => approves(ada);
const no = (): SignedVerdict => rejects(ada, later(first()));

type Case = [string, () => SignedVerdict[], number, string[], number, number | undefined];

describe('statements', () => {
  it.each<Case>([
    ['none', () => [], 1, [], 0, undefined],
    ['one of one', () => [first()], 1, ['counts'], 1, 7],
    ['one of two', () => [first()], 2, ['counts'], 1, undefined],
    ['two of two', () => [first(), approves(grace, 3)], 2, ['counts', 'counts'], 2, 3],
    ['two of two, the shorter one first', () => [approves(grace, 3), first()], 2, ['counts', 'counts'], 2, 3],
    ['two, where one is enough', () => [approves(grace, 3), first()], 1, ['counts', 'counts'], 2, 7],
    ['the same one twice', () => [first(), approves(ada, 3)], 2, ['counts', 'counts'], 1, undefined],
    ['the same one twice, for one', () => [first(), approves(ada, 3)], 1, ['counts', 'counts'], 1, 7],
    [
      'the same one later again',
      () => [first(), approves(ada, 9, later(first()))],
      1,
      ['replaced', 'counts'],
      1,
      9,
    ],
    ['one that is over', () => [approves(ada, 0)], 1, ['ended'], 0, undefined],
    ['one that is over in a moment', () => [approves(ada, 1 / DAY)], 1, ['counts'], 1, 1 / DAY],
    ['one whose end is no time', () => [says(ada, { until: 'never' })], 1, ['ended'], 0, undefined],
    [
      'one beside one that is over',
      () => [approves(grace, -1), first()],
      2,
      ['ended', 'counts'],
      1,
      undefined,
    ],
    ['a key that is not accepted', () => [approves(eve)], 1, ['not_accepted'], 0, undefined],
    ['a rejection', () => [rejects(grace)], 1, ['rejects'], 0, undefined],
    ['a rejection beside an approval', () => [first(), rejects(grace)], 1, ['counts', 'rejects'], 1, 7],
    ['a rejection of the same one, later', () => [first(), no()], 1, ['replaced', 'rejects'], 0, undefined],
    ['the same in another order', () => [no(), first()], 1, ['rejects', 'replaced'], 0, undefined],
    [
      'a rejection that knows of no approval',
      () => [first(), rejects(ada)],
      1,
      ['counts', 'rejects'],
      0,
      undefined,
    ],
    [
      'approved again',
      () => [first(), no(), approves(ada, 5, later(no()))],
      1,
      ['replaced', 'replaced', 'counts'],
      1,
      5,
    ],
    [
      'a rejection that another takes back',
      () => [no(), approves(grace, 5, later(no()))],
      2,
      ['rejects', 'counts'],
      1,
      undefined,
    ],
    ['a rejection that nobody accepted', () => [first(), rejects(eve)], 1, ['counts', 'not_accepted'], 1, 7],
  ])('%s', (_, made, needed, standings, counting, days) => {
    const statements = made();
    const judged = judge(statements, needed);
    expect(judged.each.map(({ standing }) => standing)).toEqual(standings);
    expect([judged.counting, judged.forged, judged.needed]).toEqual([counting, 0, needed]);
    expect(judged.until).toBe(days === undefined ? undefined : NOW + days * DAY);
    expect(judged.rejections).toEqual(statements.filter((_one, place) => standings[place] === 'rejects'));
  });

  it('ends are not looked at where no time is given', () => {
    const { counting } = judgeStatements(RUN, [approves(ada, -9)], {
      rule: { needed: 1, accepted: [ada] },
      now: undefined,
    });
    expect(counting).toBe(1);
    const { each } = judgeStatements(RUN, [says(ada, { until: 'never' })], {
      rule: { needed: 1, accepted: [ada] },
      now: undefined,
    });
    expect(each[0]?.standing).toBe('ended');
  });

  it.each<[string, Partial<SignedRun>]>([
    ['another run', { id: 'run-2' }],
    ['another name', { name: 'wages-2' }],
    ['another URL', { baseUrl: 'https://other.example.com/v1' }],
    ['another key', { planner: 'b'.repeat(32) }],
    ['another digest', { digest: `${'d'.repeat(63)}e` }],
  ])('of %s count for nothing', (_, over) => {
    const { each, counting, forged } = judge([says(ada, {}, { ...RUN, ...over })]);
    expect([each[0]?.standing, counting, forged]).toEqual(['forged', 0, 1]);
  });

  it.each<[string, Partial<SignedVerdict>]>([
    ['the verdict', { verdict: 'reject' }],
    ['the end', { until: at(99) }],
    ['the time', { at: at(1) }],
    ['a reason', { because: 'x' }],
    ['what it takes the place of', { replaces: ['0'.repeat(64)] }],
    ['the signature', { signature: Buffer.alloc(64, 1).toString('base64') }],
    ['no signature', { signature: '' }],
    ['half a signature', { signature: 'AAAA' }],
  ])('in which %s was changed count for nothing', (_, over) => {
    const altered = { ...first(), ...over };
    expect(isSigned(RUN, altered)).toBe(false);
    expect(judge([altered])).toMatchObject({ counting: 0, forged: 1, rejections: [] });
  });

  it('under the name of another accepted approver count for nothing, with either key', () => {
    expect(judge([{ ...first(), approver: 'grace' }]).each[0]?.standing).toBe('not_accepted');
    expect(judge([{ ...first(), approver: 'grace', key: grace.key }]).each[0]?.standing).toBe('forged');
    expect(
      judge([{ ...first(), key: 'no key' }], 1, [{ name: 'ada', key: 'no key' }]).each[0]?.standing,
    ).toBe('forged');
  });

  it('that are forged take the place of nothing', () => {
    const forged = { ...no(), because: 'changed' };
    expect(judge([first(), forged]).each.map(({ standing }) => standing)).toEqual(['counts', 'forged']);
  });

  it('what the next one takes the place of is what stands of the same approver', () => {
    const ended = approves(ada, -1);
    expect(toReplace(RUN, [first(), no(), approves(grace), { ...first(), at: at(3) }], ada)).toEqual([
      printOfStatement(no()),
    ]);
    expect(toReplace(RUN, [ended], ada)).toEqual([printOfStatement(ended)]);
    expect(toReplace(RUN, [], ada)).toEqual([]);
  });
});

describe('what is signed', () => {
  it('is the digest that the plan comes to, and not the one that stands beside it', () => {
    const plan = {
      version: 1,
      windows: ['w'],
      totals: [],
      rates: {},
      ceilings: {},
      tolerance: '0',
      planner: 'p',
    };
    const kept = { id: 'run-1', name: 'wages', digest: 'anything', account: { baseUrl: RUN.baseUrl } };
    const run = (over: object) =>
      ({ ...kept, plan: JSON.stringify({ ...plan, ...over }) }) as unknown as PayRun;
    expect(signedRunOf(run({}))).toEqual({
      id: 'run-1',
      name: 'wages',
      baseUrl: RUN.baseUrl,
      planner: 'p',
      digest: planDigest({ ...plan, repeated: { rows: 0, first: [] } } as RunPlan, RUN.baseUrl, 'wages'),
    });
    expect(signedRunOf(run({ planner: undefined })).planner).toBe('');
  });

  it('is known by the hash of its signature', () => {
    const print = createHash('sha256').update(Buffer.from(first().signature, 'base64')).digest('hex');
    expect(printOfStatement(first())).toBe(print);
  });

  it('is one text with its version', () => {
    const { signature: _, ...said } = approves(ada);
    expect(statementText(RUN, said)).toBe(
      `remit pay run statement 1\n${JSON.stringify([RUN.id, RUN.name, RUN.baseUrl, RUN.planner, RUN.digest, 'approve', null, at(7), 'ada', ada.key, at(0), []])}\n`,
    );
  });

  it('ends a week after it is made, or after the run may be paid', () => {
    expect(approvalEnd(NOW)).toBe(NOW + 7 * DAY);
    expect(approvalEnd(NOW, NOW + 3 * DAY)).toBe(NOW + 10 * DAY);
    expect(approvalEnd(NOW, NOW - 3 * DAY)).toBe(NOW + 7 * DAY);
  });
});
