/** One credit transfer as a row: what it has of creditor, account and bank goes where its corridor wants it. */
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes } from '../../contract/corridors/index.ts';
import { type Fault, type FileRow, faultAt } from '../../tables/row.ts';
import { type KnownCorridor, knownCorridor } from './corridors.ts';
import type { ReadOptions } from './formats.ts';
import { atLastBlank, BLANKS } from './split-name.ts';

/** Texts by their path below `CdtTrfTxInf`; a currency is an attribute: `Amt/InstdAmt@Ccy`. */
export type Transfer = ReadonlyMap<string, string>;

export interface PainOptions
  extends Pick<ReadOptions, 'name' | 'clock' | 'payNow' | 'note' | 'onLater' | 'splitName'> {
  defaults: Readonly<Record<string, string>>;
}

type Cells = Record<string, string>;

export async function transferRow(
  transfer: Transfer,
  n: number,
  { defaults, note, splitName }: PainOptions,
): Promise<FileRow | Fault> {
  const place = { n, at: `CdtTrfTxInf ${n}` };
  if (transfer.has('Amt/EqvtAmt/Amt'))
    return faultAt(place, 'amount', 'amount', 'is an EqvtAmt, which is not read', 'InstdAmt');
  if (isForAnother(transfer))
    return faultAt(
      place,
      'name',
      'other_payee',
      OTHER_PAYEE,
      'pay whoever is to have it, or delete UltmtCdtr',
    );
  const currency = transfer.get('Amt/InstdAmt@Ccy')?.trim();
  // A currency that a flag says for the file is for rows of other formats: in this one an amount without its own is broken.
  if (!currency && transfer.has('Amt/InstdAmt'))
    return faultAt(place, 'currency', 'missing', 'is missing', 'InstdAmt with its attribute Ccy');
  const type = defaults.type ?? typeOf(transfer, currency);
  const known = type === undefined ? undefined : await knownCorridor(type);
  const cells: Cells = {};
  put(cells, 'key', own(transfer.get('PmtId/EndToEndId')));
  put(cells, 'type', type);
  put(cells, 'amount', transfer.get('Amt/InstdAmt'));
  put(cells, 'currency', currency);
  put(cells, 'metadata.remittance', transfer.get('RmtInf/Ustrd'));
  if (known)
    fill(cells, transfer, known, {
      kind: kindOf(transfer, known, defaults.recipient_type),
      // The names of all formats are divided in one place, where the user chose how.
      isWhole: splitName !== undefined,
      note,
    });
  return { ...place, cells };
}

const OTHER_PAYEE = 'is that of Cdtr, and UltmtCdtr is somebody else: the account would be paid for another';

/** True where the file names a party behind the creditor, for whom the account of the creditor is only a way. */
function isForAnother(transfer: Transfer): boolean {
  const members = [...transfer].flatMap(([path, text]) =>
    path.startsWith('UltmtCdtr/') ? [{ path: path.slice('UltmtCdtr/'.length), text }] : [],
  );
  if (members.length === 0) return false;
  const identified = [...transfer.keys()].some((path) => path.startsWith('Cdtr/Id/'));
  const isSame = ({ path, text }: { path: string; text: string }): boolean => {
    const own = transfer.get(`Cdtr/${path}`);
    // An address that only one of the two has makes no other; an identification does.
    if (own === undefined) return !(identified && path.startsWith('Id/'));
    return plain(own) === plain(text);
  };
  const isNamed = members.some(
    ({ path }) => (path === 'Nm' || path.startsWith('Id/')) && transfer.has(`Cdtr/${path}`),
  );
  return !isNamed || !members.every(isSame);
}

/** Blanks and capitals make no other name. */
const plain = (text: string): string => text.normalize().replace(BLANKS, ' ').trim().toLowerCase();

function put(cells: Cells, column: string, text: string | undefined): void {
  if (text !== undefined && text !== '') cells[column] = text;
}

/** The standard's own word for none. */
const own = (id: string | undefined): string | undefined => (id === 'NOTPROVIDED' ? undefined : id);

/** The only bank type of the currency, unless the creditor is in a country that it does not serve. */
function typeOf(transfer: Transfer, currency: string | undefined): string | undefined {
  const all = corridorTypes.filter((one) => one.currency === currency && one.kind === 'Bank');
  const [only] = all;
  return all.length === 1 && only && !isElsewhere(transfer, only.type) ? only.type : undefined;
}

const countryOf = (transfer: Transfer): string | undefined =>
  transfer.get('CdtrAgt/FinInstnId/PstlAdr/Ctry') ?? transfer.get('Cdtr/PstlAdr/Ctry');

/** Dollars are paid out in Egypt alone: those for another country have no type. */
const isElsewhere = (transfer: Transfer, type: string): boolean =>
  type === 'USD::Bank' && countryOf(transfer) !== undefined && countryOf(transfer) !== 'EG';

function kindOf(transfer: Transfer, { fields }: KnownCorridor, given: string | undefined): PartyKind {
  if (given === 'person' || given === 'business') return given;
  const isFirm = [...transfer.keys()].some((path) => path.startsWith('Cdtr/Id/OrgId/'));
  return isFirm && fields.business.length > 0 ? 'business' : 'person';
}

/** The first of these columns that the corridor has takes the text. */
const PLACES: readonly (readonly [path: string, columns: readonly string[]])[] = [
  ['CdtrAcct/Id/IBAN', ['iban', 'bank_account']],
  ['CdtrAcct/Id/Othr/Id', ['bank_account', 'iban', 'phone_number', 'pix_key_value', 'address']],
  ['CdtrAgt/FinInstnId/ClrSysMmbId/MmbId', ['bank_code', 'branch_code', 'sort_code']],
  ['CdtrAgt/FinInstnId/BICFI', ['bic', 'bank_code']],
  ['CdtrAgt/FinInstnId/BIC', ['bic', 'bank_code']],
  ['CdtrAgt/FinInstnId/Nm', ['bank_name']],
  ['CdtrAgt/FinInstnId/PstlAdr/Ctry', ['country', 'bank_country']],
  ['Cdtr/PstlAdr/Ctry', ['country', 'bank_country']],
  ['Cdtr/PstlAdr/StrtNm', ['street']],
  ['Cdtr/PstlAdr/TwnNm', ['city']],
  ['Cdtr/PstlAdr/PstCd', ['postal_code']],
  ['Cdtr/CtctDtls/EmailAdr', ['email']],
  ['CdtrAgt/BrnchId/Id', ['branch_code']],
];

function fill(
  cells: Cells,
  transfer: Transfer,
  { allowed }: KnownCorridor,
  { kind, isWhole, note }: { kind: PartyKind; isWhole: boolean; note: PainOptions['note'] },
): void {
  cells.recipient_type = kind;
  for (const [path, columns] of PLACES) {
    const column = columns.find((one) => allowed[kind].has(one));
    // An account that is there as an IBAN is not there a second time.
    if (column !== undefined && cells[column] === undefined) put(cells, column, transfer.get(path));
  }
  const name = (transfer.get('Cdtr/Nm') ?? '').replace(BLANKS, ' ');
  if (kind === 'business' || isWhole) {
    put(cells, 'name', name);
    return;
  }
  const halves = atLastBlank(name);
  put(cells, 'first_name', halves?.first ?? name);
  put(cells, 'last_name', halves?.last);
  note?.('the names of persons are divided at their last blank, into first name and last name');
}
