/** Our HMAC is node's for every secret and text; the quick reader gives what zod gives, or leaves it to zod. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { MISFIT, quickReader } from '../../src/client/quick-read.ts';
import { catalogue, operationIds } from '../../src/contract/operations/index.ts';
import { createSigner } from '../../src/contract/signing.ts';

describe('sign', () => {
  const secret = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  it('is the HMAC-SHA-512 of node, one secret after another', () => {
    fc.assert(
      fc.property(secret, secret, fc.string({ unit: 'binary' }), (one, other, text) => {
        for (const key of [one, other, one])
          expect(createSigner(key)(text)).toBe(createHmac('sha512', key).update(text).digest('hex'));
      }),
      { numRuns: 300 },
    );
  });
});

const looseAmount = z.pipe(
  z.number(),
  z.transform((value, context) => {
    if (value >= 0) return String(value);
    context.issues.push({ code: 'custom', message: 'is negative', input: value });
    return z.NEVER;
  }),
);
const item = z.looseObject({
  name: z.string(),
  amount: looseAmount,
  count: z.nullish(z.number()),
  note: z.optional(z.union([z.string(), z.boolean()])),
  map: z.nullish(z.record(z.string(), z.union([z.array(z.looseObject({ error: z.string() })), z.string()]))),
  more: z.nullish(z.looseObject({ list: z.array(looseAmount) })),
});
const schema = z.looseObject({ object: z.array(item), meta: z.nullish(z.looseObject({})) });

/** Mostly what fits, and any of it may be something else. */
const orElse = <T>(fits: fc.Arbitrary<T>) => fc.oneof({ arbitrary: fits, weight: 30 }, fc.jsonValue());
const amount = orElse(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
const items = fc.record(
  {
    name: orElse(fc.string()),
    amount,
    count: orElse(fc.integer()),
    note: orElse(fc.boolean()),
    more: orElse(fc.record({ list: orElse(fc.array(amount)), other: fc.jsonValue() })),
    map: orElse(fc.dictionary(fc.string(), orElse(fc.string()))),
    unknown: fc.jsonValue(),
  },
  { requiredKeys: ['name', 'amount'] },
);
const answers = orElse(
  fc.record({ object: orElse(fc.array(items, { maxLength: 4 })), meta: fc.jsonValue() }),
);

describe('the quick reader', () => {
  it('gives what zod gives, and nothing where zod refuses', () => {
    let quick = 0;
    fc.assert(
      fc.property(answers, (answer) => {
        const text = JSON.stringify(answer);
        const ours = quickReader(schema)(JSON.parse(text));
        const read = schema.safeParse(JSON.parse(text));
        if (ours !== MISFIT) quick += 1;
        expect(ours).toEqual(read.success ? read.data : MISFIT);
      }),
      { numRuns: 500, seed: 7 },
    );
    expect(quick).toBeGreaterThan(50);
  });

  it('leaves to zod what it does not know, and a member that zod drops', () => {
    for (const strange of [
      z.strictObject({}),
      z.string().check(z.minLength(1)),
      z.literal('a'),
      z.enum(['a']),
    ])
      expect(quickReader(strange)('a')).toBe(MISFIT);
    expect(quickReader(schema)(JSON.parse('{"object":[],"__proto__":{"a":1}}'))).toBe(MISFIT);
  });

  it('has a reader for the answer of every operation', () => {
    for (const id of operationIds) expect(() => quickReader(catalogue[id].answer)).not.toThrow();
  });
});
