/**
 * Where the parts of a pain.001 are, and which of them may stand several times in one place, as the public schemas of the versions .03 and
 * .09 to .12 have it. Whatever is read, and all that is around it, may stand once: of two accounts, the one meant is unknown.
 */
import { byWord } from '../../core/by-word.ts';

const DOCUMENT = 'Document';
export const ROOT = `${DOCUMENT}/CstmrCdtTrfInitn`;
export const PAYMENT = `${ROOT}/PmtInf`;
/** A day in the version .03, and in later ones an element with a day or a time in it. */
export const EXECUTION = `${PAYMENT}/ReqdExctnDt`;
export const TRANSFER = `${PAYMENT}/CdtTrfTxInf`;

/** Elements whose own elements are looked at. */
const OUTER: ReadonlySet<string> = new Set([DOCUMENT, ROOT, `${ROOT}/GrpHdr`, PAYMENT, EXECUTION, TRANSFER]);
/** Elements of a transfer that are looked at in all their depth. The rest, such as taxes, is not read. */
const INNER: ReadonlySet<string> = new Set([
  'PmtId',
  'Amt',
  'CdtrAgt',
  'Cdtr',
  'CdtrAcct',
  'UltmtCdtr',
  'RmtInf',
]);

/** Elements, some with what is around them, of which the schemas allow several in one place. */
const SEVERAL: ReadonlySet<string> = new Set([
  'PmtInf',
  'CdtTrfTxInf',
  'SplmtryData',
  'Authstn',
  'AdrLine',
  'InstrForCdtrAgt',
  'InstrForDbtrAgt',
  'RgltryRptg',
  'RltdRmtInf',
  'Ustrd',
  'Strd',
  'OrgId/Othr',
  'PrvtId/Othr',
  'CtctDtls/Othr',
]);

/** The elements of which only one may stand in a place. A later version renamed BIC. */
const CHOICES: Readonly<Record<string, string>> = byWord({
  'Id/IBAN': 'an account',
  'Id/Othr': 'an account',
  'Id/OrgId': 'an identification',
  'Id/PrvtId': 'an identification',
  'Amt/InstdAmt': 'an amount',
  'Amt/EqvtAmt': 'an amount',
  'ReqdExctnDt/Dt': 'a day',
  'ReqdExctnDt/DtTm': 'a day',
  'FinInstnId/BIC': 'a BIC',
  'FinInstnId/BICFI': 'a BIC',
});

/** The path within a transfer; undefined where it is not read. */
export function withinTransfer(path: string): string | undefined {
  if (!path.startsWith(`${TRANSFER}/`)) return undefined;
  const within = path.slice(TRANSFER.length + 1);
  const [first = '', second] = within.split('/', 2);
  return INNER.has(first) && second !== 'Strd' ? within : undefined;
}

/** Returns the place that an element takes in the one around it; undefined where there may be several. */
export function painSlot(path: string): string | undefined {
  const end = path.lastIndexOf('/');
  const [around, local] = [path.slice(0, end), path.slice(end + 1)];
  if (!OUTER.has(around) && withinTransfer(path) === undefined) return undefined;
  const pair = `${around.slice(around.lastIndexOf('/') + 1)}/${local}`;
  return SEVERAL.has(local) || SEVERAL.has(pair) ? undefined : (CHOICES[pair] ?? local);
}

/** The schemas let anything stand in these two places, of any namespace. Elsewhere an element of another namespace is refused. */
const ENVELOPES: ReadonlySet<string> = new Set([
  `${ROOT}/SplmtryData/Envlp`,
  `${TRANSFER}/SplmtryData/Envlp`,
]);
export const isPainEnvelope = (path: string): boolean => ENVELOPES.has(path);

const PLACES: ReadonlyMap<string, string> = new Map(
  [ROOT, `${ROOT}/GrpHdr`, PAYMENT, TRANSFER].map((path) => [path.slice(path.lastIndexOf('/') + 1), path]),
);

/** A payment in a wrong place would be passed over, and not paid. */
export function isPainMisplaced(path: string): boolean {
  const place = PLACES.get(path.slice(path.lastIndexOf('/') + 1));
  if (place !== undefined) return place !== path;
  return path.startsWith(`${DOCUMENT}/`) && !path.startsWith(`${ROOT}/`);
}
