/** A made-up object for any event that the sandbox sends, and the body of its delivery. */

import { type EventName, eventInfo } from '../../contract/events.ts';
import { uuid } from '../../core/ids.ts';
import type { Random } from '../../core/random.ts';
import {
  documentSample,
  type Making,
  payinSample,
  payoutMethodSample,
  recipientSample,
  senderSample,
  transactionSample,
} from './objects.ts';
import { type SampledEvent, samples } from './table.ts';

export type { Making } from './objects.ts';

export function isSampled(event: EventName): event is SampledEvent {
  return eventInfo(event).sandbox;
}

/** State, codes and amounts fit the event. Its ids are whatever `id` gives: `sampleId` for ids that nobody can have. */
export function sampleObject(event: SampledEvent, making: Making): Record<string, unknown> {
  const sample = samples[event];
  switch (sample.of) {
    case 'transaction':
      return transactionSample(making, sample);
    case 'recipient':
      return recipientSample(making, sample);
    case 'payin_method':
      return payinSample(making, sample);
    case 'sender':
      return senderSample(making, sample);
    case 'payout_method':
      return { ...payoutMethodSample(making), state: sample.state };
    case 'document':
      return documentSample(making);
  }
}

/** The exact text that is signed and sent. `object` is JSON already, so that it keeps its digits. */
export function deliveryBody(webhook: string, event: string, object: string): string {
  return `{"webhook":${JSON.stringify(webhook)},"event":${JSON.stringify(event)},"object":${object}}`;
}

/**
 * Ids of generated objects: UUIDs of version 8 that begin with `7e57da7a`. The service issues version 4 only,
 * so that no object of anybody can have one of these, whatever a handler does with it.
 */
const BEGINNING = '7e57da7a';

export function sampleId(random: Random): string {
  const drawn = uuid(random);
  return `${BEGINNING}${drawn.slice(8, 14)}8${drawn.slice(15)}`;
}
