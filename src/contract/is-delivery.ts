import type { Delivery } from './resources/webhook.ts';

/** The schema of the contract in place: a copy of every delivery is what a parser would cost. A property holds the two together. */
export function isDelivery(value: unknown): value is Delivery {
  if (!isRecord(value) || typeof value.webhook !== 'string' || typeof value.event !== 'string') return false;
  if (!isRecord(value.object)) return false;
  const { id } = value.object;
  return id === undefined || id === null || typeof id === 'string';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
