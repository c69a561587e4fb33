/** What is assumed is written down once, in docs/assumptions.md: every mark in the code has its row there, and every row its mark. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validationMarkets } from '../../src/contract/corridors/account-validation.ts';
import { validationCountries } from '../../src/contract/resources/validation.ts';
import { stateRules } from '../../src/contract/states/rules.ts';
import { assumptions } from '../../src/sandbox/assumptions.ts';
import { verbs } from '../../src/sandbox/scenario/steps.ts';
import { withMoves } from '../support/assumptions-page.ts';
import { sources } from '../support/source-tree.ts';

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'docs', 'assumptions.md');

const marks = sources(
  'src/sandbox',
  (path) => path.endsWith('.ts') && !path.endsWith('/assumptions.ts'),
).flatMap(({ text }) => [...text.matchAll(/@assumes ([a-z0-9-]+)/g)].map((match) => match[1] ?? ''));

describe('assumptions', () => {
  test('every mark in the code names a row', () => {
    const known = new Set(assumptions.map(({ id }) => id));
    expect(marks.filter((id) => !known.has(id))).toEqual([]);
  });

  test('every row is embodied somewhere', () => {
    expect(assumptions.map(({ id }) => id).filter((id) => !marks.includes(id))).toEqual([]);
  });

  test('rows are told apart, and say what, why and where', () => {
    expect(new Set(assumptions.map(({ id }) => id)).size).toBe(assumptions.length);
    for (const row of assumptions) for (const text of Object.values(row)) expect(text.trim()).not.toBe('');
  });

  test('every state rule says what it does', () => {
    for (const { rule, says } of stateRules.values()) expect(says, rule).toMatch(/^[A-Z].*\.$/);
  });

  test('every line of the table is read', () => {
    const [, rules = ''] = readFileSync(page, 'utf8').split('\n## ');
    const lines = rules.split('\n').filter((line) => line.startsWith('|'));
    // Two lines are its head.
    expect(assumptions.length).toBe(lines.length - 2);
    expect(assumptions.length).toBeGreaterThan(60);
    for (const { rule, id } of assumptions) expect(rule, id).not.toContain('|');
  });

  test('the moves in docs/assumptions.md are made from the state tables: npm run docs', () => {
    if (process.env.REMIT_WRITE_DOCS) writeFileSync(page, withMoves(readFileSync(page, 'utf8')));
    const text = readFileSync(page, 'utf8');
    expect(text).toBe(withMoves(text));
  });
});

test('docs/sandbox.md says which accounts can be validated, and which cannot', () => {
  const text = readFileSync(join(root, 'docs', 'sandbox.md'), 'utf8');
  const part = text.slice(
    text.indexOf('## What account validation serves'),
    text.indexOf('## How a collection ends'),
  );
  const [served = '', rest = ''] = part.split('It knows no NGN');
  for (const { country, currency, result, providers = [] } of validationMarkets) {
    const row = served.split('\n').find((line) => line.includes(country) && line.includes(currency));
    expect(row, `${country} ${currency}`).toBeDefined();
    expect(served).toContain(result);
    if (currency !== 'XOF') for (const provider of providers) expect(served).toContain(provider);
  }
  const countries = new Set(validationMarkets.map(({ country }) => country));
  for (const country of validationCountries) {
    expect(served.includes(country), country).toBe(countries.has(country));
    if (!countries.has(country)) expect(rest, country).toContain(country);
  }
});

test('docs/scenarios.md has every verb of a scenario', () => {
  const text = readFileSync(join(root, 'docs', 'scenarios.md'), 'utf8');
  expect(Object.keys(verbs).filter((verb) => !text.includes(`\`${verb}`))).toEqual([]);
});
