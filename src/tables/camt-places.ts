/**
 * Where the parts of a camt.052, a camt.053 and a camt.054 are, and which of them may stand once in their place: whatever is read, and what is around
 * it. The rest of the standard is wide, differs from version to version, and is passed over.
 */
import { byWord } from '../core/by-word.ts';

export type Message =
  | 'Document/BkToCstmrAcctRpt'
  | 'Document/BkToCstmrStmt'
  | 'Document/BkToCstmrDbtCdtNtfctn';

/** Some banks write the namespace of SWIFT in place of that of ISO. */
const NAMESPACE = /^urn:(?:iso:std:iso:20022:tech|swift):xsd:\$?camt\.(05[234])(?:\.\d+)*$/;

const MESSAGES: Readonly<Record<string, Message>> = byWord({
  '052': 'Document/BkToCstmrAcctRpt',
  '053': 'Document/BkToCstmrStmt',
  '054': 'Document/BkToCstmrDbtCdtNtfctn',
});

/** Returns the message that a document of this namespace must hold; undefined where it is none that is read. */
export const messageOf = (namespace: string): Message | undefined =>
  MESSAGES[NAMESPACE.exec(namespace)?.[1] ?? ''];

/** Returns the message of a document without a namespace: its first element tells what it is. */
export const messageAt = (path: string): Message | undefined =>
  Object.values(MESSAGES).find((one) => one === path);

/** The path of the statements in each message. */
export const STATEMENTS: Readonly<Record<Message, string>> = {
  'Document/BkToCstmrAcctRpt': 'Document/BkToCstmrAcctRpt/Rpt',
  'Document/BkToCstmrStmt': 'Document/BkToCstmrStmt/Stmt',
  'Document/BkToCstmrDbtCdtNtfctn': 'Document/BkToCstmrDbtCdtNtfctn/Ntfctn',
};

export const DETAIL = 'Ntry/NtryDtls/TxDtls';

/** Texts of a transaction within an entry. */
const ONCE_IN_DETAIL = [
  'Refs/AcctSvcrRef',
  'Refs/InstrId',
  'Refs/EndToEndId',
  'Refs/TxId',
  'Amt',
  'CdtDbtInd',
  'AmtDtls/TxAmt/Amt',
];
/** Texts of a statement that may stand once. */
const ONCE = [
  'StmtPgntn/PgNb',
  'StmtPgntn/LastPgInd',
  'TxsSummry/TtlNtries/NbOfNtries',
  'TxsSummry/TtlNtries/Sum',
  'Bal/Tp/CdOrPrtry/Cd',
  'Bal/Amt',
  'Bal/CdtDbtInd',
  'Ntry/NtryRef',
  'Ntry/Amt',
  'Ntry/CdtDbtInd',
  'Ntry/Sts',
  'Ntry/Sts/Cd',
  'Ntry/Sts/Prtry',
  'Ntry/BookgDt/Dt',
  'Ntry/BookgDt/DtTm',
  'Ntry/ValDt/Dt',
  'Ntry/ValDt/DtTm',
  'Ntry/AcctSvcrRef',
  'Ntry/AddtlNtryInf',
  ...ONCE_IN_DETAIL.map((path) => `${DETAIL}/${path}`),
];
/** The standard allows several of these; they are references, and the first is one as good as the others. */
const FIRST = [`${DETAIL}/RmtInf/Ustrd`, `${DETAIL}/RmtInf/Strd/CdtrRefInf/Ref`];
const READ: ReadonlySet<string> = new Set([...ONCE, ...FIRST]);
const SEVERAL: ReadonlySet<string> = new Set([
  'Bal',
  'Ntry',
  'Ntry/NtryDtls',
  DETAIL,
  ...FIRST,
  `${DETAIL}/RmtInf/Strd`,
]);

/** All that is around what is read, and that itself. */
const SINGLE: ReadonlySet<string> = new Set(
  [...READ]
    .flatMap((path) => {
      const names = path.split('/');
      return names.map((_, i) => names.slice(0, i + 1).join('/'));
    })
    .filter((path) => !SEVERAL.has(path)),
);

const isStatement = (path: string): boolean => Object.values(STATEMENTS).includes(path);

/** The path within a statement; undefined outside of one. */
function within(path: string): string | undefined {
  const names = path.split('/');
  return names.length > 3 && isStatement(names.slice(0, 3).join('/')) ? names.slice(3).join('/') : undefined;
}

export const isRead = (within: string): boolean => READ.has(within);

/** Returns the place that an element takes in the one around it; undefined where there may be several. */
export function slotOf(path: string): string | undefined {
  const local = path.slice(path.lastIndexOf('/') + 1);
  if (path.split('/').length < 4) return isStatement(path) || local === 'SplmtryData' ? undefined : local;
  const own = within(path);
  if (own === undefined || !SINGLE.has(own)) return undefined;
  if (own.startsWith('Ntry/Sts/')) return 'a status';
  return own.startsWith('Ntry/BookgDt/') ? 'a day' : local;
}

/** The schemas let anything stand here, of any namespace. */
const ENVELOPE =
  /^Document\/(?:BkToCstmrAcctRpt|BkToCstmrStmt|BkToCstmrDbtCdtNtfctn)(?:\/(?:Rpt|Stmt|Ntfctn)\/Ntry\/NtryDtls\/TxDtls)?\/SplmtryData\/Envlp$/;
export const isEnvelope = (path: string): boolean => ENVELOPE.test(path);

const PLACES: Readonly<Record<string, string>> = byWord({
  Ntry: 'Ntry',
  NtryDtls: 'Ntry/NtryDtls',
  TxDtls: DETAIL,
});

/** A movement in a wrong place would be passed over. */
export function isMisplaced(path: string, message: Message): boolean {
  const local = path.slice(path.lastIndexOf('/') + 1);
  if (path === 'Document') return false;
  if (!path.startsWith(`${message}/`)) return path !== message;
  if (local === 'Rpt' || local === 'Stmt' || local === 'Ntfctn') return path !== STATEMENTS[message];
  const place = PLACES[local];
  return place !== undefined && within(path) !== place;
}
