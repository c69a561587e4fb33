/** Lines of a CSV file that are no rows: nobody's wage vanishes, and no total is paid. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/core/problem.ts';
import { generated } from '../support/long.ts';
import { check, csvOf, HEADER, payRow, type Reading, read } from '../support/payrun-files.ts';

/** The rows, the faults and all that was said of one file. */
async function told(content: string, options: Reading = {}) {
  const notes: string[] = [];
  const { payments, faults } = await check(content, { ...options, note: (words) => notes.push(words) });
  return { keys: payments.map(({ key }) => key), at: payments.map(({ at }) => at), faults, notes };
}
const problemOf = (content: string, options: Reading = {}): Promise<Problem> =>
  read(content, options).then(
    () => expect.unreachable(content),
    (error: Problem) => error,
  );
const e1 = payRow('e1');
const e2 = payRow('e2', { amount: '20000' });
/** A line of totals below HEADER. */
const total = (amount: string, label = 'Total'): string => `${label},,${amount},,,,,,`;

describe('above the heading', () => {
  const file = `sep=;\r\nWages November 2026;;;\r\nMade;2026-11-26\r\n\r\n# by Ada\r\n${[HEADER, e1, e2].join('\r\n').replaceAll(',', ';')}\r\n`;

  it.each([1, 3, 65_536])(
    'a separator, titles, comments and blank lines are said, in pieces of %i',
    async (size) => {
      expect(await told(file, { size })).toEqual({
        ...{ keys: ['e1', 'e2'], at: ['line 7', 'line 8'], faults: [] },
        notes: [
          'line 1 (sep=) says what divides the cells; it is no row',
          'lines 2, 3 are left out: they are above the heading, and no rows',
          'line 5 is left out: it is a comment (#)',
          'line 4 is left out: it is blank',
        ],
      });
    },
  );

  it('a title with the commas of another separator is one cell', async () => {
    const text = `Wages, November, and more, 2026\n${[HEADER, e1].join('\n').replaceAll(',', ';')}\n`;
    expect(await told(text)).toMatchObject({ keys: ['e1'], at: ['line 3'] });
  });

  it('the separator that is said counts, and a column may be called #', async () => {
    expect(
      await told(`sep=|\n#|${HEADER.replaceAll(',', '|').slice(4)}\n${e1.replaceAll(',', '|')}\n`, {
        map: { key: '#' },
      }),
    ).toMatchObject({ keys: ['e1'] });
  });

  it('a line that might be a row is not passed over', async () => {
    for (const above of [e1, `#${e1}`, '"an open quote', e1.split(',').slice(0, 3).join(',')]) {
      const { facts } = await problemOf(`${above}\n${csvOf(e2)}`);
      expect(facts.category, above).toBe('usage');
    }
  });

  it('nor is one among titles, or above a heading of few columns', async () => {
    for (const above of [`Wages\n${e1}`, `${e1}\nWages`, `Wages\n# ${e1}`])
      expect((await problemOf(`${above}\n${csvOf(e2)}`)).facts.category, above).toBe('usage');
    const defaults = { type: 'NGN::Bank', input_currency: 'EUR', sender: 'customer-1' };
    const few = await problemOf('e0,5\nkey,amount\ne1,7\n', { defaults });
    expect(few.facts.code).toBe('no_heading');
    expect(await read('Wages\nkey,amount\ne1,7\n', { defaults })).toMatchObject([{ n: 1, at: 'line 3' }]);
  });

  it.each([
    ['"sep=;"', ';'],
    ['SEP=;;;;', ';'],
    ['sep=,', ','],
    ['sep=^', '^'],
  ])('%s says what divides the cells', async (line, mark) => {
    const text = [line, 'Wages', HEADER, e1].join('\n').replaceAll(',', mark === ',' ? ',' : mark);
    expect(await told(mark === ',' ? [line, HEADER, e1].join('\n') : text)).toMatchObject({ keys: ['e1'] });
  });

  it('is far down at most 50 lines, and comments may have commas', async () => {
    const blanks = '\n'.repeat(40);
    expect(await told(`# by Ada, Ben, and Eve\n${blanks}${csvOf(e1)}`)).toMatchObject({
      keys: ['e1'],
      at: ['line 43'],
    });
    const { facts } = await problemOf(`${'Wages\n'.repeat(60)}${csvOf(e1)}`);
    expect(facts.message).toContain('"Wages"');
    expect((await problemOf('sep=;\n')).facts.code).toBe('no_rows');
  });

  it('that is not there is not looked for among persons', async () => {
    const { facts } = await problemOf('Wages\ne1;Obi;0123456700\n');
    expect(facts.message).toBe('wages.csv has a column "Wages" that is not known');
  });

  it('a file without a heading is refused, and none of its cells is repeated', async () => {
    const { facts } = await problemOf(`${e1}\n${e2}\n`);
    expect(facts.code).toBe('no_heading');
    expect(JSON.stringify(facts)).not.toMatch(/0123456700|Obi|e1/);
  });

  it('all unknown columns are named at once, below a title too', async () => {
    const { facts } = await problemOf(`Wages\n${HEADER},bank_acount,Cost centre,amuont\n`);
    expect(facts.message).toBe(
      'wages.csv has 3 columns that are not known: "bank_acount", "Cost centre" and "amuont"',
    );
    expect(JSON.stringify(facts.hint)).toContain(
      '\\"bank_acount\\": did you mean bank_account? \\"amuont\\": did you mean amount?',
    );
    const foreign = await problemOf('Wages\nNummer;Betrag;Konto\nx;1;2\n');
    expect(foreign.facts.message).toContain('3 columns that are not known: "Nummer", "Betrag" and "Konto"');
    const wrong = await problemOf(csvOf(e1), { map: { amuont: 'amount', kye: 'key' } });
    expect(wrong.facts.message).toBe('a file of payments has no column "amuont" and "kye"');
    const absent = await problemOf(csvOf(e1), { map: { city: 'Town', email: 'Mail' } });
    expect(absent.facts.message).toContain(
      'no column "Town", which city is to be read from, and no column "Mail"',
    );
  });
});

describe('a comment', () => {
  it.each([
    '# a note',
    '#',
    '# a note, with a comma',
    '# made 2026-11-26',
    '"# in quotes"',
    '# 12 rows, made 2026',
    '  # indented',
  ])('%s is left out', async (line) => {
    expect(await told(csvOf(e1, line, e2))).toMatchObject({
      keys: ['e1', 'e2'],
      notes: ['line 3 is left out: it is a comment (#)'],
    });
  });

  it.each([
    `#${e2}`,
    `# ${e2}`,
    '#e2,NGN::Bank,20000',
    '#e2,,20000',
    '#e2,NGN::Bank,,EUR,customer-1,Ada,Obi,,',
  ])('%s may be a payment, and is a fault', async (line) => {
    const { keys, faults, notes } = await told(csvOf(e1, line));
    expect([keys, notes]).toEqual([['e1'], []]);
    expect(faults).toMatchObject([{ row: 2, at: 'line 3', code: 'comment_or_payment' }]);
  });
});

describe('a total', () => {
  it.each([
    ...['Total', 'TOTAL:', 'Grand total', 'Sum', 'Summe', 'Gesamt', 'Totaux', 'Suma', 'Итого', 'Total EUR'],
    'Total wages November 2026',
  ])('%s is left out, and its sum is said', async (label) => {
    expect(await told(csvOf(e1, e2, total('45000', label)))).toEqual({
      ...{ keys: ['e1', 'e2'], at: ['line 2', 'line 3'], faults: [] },
      notes: ['line 4 is left out: it is the total of the 2 rows above it, 45000'],
    });
  });

  it.each([
    '45000.00',
    '"45,000"',
    '"45,000.00"',
    '45.000',
    '"45.000,00"',
    '45 000',
    'NGN 45000',
    '"45000,00"',
  ])('%s is read as a person writes it', async (amount) => {
    expect(await told(csvOf(e1, e2, total(amount)))).toMatchObject({ keys: ['e1', 'e2'], faults: [] });
  });

  it.each(['44999', '45000.01', '4500', '0', '-45000', '450000'])(
    'of %s differs from the rows, and both are said',
    async (amount) => {
      const { keys, faults } = await told(csvOf(e1, e2, total(amount)));
      expect(keys).toEqual(['e1', 'e2']);
      expect(faults).toMatchObject([{ at: 'line 4', column: 'amount' }]);
      if (!amount.startsWith('-'))
        expect(faults[0]).toMatchObject({
          code: 'total_differs',
          words: `is a total of ${amount}, and the 2 rows above come to 45000`,
        });
    },
  );

  it('of a part, and then of all', async () => {
    const e3 = payRow('e3', { amount: '5000' });
    const file = csvOf(e1, e2, total('45000', 'Subtotal'), e3, total('5000', 'Subtotal'), total('50000'));
    expect(await told(file)).toMatchObject({
      ...{ keys: ['e1', 'e2', 'e3'], faults: [] },
      notes: [
        'line 4 is left out: it is the total of the 2 rows above it, 45000',
        'line 6 is left out: it is the total of the 1 row above it, 5000',
        'line 7 is left out: it is the total of the 3 rows above it, 50000',
      ],
    });
    expect((await told(csvOf(e1, total('25000'), e2, total('25000')))).faults).toMatchObject([
      { code: 'total_differs' },
    ]);
  });

  it('is not compared below a row that cannot be read, whose fault alone is said', async () => {
    const { faults, notes } = await told(csvOf(e1, `${e2},x`, total('25000')));
    expect(faults).toMatchObject([{ code: 'cells' }]);
    expect(notes).toMatchObject([expect.stringContaining('it was not compared')]);
  });

  it('of nothing is none: above the rows, and right below another', async () => {
    for (const file of [csvOf(total('0'), e1), csvOf(e1, total('25000'), total('0'))])
      expect((await told(file)).faults).toMatchObject([{ code: 'total_differs', column: 'amount' }]);
  });

  it('stands in the first cell, whatever its column is called', async () => {
    const head = `metadata.team,,${HEADER}`;
    const rows = [`blue,,${e1}`, `Total reward,,${e2}`];
    const options = { keys: ['e1', 'e2'], faults: [] };
    expect(await told(`${[head, ...rows, 'Total,2 people,,,45000'].join('\n')}\n`)).toMatchObject(options);
    expect(await told(`${[head, ...rows, ' ,Total,,,45000'].join('\n')}\n`)).toMatchObject(options);
    expect((await told(`${[head, ...rows, 'Total,,,,45001'].join('\n')}\n`)).faults).toMatchObject([
      { code: 'total_differs' },
    ]);
    // It has the sum of the rows and a key of its own.
    const odd = `Total,,${e2.replace('e2', 'e3').replace('20000', '45000')}`;
    expect((await told(`${[head, ...rows, odd].join('\n')}\n`)).faults).toMatchObject([
      { code: 'total_or_payment' },
    ]);
  });

  it.each(['type', 'input_currency', 'sender', 'bank_code', 'bank_account', 'first_name', 'last_name'])(
    'may have a %s only if it cannot be that of a payee',
    async (column) => {
      const cells = {
        key: 'Total',
        amount: '45000',
        [column]: e2.split(',')[HEADER.split(',').indexOf(column)],
      };
      const line = HEADER.split(',')
        .map((name) => (cells as Record<string, string>)[name] ?? '')
        .join(',');
      const { keys, faults } = await told(csvOf(e1, e2, line));
      const isFilledDown = ['type', 'input_currency', 'sender'].includes(column);
      expect([keys, faults.map(({ code }) => code)]).toEqual([
        ['e1', 'e2'],
        isFilledDown ? [] : ['total_or_payment'],
      ]);
    },
  );

  it('is found by the key, wherever its column stands', async () => {
    const turned = (line: string): string => line.split(',').reverse().join(',');
    const rows = [HEADER, e1, payRow('e9', { account: '0123456799' }).replace('Ada', 'Sum')].map(turned);
    const end = [turned(total('50000', 'Sum'))];
    expect(await told(`${[...rows, ...end].join('\n')}\n`)).toMatchObject({ keys: ['e1', 'e9'], faults: [] });
  });

  it('of millions is read with its separators', async () => {
    const rows = [payRow('e1', { amount: '1200300' }), payRow('e2', { amount: '99.70' })];
    for (const amount of [
      '"1,200,399.70"',
      '"1.200.399,70"',
      "1'200'399.70",
      'NGN 1200399.7',
      '1200399.70 NGN',
      '₦1200399.70',
    ])
      expect(await told(csvOf(...rows, total(amount))), amount).toMatchObject({
        keys: ['e1', 'e2'],
        faults: [],
      });
  });

  it('many are a few words', async () => {
    const lines = Array.from({ length: 25 }, (_, i) => [
      payRow(`e${i}`, { amount: `${i + 1}` }),
      total(`${i + 1}`, 'Subtotal'),
    ]).flat();
    const { notes, faults } = await told(csvOf(...lines));
    expect([faults, notes.length, notes.at(-1)]).toEqual([[], 21, '5 more lines of totals are left out']);
  });

  it('without an amount is left out; with one that cannot be read it is a fault', async () => {
    expect(await told(csvOf(e1, 'Total'))).toMatchObject({
      keys: ['e1'],
      notes: ['line 3 is left out: it is a line of totals, without an amount'],
    });
    for (const amount of ['=SUM(C2:C3)', '#REF!', 'two'])
      expect((await told(csvOf(e1, total(amount)))).faults, amount).toMatchObject([{ code: 'total_unread' }]);
  });

  it('in the name of a payee without a key is one', async () => {
    expect(await told(csvOf(e1, e2, ',,45000,,,Total,,,'))).toMatchObject({ keys: ['e1', 'e2'], faults: [] });
  });

  it('with a payee is a fault, whatever it comes to', async () => {
    for (const amount of ['25000', '7'])
      expect(
        (await told(csvOf(e1, payRow('Total', { amount, account: '0123456799' })))).faults,
      ).toMatchObject([{ code: 'total_or_payment' }]);
    const sum = e2.replace('e2', '99').replace('Obi', 'Total').replace('20000', '45000');
    expect((await told(csvOf(e1, e2, sum))).faults).toMatchObject([{ code: 'total_or_payment' }]);
  });

  it.each([
    payRow('e9', { account: '0123456799' }).replace('Obi', 'Sum'),
    payRow('e9', { account: '0123456799' }).replace('Ada', 'Soma'),
    payRow('total-7', { account: '0123456799' }),
    payRow('Summer', { account: '0123456799' }),
  ])('%s is somebody, and is paid', async (row) => {
    expect(await told(csvOf(e1, row))).toMatchObject({
      keys: ['e1', row.split(',')[0]],
      faults: [],
      notes: [],
    });
  });

  it('is a payment where a quote in front of its key says so', async () => {
    const rows = ['Total', '#7', "'#7", 'Summe EUR'].map((key, i) =>
      payRow(`'${key}`, { amount: `${i + 1}` }),
    );
    expect(await told(csvOf(...rows))).toMatchObject({
      keys: ['Total', '#7', "'#7", 'Summe EUR'],
      faults: [],
    });
  });

  it('below an amount that cannot be read is not compared, and the file is refused for that', async () => {
    const { faults, notes } = await told(csvOf(payRow('e1', { amount: 'x' }), total('45000')));
    expect([faults, notes]).toMatchObject([
      [{ code: 'amount' }],
      [expect.stringContaining('it was not compared')],
    ]);
  });

  it('with a comma for decimals', async () => {
    const comma = { decimalComma: true };
    const rows = [payRow('e1', { amount: '"1,50"' }), payRow('e2', { amount: '"2,50"' })];
    expect(await told(csvOf(...rows, total('"4,00"')), comma)).toMatchObject({
      keys: ['e1', 'e2'],
      faults: [],
    });
    expect((await told(csvOf(...rows, total('"4,01"')), comma)).faults).toMatchObject([
      { words: 'is a total of 4.01, and the 2 rows above come to 4' },
    ]);
  });
});

it('lines that follow each other are said together', async () => {
  const gap = (lines: number): string[] => Array.from({ length: lines }, () => '');
  const { notes } = await told(
    csvOf(
      e1,
      ...gap(1),
      e2,
      ...gap(2),
      payRow('e3', { amount: '1' }),
      ...gap(4),
      payRow('e4', { amount: '2' }),
    ),
  );
  expect(notes).toEqual(['lines 3, 5, 6, 8 to 11 are left out: they are blank']);
});

it('many blank lines are a few words', async () => {
  const { notes } = await told(
    csvOf(...Array.from({ length: 60 }, (_, i) => [payRow(`e${i}`, { amount: `${i + 1}` }), '', '']).flat()),
  );
  expect(notes).toEqual([
    expect.stringMatching(/^lines 3, 4, 6, 7, .* and more up to line 181 are left out: they are blank$/),
  ]);
});

describe('any file of payments with odd lines among them', () => {
  const cents = fc.integer({ min: 1, max: 9_999_999_99 });
  const amountOf = (minor: number): string =>
    `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
  const rowOf = (minor: number, i: number): string => payRow(`e${i}`, { amount: amountOf(minor) });
  const odd = fc.constantFrom('', ',,,,', '# a note', '#', '"# a, b"');
  const titles = fc.array(fc.constantFrom('Wages', 'Made;2026', '# x', '', 'Company Ltd,,,'), {
    maxLength: 4,
  });
  const words = fc.constantFrom('Total', 'Summe:', 'Grand total', 'Totaux');

  it('has every row as a payment, and every total compared', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ...{ titles, words, off: fc.integer({ min: -2, max: 2 }) },
          rows: fc.array(fc.tuple(cents, fc.array(odd, { maxLength: 2 }), fc.boolean()), {
            minLength: 1,
            maxLength: 12,
          }),
        }),
        async ({ titles: above, rows, words: label, off }) => {
          let sum = 0;
          const lines = rows.flatMap(([minor, between, hasTotal], i) => {
            sum += minor;
            return [rowOf(minor, i), ...between, ...(hasTotal ? [`${label},,${amountOf(sum)},,,,,,`] : [])];
          });
          // The last total is wrong by `off`, unless it is nothing.
          const end = amountOf(Math.max(sum + off, 0));
          const file = [...above, HEADER, ...lines, `${label},,${end},,,,,,`].join('\n');
          const { keys, faults } = await told(file, { allowDuplicates: true });
          expect(keys).toEqual(rows.map((_, i) => `e${i}`));
          const isWrong = ![amountOf(sum), lastPart(rows)].includes(end);
          expect(faults.map(({ code }) => code)).toEqual(isWrong ? ['total_differs'] : []);
        },
      ),
      { numRuns: generated(1_500) },
    );
  });

  /** The sum of the rows behind the last total that stands among them. */
  function lastPart(rows: readonly (readonly [number, unknown, boolean])[]): string | undefined {
    const part = rows.slice(rows.findLastIndex(([, , hasTotal]) => hasTotal) + 1);
    return part.length === 0 ? undefined : amountOf(part.reduce((all, [minor]) => all + minor, 0));
  }
});
