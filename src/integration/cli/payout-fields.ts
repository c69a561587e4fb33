/** Details of payout methods by name, over all corridors: what is asked for, where, and by which choices. */
import type { CorridorField } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor } from '../../contract/corridors/index.ts';
import type { Explanation } from '../glossary.ts';

interface Place {
  type: string;
  field: CorridorField;
}

export async function payoutFields(): Promise<Explanation[]> {
  const places = new Map<string, Place[]>();
  for (const { type } of corridorTypes) {
    const corridor = await loadCorridor(type);
    const kinds = corridor?.recipientKinds;
    for (const field of [...(kinds?.person ?? []), ...(kinds?.business ?? [])]) {
      const known = places.get(field.name) ?? [];
      if (known.every((place) => place.type !== type)) known.push({ type, field });
      places.set(field.name, known);
    }
  }
  return [...places].map(([name, found]) => entryOf(name, found));
}

function entryOf(name: string, places: readonly Place[]): Explanation {
  const labels = [...new Set(places.map(({ field }) => field.label))];
  const required = places.filter(({ field }) => field.required).map(({ type }) => type);
  const optional = places.filter(({ field }) => !field.required).map(({ type }) => type);
  const notes = [...new Set(places.flatMap(({ field }) => field.note ?? []))];
  return {
    kind: 'payout field',
    name,
    meaning: labels.join(' / '),
    who: null,
    tell: null,
    can: [],
    moves: [],
    events: [],
    notes: [
      ...(required.length > 0 ? [`required by ${required.join(', ')}`] : []),
      ...(optional.length > 0 ? [`optional for ${optional.join(', ')}`] : []),
      ...(places.some(({ field }) => field.control === 'select')
        ? [`a choice: remit corridors ${places[0]?.type} --options ${name}`]
        : []),
      ...notes,
    ],
  };
}
