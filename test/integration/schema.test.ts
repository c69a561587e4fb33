/** `remit schema` and `remit sandbox openapi`: plain documents that another program reads, and what remit prints fits them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { useBench, words } from '../support/cli.ts';
import { some } from '../support/long.ts';

const bench = useBench();
const ajv = new Ajv2020({ strict: false, validateFormats: false });

it.each([
  ['balance', ['balance']],
  ['sender', ['sender', 'list']],
  ['currency', ['currencies']],
  ['profile', ['profiles']],
])('what -o json prints of %s fits its schema', async (kind, argv) => {
  const schema = JSON.parse((await bench.run(['schema', 'results', kind])).stdout);
  const fits = ajv.compile(schema);
  const printed = JSON.parse((await bench.run([...argv, '-o', 'json'])).stdout);
  expect(fits(printed), JSON.stringify(fits.errors)).toBe(true);
  expect(fits({ ...printed, kind: 'another' })).toBe(false);
  expect(fits({ ...printed, version: 99 })).toBe(false);
});

it('all results are one schema, each kind once', async () => {
  const all = JSON.parse((await bench.run(['schema', 'results'])).stdout);
  const titles = all.oneOf.map(({ title }: { title: string }) => title);
  expect(titles.length).toBeGreaterThan(80);
  expect(new Set(titles).size).toBe(titles.length);
  for (const one of some(all.oneOf, 12)) expect(() => ajv.compile({ ...all, oneOf: [one] })).not.toThrow();
});

it('profiles: the file that remit wrote fits, and a limit that is no amount does not', async () => {
  const schema = JSON.parse((await bench.run(['schema', 'profiles'])).stdout);
  const fits = ajv.compile(schema);
  const profile = {
    baseUrl: 'https://api.example.com/v1',
    key: 'k',
    environment: 'production',
    secretIn: 'file',
  };
  expect(fits({ profiles: { live: profile } })).toBe(true);
  expect(fits({ profiles: { live: { ...profile, read_only: 'yes' } } })).toBe(false);
});

it('as YAML it is the same document; an address can be given', async () => {
  const json = await bench.run(['sandbox', 'openapi', '--base-url', 'https://api.example.com/v1']);
  const yaml = await bench.run(words('sandbox openapi --base-url https://api.example.com/v1 -o yaml'));
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
  expect(JSON.parse(json.stdout).servers).toEqual([{ url: 'https://api.example.com/v1' }]);
  expect(json.stderr).toBe('');
});

it('says which schemas there are, and which kinds', async () => {
  const none = await bench.run(['schema', 'payments']);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('choose one of payment, profiles, events, results'),
  ]);
  const kind = await bench.run(['schema', 'results', 'payments']);
  expect([kind.code, kind.stderr]).toEqual([6, expect.stringContaining('remit commands --shapes')]);
});
