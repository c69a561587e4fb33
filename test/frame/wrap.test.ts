/** Lines on a terminal: nothing that somebody copies is broken. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapLine, wrapText } from '../../src/frame/terminal/wrap.ts';

const id = fc.uuid();
const word = fc.stringMatching(/^[a-z]{1,12}[,.;:]?$/);
const command = fc
  .tuple(
    fc.constantFrom('tx show', 'recipient cancel', 'history settle', 'webhooks remove'),
    id,
    fc.subarray(['--request', '--wait', '--timeout 5m', '--limit 100', '--tx wages-1']),
  )
  .map(([name, of, flags]) => ['remit', name, of, ...flags].join(' '));
const piece = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: id },
  { weight: 1, arbitrary: command },
);
/** A word behind each: an id behind a command would be its argument. */
const sentence = fc
  .array(piece, { minLength: 1, maxLength: 30 })
  .map((pieces) => pieces.flatMap((one) => [one, 'then']));
const width = fc.integer({ min: 40, max: 160 });

/** As a shell and a reader take it. */
const joined = (text: string): string => text.replace(/ \\\n */g, ' ').replace(/\n */g, ' ');

describe('a line that is broken', () => {
  it('says the same, fits, and has every id, and every command that fits, in one piece', () => {
    fc.assert(
      fc.property(sentence, width, fc.integer({ min: 0, max: 12 }), (pieces, columns, hanging) => {
        const text = pieces.join(' ');
        const wrapped = wrapLine(text, columns, hanging);
        expect(joined(wrapped)).toBe(text);
        for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
        for (const one of pieces)
          if (/[0-9a-f]{8}-/.test(one) && one.length <= columns - hanging) expect(wrapped).toContain(one);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a command that is longer goes on behind a backslash, at its blanks', () => {
    const long = 'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --request --wait';
    expect(wrapLine(long, 64)).toBe(
      'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 \\\n  --request --wait',
    );
    expect(wrapLine(long, 80)).toBe(long);
  });

  it('a word that is longer than the line stays whole', () => {
    const url = `https://example.com/${'a'.repeat(80)}`;
    expect(wrapLine(`see ${url} for more`, 40)).toBe(`see\n${url}\nfor more`);
  });

  it('every line of a text by itself, what goes on as far in as it began', () => {
    expect(wrapText('one two three\n  four five six', 10)).toBe('one two\nthree\n  four\n  five six');
  });
});
