/** Whatever bytes come, as whatever format: rows, faults or a Problem, and never another error. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/problem.ts';
import { Fingerprints } from '../../src/runs/files/fingerprints.ts';
import { FILE_FORMATS } from '../../src/runs/files/formats.ts';
import { anyText } from '../support/any-text.ts';
import { generated, isLong } from '../support/long.ts';
import { check, csvOf, HEADER, payRow } from '../support/payrun-files.ts';

const defaults = { type: 'NGN::Bank', input_currency: 'EUR', sender: 'customer-1' };
const valid: Record<string, string> = {
  csv: csvOf(payRow('e1'), payRow('e2', { amount: '7' })),
  ndjson: '{"key":"1","amount":5,"details":{"bank_code":"044"}}\n{"key":"2"}\n',
  json: '[{"key":"1","amount":5,"sender":{"first_name":"Ines"},"metadata":{"a":true}}]',
  yaml: '- key: e1\n  amount: 5\n  details: {bank_code: 044}\n- &a {key: e2}\n',
  xml: '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><PmtInf><CdtTrfTxInf><PmtId><EndToEndId>x</EndToEndId></PmtId><Amt><InstdAmt Ccy="NGN">5</InstdAmt></Amt></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>',
};

async function refusesAtMost(content: Uint8Array | string, options: object): Promise<void> {
  try {
    const { payments, faults } = await check(content, options);
    expect(payments.length + faults.length).toBeGreaterThan(0);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.facts.category).toBe('usage');
  }
}

describe.each(FILE_FORMATS)('%s', (format) => {
  const size = fc.constantFrom(1, 3, 17, 65_536);

  it('any bytes', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      anyText({ maxLength: 100 }),
      fc.string({ unit: fc.constantFrom(...'<>/&;!-[]{}:,"\'*|#\n\r\t =key.amount01é'), maxLength: 120 }),
      fc.json({ maxDepth: 4 }),
      fc.array(fc.object({ maxDepth: 2 })).map((rows) => JSON.stringify(rows)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, size, fc.boolean(), (content, piece, decimalComma) =>
        refusesAtMost(content, { format, size: piece, defaults, decimalComma }),
      ),
      { numRuns: generated(400) },
    );
  });

  it('a file with a part changed, lost or doubled', async () => {
    const content = Buffer.from(valid[format] ?? '');
    const place = fc.nat(content.length);
    await fc.assert(
      fc.asyncProperty(
        place,
        place,
        fc.uint8Array({ maxLength: 3 }),
        fc.boolean(),
        size,
        (a, b, put, twice, piece) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const changed = Buffer.concat([
            content.subarray(0, twice ? to : from),
            put,
            content.subarray(twice ? from : to),
          ]);
          return refusesAtMost(changed, { format, size: piece, defaults });
        },
      ),
      { numRuns: generated(400) },
    );
  });
});

it('any cells in a CSV file give payments or faults', async () => {
  const columns = HEADER.split(',').length;
  const cell = fc.oneof(
    anyText({ maxLength: 10 }).map((text) => text.replaceAll('\0', '')),
    fc.constantFrom(
      '044',
      'NGN::Bank',
      '25000',
      '1e5',
      '0,50',
      '__proto__',
      'constructor',
      'toString',
      '9'.repeat(400),
      'EUR',
      '🙂',
    ),
  );
  const rows = fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      const lines = all.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
      await refusesAtMost(csvOf(...lines), { defaults });
    }),
    { numRuns: generated(500) },
  );
});

describe('prints', () => {
  it('are those of a Map from text to the first row', () => {
    const texts = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.nat(3000).map(String)), {
      maxLength: 4000,
    });
    fc.assert(
      fc.property(texts, (all) => {
        const [prints, plain] = [new Fingerprints(), new Map<string, number>()];
        for (const [i, text] of all.entries()) {
          expect(prints.claim(text, i + 1)).toBe(plain.get(text));
          if (!plain.has(text)) plain.set(text, i + 1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it.runIf(isLong)('of half a million texts that are alike are all different', () => {
    const prints = new Fingerprints();
    for (let i = 1; i <= 500_000; i++) if (prints.claim(`emp-${i}`, i) !== undefined) expect.fail(`emp-${i}`);
    expect(prints.claim('emp-77', 500_001)).toBe(77);
  });
});
