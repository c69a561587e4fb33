/**
 * Mandates (docs/wire.md 10): a corridor that asks for one pays only once it is signed
 * or bypassed. The same name and bank details use the same mandate again, to the end of the calendar year (UTC).
 */
import type { Corridor } from '../../contract/corridors/corridor.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { MandateRecord, Plain, RecipientRecord } from '../store/records.ts';

export interface Beneficiary {
  corridor: Corridor;
  kind: RecipientRecord['type'];
  details: Plain;
}

/** Details by which two beneficiaries are the same. @assumes mandate-identity */
const IDENTITY = [
  'name',
  'first_name',
  'middle_name',
  'last_name',
  'bank_code',
  'branch_code',
  'bank_account',
];

/** The mandate of this year, made if there is none; a failed one is started again. */
export function mandateFor(
  sandbox: SandboxState,
  { corridor, kind, details }: Beneficiary,
): MandateRecord | null {
  if (!corridor.mandate) return null;
  const year = yearOf(sandbox.clock.now());
  const parts = IDENTITY.map((name) =>
    String(details[name] ?? '')
      .trim()
      .toLowerCase(),
  );
  const identity = JSON.stringify([year, corridor.type, ...parts]);
  const known = sandbox.store.mandates.byKey(identity);
  return known ?? issue(sandbox, identity, year, kind);
}

function issue(
  sandbox: SandboxState,
  identity: string,
  year: number,
  kind: RecipientRecord['type'],
): MandateRecord {
  const now = sandbox.clock.now();
  const id = newId(sandbox);
  const mandate: MandateRecord = {
    id,
    status: 'pending',
    typeId: kind === 'business' ? 2 : 1,
    reference: `M${id.slice(0, 8).toUpperCase()}`,
    identity,
    year,
    linked: false,
    signedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  sandbox.store.mandates.insert(mandate);
  return mandate;
}

/** Ties the recipient to its mandate of this year; true when the payout may go ahead. */
export function holdsMandate(sandbox: SandboxState, recipient: RecipientRecord): boolean {
  const corridor = sandbox.book.corridor(recipient.payoutType);
  if (!corridor?.mandate) return true;
  const mandate = mandateFor(sandbox, { corridor, kind: recipient.type, details: recipient.details });
  if (!mandate) return true;
  if (!mandate.linked) sandbox.store.mandates.update(mandate, { linked: true });
  if (recipient.mandateId !== mandate.id)
    sandbox.store.recipients.update(recipient, { mandateId: mandate.id });
  return isGood(mandate);
}

export function isGood({ status }: MandateRecord): boolean {
  return status === 'signed' || status === 'bypassed';
}

/** Valid only in the calendar year in which it was issued. */
export function isOfThisYear(sandbox: SandboxState, { year }: MandateRecord): boolean {
  return year === yearOf(sandbox.clock.now());
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}
