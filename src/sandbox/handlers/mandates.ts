import type { MandateRecord, Plain } from '../store/records.ts';
import { wireTime } from '../views/times.ts';
import { isOfThisYear } from '../walk/mandate.ts';
import { type Handler, notFound, ok } from './handler.ts';

/** Known only once a recipient refers to it, and in the calendar year in which it was issued. */
export const getMandate: Handler = (world, { id }) => {
  const mandate = world.store.mandates.get(id);
  return mandate?.linked && isOfThisYear(world, mandate) ? ok(mandateView(mandate)) : notFound;
};

export function mandateView(mandate: MandateRecord): Plain {
  return {
    id: mandate.id,
    status: mandate.status,
    type_id: mandate.typeId,
    reference: mandate.reference,
    signed_at: mandate.signedAt === null ? null : wireTime(mandate.signedAt),
    created_at: wireTime(mandate.createdAt),
    updated_at: wireTime(mandate.updatedAt),
  };
}
