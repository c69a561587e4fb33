/** What is assumed is written down once: every mark in the code has its row, every row its mark, and the page is theirs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validationMarkets } from '../../src/contract/corridors/account-validation.ts';
import { validationCountries } from '../../src/contract/resources/validation.ts';
import { stateRules } from '../../src/contract/states/rules.ts';
import { assumptions } from '../../src/sandbox/assumptions/index.ts';
import { verbs } from '../../src/sandbox/scenario/steps.ts';
import { assumptionsPage } from '../support/assumptions-page.ts';
import { sources } from '../support/source-tree.ts';

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'docs', 'assumptions.md');

const marks = sources(
  'src/sandbox',
  (path) => path.endsWith('.ts') && !path.includes('/assumptions/'),
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

  test('docs/assumptions.md is made from them: npm run docs', () => {
    if (process.env.REMIT_WRITE_DOCS) writeFileSync(page, assumptionsPage());
    expect(readFileSync(page, 'utf8')).toBe(assumptionsPage());
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
