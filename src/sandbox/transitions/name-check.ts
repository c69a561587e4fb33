/**
 * The name check inside a transaction (trait `account_validation`): before the payout is handed over, the bank is asked for
 * the account holder. Only the types that the service names have it.
 */
import { accountExists } from '../outcomes.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, RecipientRecord } from '../store/records.ts';
import { transactionOf } from './moves.ts';

const CHECKED_TYPES = ['NGN::Bank', 'GHS::Bank', 'GHS::Mobile'];
/** Name validation failed: for want of an answer, or for another name. @assumes enquiry-retried */
const NOT_VALIDATED = '44';

export interface NameFailure {
  /** True where the bank named a holder: it is asked again until it does. */
  answered: boolean;
  code: string;
  text: string | null;
  serviceMetadata: Plain;
}

/** Null when the payout may go ahead; the holder's name is then in the recipient's metadata. */
export function checkName(sandbox: SandboxState, recipient: RecipientRecord): NameFailure | null {
  const { payoutType, details, serviceMetadata } = recipient;
  if (!transactionOf(sandbox, recipient).traits.account_validation) return null;
  if (!CHECKED_TYPES.includes(payoutType)) return null;
  const { faults, clock } = sandbox;
  const out = faults.take(
    'provider-outage',
    { corridor: payoutType },
    clock.now(),
    `name of ${recipient.id}`,
  );
  const found = out === undefined && accountExists(payoutType, details);
  const holder = found ? sandbox.settings.holder_name : null;
  const noted = {
    ...serviceMetadata,
    provider_name_validation: { 'valid?': found, account_name: holder },
  };
  if (!found) {
    return {
      answered: false,
      code: NOT_VALIDATED,
      text: 'the account could not be verified',
      serviceMetadata: noted,
    };
  }
  if (!namesMatch(sandbox, details)) {
    return { answered: true, code: NOT_VALIDATED, text: null, serviceMetadata: noted };
  }
  sandbox.store.recipients.update(recipient, { serviceMetadata: noted });
  return null;
}

/**
 * The holder is always the same, so every name would differ: only the one made for it does, unless the account is strict.
 * @assumes name-match
 */
function namesMatch({ settings }: SandboxState, details: Plain): boolean {
  const last = String(details.last_name ?? '').toLowerCase();
  if (!settings.strict_names) return last !== 'mismatch';
  const parts = [details.first_name, details.last_name].filter(Boolean);
  const name = parts.length > 0 ? parts.join(' ') : String(details.name ?? '');
  return name.trim().toLowerCase() === settings.holder_name.trim().toLowerCase();
}
