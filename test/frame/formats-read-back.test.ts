/** What is written is read back with other readers: a text stays one cell and one text, and none of them finds a formula. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import { shape } from '../../src/frame/shape.ts';
import { render } from '../../src/frame/terminal/formats.ts';
import { paintFor } from '../../src/frame/terminal/paint.ts';
import { queried } from '../../src/frame/terminal/query.ts';
import type { Rendering } from '../../src/frame/terminal/rendering.ts';
import type { View } from '../../src/frame/terminal/view.ts';
import { yamlText } from '../../src/frame/terminal/yaml.ts';
import { guard, unguard } from '../../src/tables/csv-guard.ts';
import { anyText } from '../support/any-text.ts';

interface Row {
  name: string;
  id: string;
}
const view: View<Row> = {
  shape: shape('row', z.looseObject({})),
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'id', get: ({ id }) => id },
  ],
};
const rendering = (over: Partial<Rendering>): Rendering => ({
  format: 'csv',
  columns: 100,
  paint: paintFor(false),
  isTerminal: false,
  ...over,
});
const UNSEEN = ['\u200b', '\u00ad', '\u2060', '\u202e', '\0', '\u001f', '\ufeff', '\u00a0', '\u0085'];
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const hostile = fc
  .array(
    fc.constantFrom(...UNSEEN, ...SIGNS, "'", '"', ';', ',', '\t', '\r', '\n', '\r\n', ' ', 'a', '0', '1'),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join(''));
const texts = fc.oneof(hostile, anyText());
/** As a spreadsheet sees it: what is not seen before the sign is no help. */
const isFormula = (cell: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]/u.test(cell);
const csvOf = async (rows: Row[], spreadsheet: boolean): Promise<string> =>
  (await render(view, rows, rendering({ spreadsheet }))).text;
const readCsv = (text: string, bom = true): string[][] =>
  parse(text, { bom, relax_column_count: false, record_delimiter: ['\r\n', '\n', '\r'] });
/** One that knows neither commas nor our quotes, and takes every line break. */
const crudeCells = (text: string): string[] => text.replaceAll('"', '').split(/[;\t\r\n]/);

describe('CSV, read back', () => {
  it('is as many rows and cells as were written, each the text that it was, none a formula', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (names, spreadsheet) => {
          const text = await csvOf(
            names.map((name) => ({ name, id: 'end' })),
            spreadsheet,
          );
          const [head, ...rows] = readCsv(text);
          expect(head).toEqual(['name', 'id']);
          expect(rows.map(([name = '', id]) => [unguard(name), id])).toEqual(
            names.map((name) => [name, 'end']),
          );
          expect(rows.flat().filter(isFormula)).toEqual([]);
          expect(crudeCells(text.replaceAll(',end', '')).filter(isFormula)).toEqual([]);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('of a query is guarded and quoted alike', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(texts, texts), { minLength: 1 }),
        fc.boolean(),
        async (pairs, spreadsheet) => {
          const text = await queried(pairs, { query: '@', format: 'csv', spreadsheet });
          const rows = readCsv(text);
          expect(rows.map((row) => row.map(unguard))).toEqual(pairs);
          expect(rows.flat().filter((cell) => isFormula(cell) && !/^-\d/.test(cell))).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['Obi\n=3+3', 'Obi\r=3+3', 'Obi\r\n=3+3', 'Obi;=3+3', 'Obi\t=3+3'])(
    '%j is one cell',
    async (name) => {
      for (const spreadsheet of [true, false]) {
        const [, row] = readCsv(await csvOf([{ name, id: '1' }], spreadsheet));
        expect([unguard(row?.[0] ?? ''), row?.[1]]).toEqual([name, '1']);
        expect(guard(name)).not.toBe(name);
      }
    },
  );

  it.each(UNSEEN)('%j before = does not unguard it', (unseen) => {
    expect(guard(`${unseen}=1`)).toBe(`'${unseen}=1`);
  });

  it('amounts of a query stay numbers', async () => {
    expect(await queried([['-5.00', 3, 'a']], { query: '@', format: 'csv' })).toBe('-5.00,3,a\n');
  });
});

const DOUBTFUL = [
  ...[
    'no',
    'Yes',
    'ON',
    'y',
    'null',
    '~',
    '=',
    '<<',
    '12:30:00',
    '190:20:30',
    '1_000',
    '0x1F',
    '0b1',
    '0o7',
    '017',
  ],
  ...[
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '.5',
    '.inf',
    '.NaN',
    '1e3',
    '+1',
    '-1',
    '1.',
    'a\tb',
    '\ta',
    'a ',
    '',
  ],
];
describe('YAML, read back', () => {
  it.each(DOUBTFUL)('%j is a text for a reader of either version, and quoted', (text) => {
    const written = yamlText({ value: text, [text]: 1 });
    expect(written).toMatch(/^value: "/);
    for (const version of ['1.1', '1.2'] as const)
      expect(parseYaml(written, { version, schema: version === '1.1' ? 'yaml-1.1' : 'core' })).toEqual({
        value: text,
        [text]: 1,
      });
  });

  it('whatever is in what', () => {
    const name = fc.oneof(
      texts,
      fc.constantFrom(...DOUBTFUL, 'a', 'x'.repeat(1_030), '\u00e9'.repeat(1_030)),
    );
    const leaf = fc.oneof(name, fc.integer(), fc.boolean(), fc.constant(null), fc.constant('NGN::Bank'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, leaf, tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value, (tree) => {
        const written = yamlText(tree);
        for (const version of ['1.1', '1.2'] as const) expect(parseYaml(written, { version })).toEqual(tree);
      }),
      { numRuns: 500 },
    );
  });

  it('members that are not there are left out, and what JSON takes for a text is one', () => {
    const at = new Date('2026-11-22T10:00:00Z');
    expect(yamlText({ a: undefined, b: { c: undefined }, d: [undefined], at })).toBe(
      'b: {}\nd:\n  - null\nat: "2026-11-22T10:00:00.000Z"\n',
    );
  });

  it.each(['044', '+2348012345678', 'yes', '1e3', '~', '2026-01-02', '', '-', 'a: b', 'a #b', "'a'", '- a'])(
    '%j is quoted',
    (text) => {
      expect(yamlText([text])).toBe(`- ${JSON.stringify(text)}\n`);
    },
  );

  it('words and ids stay as they are', () => {
    expect(yamlText({ name: 'Ada Obi', state: 'paid' })).toBe('name: Ada Obi\nstate: paid\n');
    expect(yamlText({ name: 'Zoë Ångström', rows: [{ type: 'NGN::Bank', tags: [['a']] }] })).toBe(
      'name: Zoë Ångström\nrows:\n  - type: NGN::Bank\n    tags:\n      - - a\n',
    );
  });
});
