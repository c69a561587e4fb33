/**
 * Payout and payin details that cannot be right: a name that the type does not know, and an account that cannot be one
 * (decision 0074). The command line and the library both ask here, before anything is opened or sent. A guard for every corridor belongs here.
 */
import type { TransactionWrite } from '../resources/transaction.ts';
import { accountFaults, faultWords } from './accounts.ts';
import { unknownDetails } from './check.ts';
import type { CorridorField, PartyKind } from './corridor.ts';
import { loadCorridor } from './index.ts';
import { type PayinFlow, payinType } from './payins.ts';

type Details = Readonly<Record<string, unknown>>;

/** Details that are wrong. The numbers themselves are not repeated. */
export interface WrongDetails {
  code: 'unknown_detail' | 'wrong_account';
  of: 'payout' | 'payin';
  /** `NGN::Bank`, or `GHS::Mobile by ussd_popup`. */
  what: string;
  /** Where the details are in the request; empty at its top. */
  at: string;
  faults: { name: string; words: string }[];
  /** The names that the type knows. */
  known: string[];
}

interface Laid {
  /** The details that are given now. */
  details: Details;
  /** The details that the service has, laid under those given: an account is judged with both. */
  standing?: Details;
  /** Only these accounts are judged: those that change. */
  only?: readonly string[];
  at: string;
}

export interface PayoutDetails extends Laid {
  type: string | null | undefined;
  kind: PartyKind;
}

/** The service ignores a name that it does not know: a misspelt `bank_acount` would leave the old account in place and pay it. */
export async function wrongPayoutDetails(given: PayoutDetails): Promise<WrongDetails | undefined> {
  const corridor = await loadCorridor(given.type ?? '');
  if (!corridor) return undefined;
  const fields = corridor.recipientKinds[given.kind] ?? corridor.recipientKinds.person;
  const unknown = unknownDetails(corridor, given.kind, given.details);
  return judged({ of: 'payout', what: corridor.type, fields, unknown }, given);
}

export interface PayinNamed {
  type?: string | null | undefined;
  ux_flow?: string | null | undefined;
}

/** The flow of a payin method; undefined where remit does not know it. */
export function knownFlow({ type, ux_flow: flow }: PayinNamed): PayinFlow | undefined {
  const flows = payinType(type ?? '')?.flows as Record<string, PayinFlow> | undefined;
  return flows?.[flow ?? ''];
}

export function wrongPayinDetails(method: PayinNamed, given: Laid): WrongDetails | undefined {
  const fields = knownFlow(method)?.inDetails;
  if (fields === undefined) return undefined;
  const known: string[] = fields.map(({ name }) => name);
  // The service repeats the flow's name among the details.
  const unknown = Object.keys(given.details).filter((name) => !known.includes(name) && name !== 'ux_flow');
  return judged({ of: 'payin', what: `${method.type} by ${method.ux_flow}`, fields, unknown }, given);
}

/** The first thing that is wrong in a payment: its recipients, then its collections. */
export async function wrongDetailsIn({
  recipients,
  payin_methods: payins,
}: Pick<TransactionWrite, 'recipients' | 'payin_methods'>): Promise<WrongDetails | undefined> {
  for (const [index, recipient] of recipients.entries()) {
    const { type, details } = recipient.payout_method;
    const at = `recipients.${index}.payout_method.details`;
    const kind = recipient.type ?? 'person';
    const wrong = await wrongPayoutDetails({ type, kind, details: details ?? {}, at });
    if (wrong) return wrong;
  }
  for (const payin of payins ?? []) {
    const wrong = wrongPayinDetails(payin, { details: payin.in_details ?? {}, at: 'in_details' });
    if (wrong) return wrong;
  }
  return undefined;
}

/** Stored payout methods do not say whose they are: a business has a `name`, a person a `last_name`. */
export function partyOf(details: Details | null | undefined): PartyKind {
  return details?.name !== undefined && details.last_name === undefined ? 'business' : 'person';
}

interface Known extends Pick<WrongDetails, 'of' | 'what'> {
  fields: readonly CorridorField[];
  unknown: readonly string[];
}

function judged(
  { of, what, fields, unknown }: Known,
  { details, standing = {}, only, at }: Laid,
): WrongDetails | undefined {
  const about = { of, what, at, known: fields.map(({ name }) => name) };
  if (unknown.length > 0) {
    const words = `is not a detail of this ${of === 'payout' ? 'payout type' : 'flow'}`;
    return { ...about, code: 'unknown_detail', faults: unknown.map((name) => ({ name, words })) };
  }
  const faults = accountFaults(fields, { ...standing, ...details }, only);
  if (faults.length === 0) return undefined;
  const said = faults.map(({ name, fault }) => ({ name, words: faultWords(fault) }));
  return { ...about, code: 'wrong_account', faults: said };
}

/** `NGN::Bank does not take this bank_account`, without the number. */
export function wrongWords({ code, what, faults }: WrongDetails): string {
  const names = faults.map(({ name }) => name);
  return code === 'unknown_detail'
    ? `${what} has no detail called ${names.join(', ')}`
    : `${what} does not take this ${names.join(' and this ')}`;
}

/** Each fault with its place in the request. */
export const faultPaths = ({ at, faults }: WrongDetails): { path: string; words: string }[] =>
  faults.map(({ name, words }) => ({ path: at === '' ? name : `${at}.${name}`, words }));
