/** The result of one of the service's demands. */
import type { Hint } from '../core/next.ts';
import type { LoggedCall, Try } from './evidence.ts';

export type CheckVerdict = 'pass' | 'fail' | 'no_evidence';

export interface Example {
  kind: 'transaction' | 'recipient' | 'sender';
  id: string;
}

export interface CheckResult {
  check: 'senders' | 'webhooks' | 'errors' | 'cancels';
  verdict: CheckVerdict;
  says: string;
  counts: Readonly<Record<string, number>>;
  /** Three at most. */
  examples: Example[];
  /** How to get it right, or how to get evidence on a sandbox. */
  next: Hint | null;
}

/** The logs that each judgement rests on. */
export const RESTS_ON: Readonly<Record<CheckResult['check'], readonly ('requests' | 'deliveries')[]>> = {
  senders: ['requests'],
  webhooks: ['requests', 'deliveries'],
  errors: ['requests', 'deliveries'],
  cancels: ['requests'],
};

export interface Evidence {
  /** Oldest first. */
  calls: readonly LoggedCall[];
  /** Oldest first. */
  tries: readonly Try[];
  /** The events of each endpoint that is registered; an empty list stands for all. */
  endpoints: readonly (readonly string[])[];
}

const MOST = 3;
export const examplesOf = (kind: Example['kind'], ids: readonly string[]): Example[] =>
  firstOf([...new Set(ids)].map((id) => ({ kind, id })));
export const firstOf = (examples: readonly Example[]): Example[] =>
  examples.filter(({ id }) => id !== '').slice(0, MOST);

/** A delivery is about the thing that its event names. */
export const deliveryExample = ({ event, id }: Try): Example => ({
  kind: event.startsWith('recipient.') ? 'recipient' : 'transaction',
  id,
});

export interface LoggedDelivery extends Try {
  /** When it was answered with success. */
  answeredAt: number | undefined;
}

/** A delivery is answered where one of its tries was. */
export function deliveriesOf(tries: readonly Try[], about: RegExp): LoggedDelivery[] {
  const found = new Map<string, LoggedDelivery>();
  for (const one of tries.filter(({ event }) => about.test(event))) {
    const before = found.get(one.delivery)?.answeredAt;
    found.set(one.delivery, { ...one, answeredAt: before ?? (one.succeeded ? one.at : undefined) });
  }
  return [...found.values()];
}
