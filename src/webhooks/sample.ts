/** Deliveries that were never sent: an object from a sandbox, with ids that no real object has. */
import { uuid } from '../core/ids.ts';
import type { Random } from '../core/random.ts';

/** The exact text that is signed and sent. `object` is JSON already, so that it keeps its digits. */
export function deliveryBody(webhook: string, event: string, object: string): string {
  return `{"webhook":${JSON.stringify(webhook)},"event":${JSON.stringify(event)},"object":${object}}`;
}

/**
 * Ids of made-up objects: UUIDs of version 8 that begin with `7e57da7a`. The service issues version 4 only,
 * so that no object of anybody can have one of these, whatever a handler does with it.
 */
const BEGINNING = '7e57da7a';

export function sampleId(random: Random): string {
  const drawn = uuid(random);
  return `${BEGINNING}${drawn.slice(8, 14)}8${drawn.slice(15)}`;
}

const ISSUED = /\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b/g;

/** JSON of an object with other ids, the same one wherever it had the same. @param id a new one at each call */
export function withNewIds(object: string, id: () => string): string {
  const made = new Map<string, string>();
  return object.replace(ISSUED, (issued) => {
    const known = made.get(issued) ?? id();
    made.set(issued, known);
    return known;
  });
}
