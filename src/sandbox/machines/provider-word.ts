import type { CodelessOutcome } from '../../contract/controls/index.ts';

/** The provider's answer on a payout: a reason code of the service, or an ending that has no code. */
export type ProviderWord = { code: string } | { ending: ProviderEnding };

/** `round`: it fails and is with the provider again at once, as long as the fault `pending-loop` says so. */
export type ProviderEnding = CodelessOutcome | 'round';

export const PAID: ProviderWord = { code: '0' };
