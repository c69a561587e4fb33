/** A raw answer is printed as it came; --query and -o yaml reshape it, and what needs columns is refused before anything is sent. */
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { useBench } from '../support/cli.ts';

const bench = useBench({ once: true });

const api = (...words: string[]) => bench.run(['api', 'accounts.list', ...words]);

it('--query looks at the whole answer', async () => {
  const whole = (await api()).json<{ object: { currency: string }[] }>();
  const currencies = whole.object.map(({ currency }) => currency);
  expect(currencies.length).toBeGreaterThan(0);
  const lines = await api('--query', 'object[].currency');
  expect(lines.stdout).toBe(`${currencies.join('\n')}\n`);
  expect((await api('--query', 'object[].currency', '-o', 'json')).json()).toEqual(currencies);
  expect(parse((await api('-o', 'yaml')).stdout)).toEqual(whole);
  expect((await api('-o', 'json')).json()).toEqual(whole);
});

it('an error stays as it came, and so does an answer that the expression does not suit', async () => {
  const id = '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';
  const missing = await bench.run(['api', 'transactions.get', id, '--query', 'object.id']);
  expect(missing.code).toBe(6);
  const odd = await api('--query', 'length(nothing)');
  expect(odd.code).toBe(0);
  expect(odd.stderr).toContain('the whole answer is shown');
  expect(odd.stdout).toBe((await api()).stdout);
  expect((await api('--query', 'length(object)')).stdout).toMatch(/^\d+\n$/);
});

it.each([
  [['--fields', 'id']],
  [['-o', 'csv']],
  [['-o', 'table']],
  [['-o', 'text']],
  [['-o', 'ndjson']],
  [['--query', '[?']],
  [['--query', 'nothing(object)']],
  [['--query', 'a \u0001']],
])('%j is refused before anything is sent', async (flags) => {
  const run = await api(...flags);
  expect([run.code, run.stdout, run.requests]).toEqual([2, '', []]);
});
