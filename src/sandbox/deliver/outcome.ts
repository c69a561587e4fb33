import type { WireResponse } from '../../core/ports/transport.ts';

/** The outcome of one try of a delivery. */
export type TryOutcome = { response: WireResponse } | { error: string; timedOut: boolean };
