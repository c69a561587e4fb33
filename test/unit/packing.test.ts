import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceivedDelivery } from '../../src/core/ports/inbox.ts';
import { packBatch, packedOnly, packKept, unpackBatch, unpackKept } from '../../src/store/packing.ts';
import { received } from '../support/inboxes.ts';

const text = fc.string({ unit: 'binary', maxLength: 30 });
const delivery: fc.Arbitrary<ReceivedDelivery> = fc
  .record({
    webhook: text,
    event: text,
    objectId: text,
    transactionId: fc.option(text),
    url: text,
    headers: fc.array(fc.tuple(text, text), { maxLength: 5 }),
    body: fc.uint8Array({ maxLength: 200 }),
    receivedAt: fc.maxSafeNat(),
    recovered: fc.boolean(),
    late: fc.boolean(),
  })
  .map((over) => received(over));
const batch = fc.array(delivery, { maxLength: 8 });

const unprinted = ({ deliveryPrint: _, eventPrint: __, body, ...rest }: ReceivedDelivery) => ({
  ...rest,
  body: [...body],
});
const plain = <T extends { body: Uint8Array }>({ body, ...rest }: T) => ({ ...rest, body: [...body] });

describe('packed deliveries', () => {
  it('come out as they went in, whatever is in their texts', () => {
    fc.assert(
      fc.property(batch, (deliveries) => {
        const { prints, packed } = packBatch(deliveries);
        expect(unpackBatch(packed).map(plain)).toEqual(deliveries.map(unprinted));
        expect(prints).toBe(deliveries.map((one) => one.deliveryPrint + one.eventPrint).join(''));
      }),
    );
  });

  it('can be taken out by their places', () => {
    fc.assert(
      fc.property(batch, fc.infiniteStream(fc.boolean()), (deliveries, coins) => {
        const wanted = deliveries.map(() => coins.next().value);
        const { packed } = packBatch(deliveries);
        const part = packedOnly(packed, (index) => wanted[index] === true);
        expect(unpackBatch(part).map(plain)).toEqual(
          deliveries.filter((_, index) => wanted[index]).map(unprinted),
        );
      }),
    );
  });

  it('come out of a claim with what became of them', () => {
    fc.assert(
      fc.property(batch, fc.option(text), (deliveries, answer) => {
        const kept = deliveries.map((one, attempts) => ({
          ...one,
          id: `id ${attempts}`,
          state: 'waiting' as const,
          repeat: attempts % 2 === 0,
          attempts,
          answer,
          changedAt: attempts + 1,
        }));
        expect(unpackKept(packKept(kept)).map(plain)).toEqual(kept.map(plain));
      }),
    );
  });
});
