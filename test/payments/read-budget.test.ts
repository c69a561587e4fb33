/** The service asks for few reads a day: whoever polls more is told, once. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';

const bench = useBench();
const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };
const read = () => bench.run(['balance', '--fresh'], { env: live });
const folder = () => join(bench.dir, 'reads');
const kept = () => {
  const [name = ''] = readdirSync(folder());
  return { file: join(folder(), name), day: JSON.parse(readFileSync(join(folder(), name), 'utf8')) };
};

/** As if so many had been read today. */
function after(balances: number): void {
  const { file, day } = kept();
  mkdirSync(folder(), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...day, reads: { balances } }), { mode: 0o600 });
}

it('counts reads by day, and warns once where there are more than the service asks for', async () => {
  expect((await read()).stderr).toBe('');
  expect(kept().day.reads).toEqual({ balances: 1 });
  after(299);
  expect((await read()).stderr).toBe('');
  const warned = await read();
  expect([warned.code, warned.stderr]).toEqual([
    0,
    'remit: balances were read 301 times today, and the service asks for 300 a day at most: read less often, or use webhooks\n',
  ]);
  expect((await read()).stderr).toBe('');
  const { file, day } = kept();
  writeFileSync(file, JSON.stringify({ ...day, day: '2020-01-01', warned: [] }), { mode: 0o600 });
  expect((await read()).stderr).toBe('');
  expect(kept().day.reads).toEqual({ balances: 1 });
});

it('begins anew where the count cannot be read, and counts nothing of a sandbox on this machine', async () => {
  await bench.run(['balance']);
  expect(() => readdirSync(folder())).toThrow();
  await read();
  writeFileSync(kept().file, 'nonsense', { mode: 0o600 });
  expect((await read()).code).toBe(0);
  expect(kept().day.reads).toEqual({ balances: 1 });
});
