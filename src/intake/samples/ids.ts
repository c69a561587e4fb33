/**
 * Ids of generated objects: UUIDs of version 8 that begin with `7e57da7a`. The service issues version 4 only, so that no
 * object of anybody can have one of these, whatever a handler does with it.
 */
import { uuid } from '../../core/ids.ts';
import type { Random } from '../../core/random.ts';

const BEGINNING = '7e57da7a';

export function sampleId(random: Random): string {
  const drawn = uuid(random);
  return `${BEGINNING}${drawn.slice(8, 14)}8${drawn.slice(15)}`;
}
