import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { Recipient } from '../../src/contract/resources/transaction.ts';
import { shape } from '../../src/frame/shape.ts';
import { outputFormats } from '../../src/frame/terminal/format.ts';
import { render } from '../../src/frame/terminal/formats.ts';
import { openPages } from '../../src/frame/terminal/pages.ts';
import { paintFor } from '../../src/frame/terminal/paint.ts';
import { needsAll } from '../../src/frame/terminal/query.ts';
import type { Rendering } from '../../src/frame/terminal/rendering.ts';
import { drawTable } from '../../src/frame/terminal/table.ts';
import type { View } from '../../src/frame/terminal/view.ts';
import { cutTo, loadWidths, padTo, widthOf } from '../../src/frame/terminal/width.ts';
import { recipientView } from '../../src/payments/cli/views/recipient.ts';
import { generated } from '../support/long.ts';

interface Row {
  id: string;
  name: string;
  amount: string;
  note?: { text: string };
  at: string;
}

const view: View<Row> = {
  shape: shape('row', z.looseObject({})),
  columns: [
    { name: 'id', get: (row) => row.id },
    { name: 'name', priority: 1, least: 5, get: (row) => row.name },
    { name: 'amount', right: true, amount: true, get: (row) => row.amount },
    { name: 'at', priority: 2, get: (row) => row.at },
  ],
};
const rows: Row[] = ['Ada', '=cmd()', 'a "b"\nc', '張偉', '-12'].map((name, index) => ({
  id: `id-${index}`,
  name,
  amount: index === 1 ? '-12.50' : '7.00',
  at: '2026-11-21T23:30:00Z',
  ...(index % 3 === 0 ? { note: { text: 'one\n\ntwo: "3"' } } : {}),
}));
const rendering = (over: Partial<Rendering>): Rendering => ({
  format: 'table',
  columns: 100,
  paint: paintFor(false),
  isTerminal: false,
  ...over,
});

async function inPages(parts: readonly (readonly Row[])[], over: Partial<Rendering>): Promise<string> {
  const pages = await openPages(view, rendering(over));
  return parts.map((part) => pages.page(part)).join('') + pages.end();
}

describe('a list in pages', () => {
  const divisions = [[rows], [rows.slice(0, 2), rows.slice(2)], rows.map((row) => [row]), [[], rows, []]];
  const formats = outputFormats.filter((format) => format !== 'table');

  it.each(
    formats.flatMap((format) => [
      { format, isTerminal: false },
      { format, isTerminal: true },
      { format, isTerminal: false, fields: ['id', 'note.text'] },
    ]),
  )('is the same bytes however it is divided: %j', async (over) => {
    const whole = (await render(view, rows, rendering(over))).text;
    for (const parts of divisions) expect(await inPages(parts, over)).toBe(whole);
  });

  it.each(formats)('that is empty, as %s, is what an empty list is', async (format) => {
    expect(await inPages([[], []], { format })).toBe((await render(view, [], rendering({ format }))).text);
  });

  it('as JSON and YAML is one document', async () => {
    const halves = [rows.slice(0, 3), rows.slice(3)];
    for (const isTerminal of [false, true])
      expect(JSON.parse(await inPages(halves, { format: 'json', isTerminal }))).toEqual({
        version: 1,
        kind: 'row',
        data: rows,
      });
    expect(parse(await inPages(halves, { format: 'yaml' }))).toEqual({ version: 1, kind: 'row', data: rows });
    expect(await inPages([], { format: 'json' })).toBe('{"version":1,"kind":"row","data":[]}\n');
  });

  it('as a table keeps the columns and widths of its first page; a longer id has the room it needs, other words are cut', async () => {
    const long = {
      ...(rows[0] as Row),
      id: 'id-of-thirty-characters-or-more',
      name: 'A name that is far too long',
    };
    const lines = (await inPages([rows, rows.slice(0, 1), [long]], {})).split('\n');
    expect(lines.filter((line) => line.startsWith('ID'))).toHaveLength(1);
    expect(lines[1]).toBe(lines.find((line, index) => index > 4 && line.startsWith('id-0')));
    const last = lines.at(-2) ?? '';
    expect(last).toContain('id-of-thirty-characters-or-more');
    expect(last).toMatch(/A nam.*… /);
  });

  it('as a table says which columns had no room', async () => {
    const pages = await openPages(view, rendering({ columns: 24 }));
    pages.page(rows);
    expect(pages.below()).toEqual(['Hidden: at. Widen the terminal or use --fields.']);
  });
});

describe('a query', () => {
  const each = [
    ...[
      '@',
      '[*]',
      '[]',
      '[*].id',
      '[].note.text',
      "[?name=='Ada'].id",
      '[?note].{id: id, text: note.text}',
      '[*].[id, amount]',
    ],
    ...[
      '[*].nope',
      '[?nope]',
      '[].[name, [amount, at]][]',
      '[*].tags[*].of',
      '[].tags[].of',
      '[].tags[0]',
      '[?tags] | [*].tags[]',
    ],
    ...[
      '[*].length(name)',
      '[?contains(name, `a`)] | @ | [*].name',
      '[*].tags[?of==`1`][]',
      '[].sort_by(tags || `[]`, &of)[]',
    ],
  ];
  const all = [
    'length(@)',
    '[0]',
    '[*].id | [0]',
    '[:2].id',
    '[::2]',
    'sort_by(@, &id)',
    '[*].id || [*].name',
    '[]|length(@)',
    '{ids: [*].id}',
  ];
  const tagged = rows.map((row, index) => (index % 2 ? row : { ...row, tags: [{ of: index }, { of: 1 }] }));

  it.each(each)('%s by pages is the same bytes as over the whole list', async (query) => {
    expect(await needsAll(query)).toBe(false);
    for (const format of outputFormats)
      for (const over of [{}, { isTerminal: true }, { spreadsheet: true }, { fields: ['nope'] }]) {
        const asked = { format, query, ...over };
        const whole = (await render(view, tagged, rendering(asked))).text;
        for (const parts of [[tagged], tagged.map((row) => [row]), [[], tagged.slice(0, 2), tagged.slice(2)]])
          expect(await inPages(parts, asked)).toBe(whole);
        expect(await inPages([[]], asked)).toBe((await render(view, [], rendering(asked))).text);
      }
  });

  it.each(all)('%s needs all of it', async (query) => {
    expect(await needsAll(query)).toBe(true);
  });
});

describe('rows of a table', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[ -~]{0,20}$/),
    fc.constantFrom('張偉', 'Zoë', '👍', 'שרה כהן', '…', ' a ', 'Nguyễn Thị Minh Khai', '👨‍👩‍👧 family'),
  );
  const drawn = fc.integer({ min: 1, max: 5 }).chain((count) => {
    const each = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: count, maxLength: count });
    return fc.record({
      columns: each(fc.record({ head: fc.constant(undefined), right: fc.boolean() })),
      widths: each(fc.integer({ min: 2, max: 24 })),
      rows: fc.array(each(word), { minLength: 1, maxLength: 4 }),
    });
  });

  it('are as wide as their columns, whatever the script', () => {
    fc.assert(
      fc.property(drawn, ({ columns, rows, widths }) => {
        const cells = rows.map((row) => row.map((cell, index) => cutTo(cell, widths[index] ?? 0)));
        const lines = cells.map((row) =>
          row
            .map((cell, index) => padTo(cell, widths[index] ?? 0, columns[index]?.right))
            .join('  ')
            .trimEnd(),
        );
        expect(drawTable(columns, cells, widths)).toBe(lines.join('\n'));
        for (const [index, cell] of cells.flat().entries())
          expect(widthOf(cell)).toBeLessThanOrEqual(widths[index % widths.length] ?? 0);
      }),
      { numRuns: generated(1_000) },
    );
  });
});

describe('a table of any records, at any width', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '張偉',
      'שרה כהן',
      'Eve\u001b[31m\u202e',
      'Maximiliana Wolfeschlegelsteinhausenbergerdorff',
    ),
  );
  const record = fc.record({
    id: fc.uuid(),
    state: fc.constantFrom('error', 'success', 'pending'),
    payout_method: fc.record({
      type: fc.constantFrom('NGN::Bank', 'XOF::Mobile'),
      details: fc.record({ first_name: name, last_name: name, bank_account: fc.constant('••••6719') }),
    }),
    output_amount: fc.integer({ min: 0, max: 10_000_000 }).map(String),
    output_currency: fc.constantFrom('NGN', 'EUR'),
    external_id: name,
    transaction_id: fc.uuid(),
    created_at: fc.constant('2026-11-21T23:30:00Z'),
  });

  it('has no line that is longer than the terminal, and every id in one piece', async () => {
    await loadWidths();
    const width = fc.integer({ min: 40, max: 160 });
    const check = async (records: Recipient[], columns: number): Promise<void> => {
      const pages = await openPages(recipientView, rendering({ columns, isTerminal: true, zone: 'UTC' }));
      const lines = (pages.page(records) + pages.end()).trimEnd().split('\n');
      for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      // Where the terminal is narrow a name is worth more than an id, which is whole or not there.
      const [head = '', ...rows] = lines.slice(0, records.length + 1);
      if (columns >= 80) expect(head).toMatch(/^ID /);
      if (head.startsWith('ID '))
        expect(rows.map((line) => line.slice(0, 8))).toEqual(records.map(({ id }) => id?.slice(0, 8)));
      else expect(rows.join()).not.toMatch(/[0-9a-f]{8}-/);
    };
    await fc.assert(fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), width, check), {
      numRuns: generated(500),
    });
  });
});

describe('CSV', () => {
  const plain = () => inPages([rows], { format: 'csv' });

  it('keeps amounts numbers, a negative one too, and guards texts that would run', async () => {
    expect((await plain()).split('\n').slice(0, 3)).toEqual([
      'id,name,amount,at',
      'id-0,Ada,7.00,2026-11-21T23:30:00Z',
      "id-1,'=cmd(),-12.50,2026-11-21T23:30:00Z",
    ]);
    expect(await plain()).toContain("id-4,'-12,7.00");
  });

  it('for a spreadsheet has a byte order mark and CRLF, and keeps zeros and digits', async () => {
    const text = await inPages([[{ id: '0044', name: '12345678901234567', amount: '7.00', at: '' }]], {
      format: 'csv',
      spreadsheet: true,
    });
    expect(text).toBe("\ufeffid,name,amount,at\r\n'0044,'12345678901234567,7.00,\r\n");
  });
});

describe('local time', () => {
  const shown = (zone: string | undefined, over: Partial<Rendering> = {}) =>
    inPages([rows.slice(0, 1)], { isTerminal: true, ...over, ...(zone === undefined ? {} : { zone }) });

  it('has the zone said with it', async () => {
    expect(await shown('Africa/Lagos')).toContain('2026-11-22 00:30:00 UTC+1');
    expect(await shown('America/New_York')).toContain('2026-11-21 18:30:00 UTC-5');
    expect(await shown('Asia/Kolkata')).toContain('2026-11-22 05:00:00 UTC+5:30');
  });

  it('is UTC for machines, as the service says it', async () => {
    expect(await shown('UTC')).toContain('2026-11-21 23:30:00 UTC');
    // A spreadsheet has it as a date: test/frame/xlsx.test.ts.
    for (const format of outputFormats.filter((one) => one !== 'table' && one !== 'xlsx'))
      expect(await shown('Africa/Lagos', { format })).toContain('2026-11-21T23:30:00Z');
  });
});
