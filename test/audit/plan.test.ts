/** Cases at random: each can be met by a program that tries again. */
import { describe, expect, it } from 'vitest';
import { type AuditCase, caseText, readCase } from '../../src/audit/case.ts';
import { wayInfo } from '../../src/audit/loss-modes.ts';
import { atRandom, CaseReach, waysFor } from '../../src/audit/plan.ts';

const writes = ['aaaaaa', 'bbbbbb', 'aaaaaa'].map((write, at) => ({
  write,
  nth: at === 2 ? 4 : 1,
  isWeighty: true,
}));
const occasions = { writes, ways: waysFor({ kills: true, webhooks: true }, []) };

function drawn(seed: string, count: number): AuditCase[] {
  const cases: AuditCase[] = [];
  for (const one of atRandom(occasions, seed)) if (cases.push(one) === count) break;
  return cases;
}

it('have one to four writes of the program, in its order, and no try without the one before it', () => {
  const depths = new Set<number>();
  for (const one of drawn('a seed', 2_000)) {
    const calls = one.filter(({ way }) => wayInfo(way).place !== 'webhook');
    expect(calls.length, caseText(one)).toBeGreaterThan(0);
    expect(calls.length, caseText(one)).toBeLessThanOrEqual(4);
    const at = calls.map(({ write, nth }) =>
      writes.findIndex((known) => known.write === write && known.nth <= nth && nth < known.nth + 3),
    );
    expect(at, caseText(one)).toEqual([...at].sort());
    for (const [index, { write, nth }] of calls.entries()) {
      const known = writes[at[index] ?? 0];
      depths.add(nth - (known?.nth ?? 0));
      if (nth !== known?.nth) expect(calls[index - 1], caseText(one)).toMatchObject({ write, nth: nth - 1 });
    }
  }
  expect([...depths].sort()).toEqual([0, 1, 2]);
});

it('are the same for a seed, and others for another', () => {
  const texts = (seed: string): string[] => drawn(seed, 50).map(caseText);
  expect(texts('one')).toEqual(texts('one'));
  expect(texts('one')).not.toEqual(texts('two'));
});

it('are mostly different from each other', () => {
  expect(new Set(drawn('a seed', 500).map(caseText)).size).toBeGreaterThan(350);
});

describe('what a program never sends', () => {
  const caseOf = (text: string): AuditCase => readCase(text) as AuditCase;
  const reachAfter = (...run: [string, 'met' | 'not met'][]): ((text: string) => boolean) => {
    const reach = new CaseReach();
    for (const [text, end] of run) reach.learn(caseOf(text), end === 'met');
    return (text) => reach.isHopeless(caseOf(text));
  };

  it('after one fault is waited for in no other way, and in no longer case', () => {
    const isHopeless = reachAfter(['aaaaaa:cut+aaaaaa#2:half', 'not met']);
    expect(isHopeless('aaaaaa:cut+aaaaaa#2:cut')).toBe(true);
    expect(isHopeless('aaaaaa:cut+aaaaaa#2:cut+bbbbbb:cut')).toBe(true);
    expect(isHopeless('aaaaaa:half+aaaaaa#2:half')).toBe(false);
    expect(isHopeless('aaaaaa:cut+bbbbbb:cut')).toBe(false);
    expect(isHopeless('aaaaaa:cut')).toBe(false);
  });

  it('after two is known where those two were met, and not where nobody knows which one was not', () => {
    const three = 'aaaaaa:cut+aaaaaa#2:cut+aaaaaa#3:cut';
    expect(reachAfter([three, 'not met'])(three)).toBe(false);
    expect(reachAfter(['aaaaaa:cut+aaaaaa#2:cut', 'met'], [three, 'not met'])(three)).toBe(true);
  });

  it('one fault that had no occasion says nothing of a second', () => {
    expect(reachAfter(['aaaaaa:cut', 'not met'])('aaaaaa:cut+bbbbbb:cut')).toBe(false);
  });
});
