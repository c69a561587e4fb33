/**
 * The demands of a payout type (`NGN::Bank`) on a recipient and on a sender, as plain data.
 * One corridor is one file under `data/` and one line in `index.ts`.
 */

import type { Member } from '../personal.ts';

/** Code to label, as the wire sends it: `{'044': 'Access Bank'}`. */
export type OptionSet = Readonly<Record<string, string>>;

/** Where money goes: what `accounts.ts` holds everywhere alike. */
export type FieldCheck = 'digits' | 'iban' | 'bban' | 'phone';

/** A check that the desk alone makes, since the service takes anything (`desk-guards.ts`). */
export type DeskGuard = 'digits' | 'digits_or_iban' | 'sort_code' | 'brazilian' | 'pix';

/** Says what is wrong with an account, or null; and what would be right. */
export interface AccountValidator {
  wrongIn(text: string): string | null;
  right: string;
}

export interface CorridorField {
  name: Member;
  label: string;
  /** It says where the money goes; what has a check does too. */
  routes?: true;
  required: boolean;
  control: 'input' | 'select';
  /** The id of an option set (`loadOptions`), or the few options themselves. */
  options?: string | OptionSet;
  /** Codes that are accepted too, but not offered: other spellings, withdrawn names. */
  alsoAccepted?: readonly string[];
  /** Tells which options hold for which value of another field: providers by `country`. */
  allowedBy?: { field: string; values: Readonly<Record<string, readonly string[]>> };
  /** The source of a JavaScript regular expression, anchored. */
  format?: string;
  check?: FieldCheck;
  guard?: DeskGuard;
  /** A guard that is loaded with its corridor. */
  judge?: AccountValidator;
  /** How many digits an account has here, at least and at most. The service does not count them: the desk does. */
  digits?: readonly [number, number];
  /** Money is sent to this mobile number: it is of one of these countries. The service does not look: the desk does. */
  mobileOf?: readonly string[];
  /** The service takes this country where no `country` is given: a number of another one would be sent there. The desk looks. */
  presumes?: string;
  /** The only country that a national phone number may be of. */
  phoneCountry?: string;
  /** The shape of its international numbers, as `format`. The service refuses others, and prints no format. */
  international?: string;
  /** The length is counted in characters. */
  maxLength?: number;
  default?: string;
  note?: string;
}

export interface SenderRequirement {
  field: string;
  values?: readonly string[];
  /** The source of a JavaScript regular expression, anchored. */
  format?: string;
  /** Only for these values of payout details: `{country: 'TG'}`. */
  when?: Readonly<Record<string, string>>;
}

export type PartyKind = 'person' | 'business';

/** How settled the service calls a corridor; `other` is described apart from the rest. All are taken. */
export type CorridorStatus = 'active' | 'beta' | 'other';

export interface Corridor {
  type: string;
  currency: string;
  /** The second half of `type`; `BTC` has none and is `Crypto`. */
  kind: 'Bank' | 'Mobile' | 'Cash' | 'Crypto';
  status: CorridorStatus;
  /** ISO 3166 two-letter codes; empty where `region` says it better. */
  countries: readonly string[];
  region?: string;
  /** Picked up in cash: can always be cancelled, and edited without a new pickup reference. */
  cash: boolean;
  /** The recipient must have signed a mandate first. */
  mandate: boolean;
  recipientKinds: { person: readonly CorridorField[]; business?: readonly CorridorField[] };
  /** Groups of fields of which at least one must be complete. */
  requireOneOf?: readonly (readonly string[])[];
  /** Names for those groups, for people: `{pix: [...], ted: [...]}`. */
  variants?: Readonly<Record<string, readonly string[]>>;
  /** The kinds of sender that may pay each kind of recipient; both may where none is given. */
  senderKinds?: Partial<Record<PartyKind, readonly PartyKind[]>>;
  senderRequirements: { person?: readonly SenderRequirement[]; business?: readonly SenderRequirement[] };
  /** False where senders with the simplified identification rules (WTR2) are refused. */
  simplifiedSenders: boolean;
  /** Details that older descriptions of the service name: accepted, not offered. */
  alsoAccepted: readonly Member[];
  /** The question that can be asked about an account before or inside a transaction. */
  accountCheck?: 'name' | 'telco_or_status';
  /** Expected time to the recipient's account, for people. */
  timing?: string;
  notes: readonly string[];
}

export interface CorridorSummary {
  type: string;
  currency: string;
  kind: Corridor['kind'];
  status: CorridorStatus;
  /** `Bank account in Nigeria`. */
  summary: string;
}

/** Every corridor and option set in memory: what the sandbox works with. */
export interface CorridorBook {
  types: readonly CorridorSummary[];
  corridor(type: string): Corridor | undefined;
  /** An option set by id; `{}` for one that does not exist. */
  options(setId: string): OptionSet;
}
