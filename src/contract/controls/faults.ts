/**
 * Faults that a sandbox can be told to have, by name. Each is something that happens to real partners; none has a source in
 * the service's description but the behaviour that it breaks.
 */
type FaultPlace =
  /** A fault of a request: choose one operation, or all. */
  | 'call'
  /** A fault of a delivery: choose one event, or one endpoint. */
  | 'webhook'
  /** A fault of a payout: choose one corridor. */
  | 'payout';

interface FaultInfo {
  place: FaultPlace;
  summary: string;
  /** How long, where that means something; milliseconds. */
  delayMs?: number;
  /** The status that is answered. */
  status?: number;
}

export const faults = {
  refused: {
    place: 'call',
    summary: 'the connection is closed before the request is read: nothing happened',
  },
  slow: { place: 'call', summary: 'the request is done, and the answer comes late', delayMs: 5_000 },
  '5xx': { place: 'call', summary: 'an answer of 5xx, and nothing is done', status: 503 },
  'reset-before-commit': {
    place: 'call',
    summary: 'the connection breaks before anything is done, and the caller cannot know that',
  },
  'response-lost': {
    place: 'call',
    summary: 'the request is done, and the connection breaks before the answer',
  },
  'webhook-first': {
    place: 'call',
    summary: 'the webhooks of a request arrive before its answer does',
  },
  'webhook-duplicate': {
    place: 'webhook',
    summary: 'a delivery is made twice, each time with a nonce of its own',
  },
  'webhook-reordered': {
    place: 'webhook',
    summary: 'a delivery arrives after the next one to that endpoint',
  },
  'webhook-delayed': { place: 'webhook', summary: 'a delivery is made later', delayMs: 300_000 },
  'webhook-missigned': { place: 'webhook', summary: 'the signature of a delivery is wrong' },
  'paid-while-cancelling': {
    place: 'payout',
    summary: 'the provider pays at the very moment at which the payout is cancelled: the payment wins',
  },
  'pending-loop': {
    place: 'payout',
    summary: 'the payout fails, is tried again at once and is pending again for ten minutes, without end',
  },
  'provider-outage': {
    place: 'payout',
    summary: 'payouts fail for now (code 3), and accounts and names cannot be checked',
  },
  'corridor-inactive': {
    place: 'payout',
    summary: 'new transactions to the corridor are refused: it is not active',
  },
  'rate-moved': {
    place: 'payout',
    summary: 'the rate gets 40 percent worse: of one corridor, or of all and in the list of rates too',
  },
} as const satisfies Record<string, FaultInfo>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as FaultName[];

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

export function faultInfo(name: FaultName): FaultInfo {
  return faults[name];
}
