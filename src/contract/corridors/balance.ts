/** `<CURRENCY>::Balance` payouts: collected money goes to the internal balance (docs/wire.md 9). */
import type { CorridorField } from './corridor.ts';

const PATTERN = /^([A-Z]{3})::Balance$/;

/** The currency of a balance payout type, which the requested currency must equal; null for any other type. */
export function balanceCurrency(type: string): string | null {
  return PATTERN.exec(type)?.[1] ?? null;
}

export const balanceFields: readonly CorridorField[] = [
  {
    name: 'reference',
    label: 'Reference',
    required: false,
    control: 'input',
    note: 'yours, to match the collection',
  },
];
