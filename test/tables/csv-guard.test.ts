import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guard, unguard } from '../../src/tables/csv-guard.ts';
import { anyText } from '../support/any-text.ts';

const dangerous = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        "'",
        ' ',
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '＝',
        '＋',
        '－',
        '＠',
        '0',
        '1',
        'e',
        '.',
        '/',
      ),
    ),
    anyText(),
  )
  .map(([head, tail]) => head.join('') + tail);

describe('a text in a CSV', () => {
  it('comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), dangerous), fc.boolean(), (text, spreadsheet) => {
        expect(unguard(guard(text, spreadsheet))).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never begins a formula', () => {
    fc.assert(
      fc.property(dangerous, fc.boolean(), (text, spreadsheet) => {
        expect(guard(text, spreadsheet)).not.toMatch(/^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/);
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1", "'=1+1"],
    ['+2348012345678', "'+2348012345678", "'+2348012345678"],
    ['＝cmd', "'＝cmd", "'＝cmd"],
    [' =1', "' =1", "' =1"],
    ['0123456789', '0123456789', "'0123456789"],
    ['12345678901234567', '12345678901234567', "'12345678901234567"],
    ['123456789012345', '123456789012345', '123456789012345'],
    ['1e5', '1e5', "'1e5"],
    ['3-4', '3-4', "'3-4"],
    ["'t Hooft", "'t Hooft", "'t Hooft"],
    ["'=1", "''=1", "''=1"],
    ['Ada Obi', 'Ada Obi', 'Ada Obi'],
    ['', '', ''],
  ])('%j is written %j, and %j for a spreadsheet', (text, plain, spreadsheet) => {
    expect([guard(text), guard(text, true)]).toEqual([plain, spreadsheet]);
  });
});
