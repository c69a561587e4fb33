/**
 * No regular expression of ours takes more than linear time, whatever text somebody sends. Each is given texts that repeat what the
 * expression itself speaks of; one that takes far more than four times as long for four times the text is reported.
 */
import fc from 'fast-check';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { sources } from '../support/source-tree.ts';

interface Found {
  place: string;
  pattern: RegExp;
}

function expressionsOf(path: string, text: string): Found[] {
  const found: Found[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (/[*+}]/.test(source))
        found.push({
          place: `${path}:${line} ${node.text}`,
          pattern: new RegExp(source, `${flags.replace(/[gy]/g, '')}g`),
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const WHATEVER = ['\\', '"', ' ', '\n', '0', 'a', '.'];
const AROUND = [
  ['', ''],
  ['"', '!'],
  ['a ', '\u0001'],
] as const;

/** Signs that stand in the expression, and pairs of them. */
function unitsFor({ source }: RegExp): string[] {
  const own = source.replace(/\\[dwspLN]|\\u[\da-f]{4}/g, '').match(/[^\w\s]/g) ?? [];
  const signs = [...new Set([...WHATEVER, ...own])];
  return [
    ...signs,
    ...signs.flatMap((one) => signs.filter((other) => other !== one).map((other) => one + other)),
  ];
}

function millisecondsOf(pattern: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 3; again++) {
    const from = process.hrtime.bigint();
    text.replace(pattern, '');
    least = Math.min(least, Number(process.hrtime.bigint() - from) / 1e6);
    if (least < 4) return least;
  }
  return least;
}

const SHORT = 5_000;
/** Lengths on the way there: one that takes so many milliseconds for so short a text would not end for a longer one. */
const STEPS = [
  [24, 10],
  [60, 10],
  [150, 20],
  [400, 20],
  [1_600, 100],
] as const;

/** Beginnings of a text that the expression matches: what is slow may stand behind a beginning that fits. */
function beginningsFor(pattern: RegExp): string[] {
  try {
    const [sample = ''] = fc.sample(
      fc.stringMatching(new RegExp(pattern.source, pattern.flags.replace('g', ''))),
      {
        numRuns: 1,
        seed: 17,
      },
    );
    const step = Math.max(1, Math.ceil(sample.length / 8));
    return Array.from({ length: Math.ceil(sample.length / step) }, (_, at) =>
      sample.slice(0, (at + 1) * step),
    );
  } catch {
    // It makes no texts for expressions that look behind.
    return [];
  }
}

/** The text that it is slow for; null where it is linear. */
function slowFor(pattern: RegExp): string | null {
  const around = [...AROUND, ...beginningsFor(pattern).map((begun) => [begun, '\u0001'] as const)];
  for (const unit of unitsFor(pattern))
    for (const [before, after] of around) {
      const text = (length: number): string => before + unit.repeat(length / unit.length) + after;
      if (STEPS.some(([length, most]) => millisecondsOf(pattern, text(length)) > most))
        return JSON.stringify([before, unit, after]);
      if (millisecondsOf(pattern, text(SHORT)) < 5) continue;
      const [short, long] = [millisecondsOf(pattern, text(SHORT)), millisecondsOf(pattern, text(4 * SHORT))];
      if (long > 40 && long > 9 * short) return JSON.stringify([before, unit, after]);
    }
  return null;
}

test('the measure finds one that is slow', () => {
  expect(slowFor(/(\\*)"/)).not.toBeNull();
  expect(slowFor(/0+$/)).not.toBeNull();
  expect(slowFor(/(?<!0)0+$/)).toBeNull();
  expect(slowFor(/^(0+)+$/)).not.toBeNull();
  expect(slowFor(/0*0*0*0*!/)).not.toBeNull();
});

test('no regular expression takes more than linear time', () => {
  const all = sources('src', (path) => path.endsWith('.ts')).flatMap(({ path, text }) =>
    expressionsOf(path, text),
  );
  expect(all.length).toBeGreaterThan(250);
  const slow = all.flatMap(({ place, pattern }) => {
    const text = slowFor(pattern);
    return text === null ? [] : [`${place} is slow for ${text}`];
  });
  expect(slow).toEqual([]);
});
