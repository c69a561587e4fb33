/** Requirements on a sender: the always required members, the identification data, and the shape of the rest. */

import { isIP } from 'node:net';
import { looksLikePhone } from '../../contract/corridors/accounts.ts';
import { EMAIL, patternOf } from '../../contract/corridors/values.ts';
import {
  genders,
  identificationTypes,
  legalEntityTypes,
  senderTextFields,
} from '../../contract/resources/sender.ts';
import { byWord } from '../../core/by-word.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { SandboxStore } from '../store/port.ts';
import type { Plain } from '../store/records.ts';
import { readDocument } from './document.ts';
import { Problems } from './problems.ts';
import { isBlank, isDate, isPlain, readText } from './reading.ts';

type PartyKind = 'person' | 'business';

const EVERY_PERSON = ['first_name', 'last_name', 'country'];
const FULL_PERSON = ['phone_number', 'email', 'street', 'city', 'postal_code', 'birth_date'];
const EVERY_BUSINESS = ['name', 'country', 'trading_country', 'city', 'street', 'postal_code', 'email'];
const SIMPLIFIED_SETS = [
  ['identification_number', 'identification_type'],
  ['street', 'city', 'postal_code'],
  ['birth_date'],
];
const REGULATED = ['vat_registration_number', 'financial_regulator', 'regulatory_licence_number'];
const MONEY_TRANSMITTER = [
  ...REGULATED,
  'company_office_number',
  'company_office_number_country',
  'aml_officer_email',
  'aml_officer_phone',
  'aml_officer_phone_country',
  'company_website_url',
  'number_of_employees_in_company',
  'list_of_countries_of_operation',
  'estimated_annual_revenue_turnover',
  'declaration',
];

const includes = (values: readonly string[]) => (text: string) => values.includes(text);
const isEmail = (text: string) => text.length <= 254 && patternOf(EMAIL).test(text);

const shapes: Readonly<Record<string, (text: string) => boolean>> = byWord({
  country: isCountry,
  phone_country: isCountry,
  nationality: isCountry,
  trading_country: isCountry,
  country_of_birth: isCountry,
  email: isEmail,
  contact_person_email: isEmail,
  aml_officer_email: isEmail,
  phone_number: looksLikePhone,
  ip: (text) => isIP(text) !== 0,
  birth_date: isDate,
  registration_date: isDate,
  identification_number: (text) => text.trim().length >= 4,
  identification_type: includes(identificationTypes),
  gender: includes(genders),
  legal_entity_type: includes(legalEntityTypes),
});
const choiceFields = ['identification_type', 'gender', 'legal_entity_type'];
const knownTexts = [...senderTextFields, ...choiceFields].filter((name) => name !== 'external_id');

/** The sender's kind; a problem when it is neither. */
export function readKind(value: unknown, field: string, problems: Problems): PartyKind {
  if (isBlank(value) || value === 'person') return 'person';
  if (value !== 'business') problems.add(field, 'invalid');
  return value === 'business' ? 'business' : 'person';
}

/** `full` asks for the full identification data, even where the account has the simplified rules. */
export function checkSender(
  sandbox: SandboxState,
  sender: Plain,
  kind: PartyKind,
  full = !sandbox.settings.wtr2,
): Problems {
  const problems = new Problems();
  checkAlways(sandbox, sender, problems);
  problems.merge(checkIdentification(sender, kind, full));
  checkShapes(sender, problems);
  return problems;
}

/** The required sets alone: asked of a sender as it stands, also where nothing about it is new. */
export function checkIdentification(sender: Plain, kind: PartyKind, full: boolean): Problems {
  const problems = new Problems();
  requireAll(sender, kind === 'business' ? EVERY_BUSINESS : EVERY_PERSON, problems);
  if (kind === 'person' && full) requireAll(sender, FULL_PERSON, problems);
  if (kind === 'person' && !full) requireOneSet(sender, problems);
  if (sender.legal_entity_type === 'financial_institution') requireAll(sender, REGULATED, problems);
  if (sender.legal_entity_type === 'mto') requireAll(sender, MONEY_TRANSMITTER, problems);
  return problems;
}

/**
 * `ip`, `documents` and `metadata` are always asked for, though the last two may be empty, and may be left out where the
 * account is set so. @assumes lenient-senders
 */
function checkAlways({ store, settings }: SandboxState, sender: Plain, problems: Problems): void {
  if (isBlank(sender.ip)) problems.add('ip', 'blank');
  const { documents, metadata } = sender;
  const asked = settings.strict_senders || settings.kyc === 'documents';
  if (isBlank(documents)) {
    if (asked) problems.add('documents', 'blank');
  } else if (!Array.isArray(documents) || !documents.every((each) => isDocument(store, each)))
    problems.add('documents', 'invalid');
  else if (settings.kyc === 'documents' && documents.length === 0) problems.add('documents', 'blank');
  if (isBlank(metadata)) {
    if (settings.strict_senders) problems.add('metadata', 'blank');
  } else if (!isPlain(metadata)) problems.add('metadata', 'invalid');
}

/** One that is stored already, by its id, or one that is sent along. */
function isDocument({ documents }: SandboxStore, sent: unknown): boolean {
  if (!isPlain(sent)) return false;
  return typeof sent.id === 'string'
    ? documents.get(sent.id)?.disabled === false
    : readDocument(sent).draft !== null;
}

function requireAll(sender: Plain, names: readonly string[], problems: Problems): void {
  for (const name of names) if (isBlank(sender[name])) problems.add(name, 'blank');
}

function requireOneSet(sender: Plain, problems: Problems): void {
  if (SIMPLIFIED_SETS.some((names) => names.every((name) => !isBlank(sender[name])))) return;
  problems.add('identification_number', 'blank');
  problems.say(
    'needs an identification number with its type, or street, city and postal code, or a birth date',
  );
}

/** The form of each member that is there. */
export function checkShapes(sender: Plain, problems: Problems): void {
  for (const name of knownTexts) {
    if (sender[name] === undefined) continue;
    const text = readText(sender[name], name, problems);
    if (text !== null && shapes[name]?.(text) === false) problems.add(name, 'invalid');
  }
  const people = sender.politically_exposed_people;
  if (isBlank(people)) return;
  const fine = Array.isArray(people) && people.length <= 3 && people.every(isPlain);
  if (!fine) problems.add('politically_exposed_people', 'invalid');
}

/** Two-letter country codes (ISO 3166), with the few withdrawn ones that the service still knows. */
const codes = `
AD AE AF AG AI AL AM AN AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KV KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS
MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU
RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TP TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

const known: ReadonlySet<string> = new Set(codes.trim().split(/\s+/));

function isCountry(code: string): boolean {
  return known.has(code);
}
