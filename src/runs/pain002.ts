/**
 * The status of a run as ISO 20022 pain.002.001.10, for programs of finance that sent a pain.001. One transaction a row, under
 * the end-to-end id of the file, which is the row's key. Public document: ISO 20022 message definitions, pain.002.001.10.
 */
import { isoTime } from '../core/clock.ts';
import { cutXml as cut, xmlText } from '../tables/xml-text.ts';
import type { ShownRow } from './run-output.ts';
import { type PayRun, type RowState, type RowStateInfo, rowStatesThat } from './store/port.ts';

/** ExternalPaymentTransactionStatus1Code. What is not final is pending or in process, never accepted. */
const STATUS: Readonly<Record<RowState, string>> = {
  planned: 'RCVD',
  sending: 'PDNG',
  created: 'ACSP',
  paid: 'ACCC',
  in_error: 'PDNG',
  refunded: 'RJCT',
  cancelled: 'CANC',
  refused: 'RJCT',
  conflict: 'RJCT',
  handed_on: 'CANC',
  unknown: 'PDNG',
};

/** Max35Text, Max105Text, Max140Text and Max34Text of the standard. */
const SHORT = 35;
const LONG = 105;
const NAME = 140;
const ACCOUNT = 34;

/** The document in pieces: a million rows are never one text. */
export async function* pain002(
  run: PayRun,
  rows: AsyncIterable<readonly ShownRow[]>,
  { at, group }: { at: number; group: string },
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
<CstmrPmtStsRpt>
<GrpHdr><MsgId>${cut(run.id.replaceAll('-', ''), SHORT)}</MsgId><CreDtTm>${isoTime(at)}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${cut(run.name, SHORT)}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><OrgnlNbOfTxs>${run.rows}</OrgnlNbOfTxs><GrpSts>${group}</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${cut(run.name, SHORT)}</OrgnlPmtInfId>
`;
  for await (const page of rows) yield page.map(rowText).join('');
  yield '</OrgnlPmtInfAndSts>\n</CstmrPmtStsRpt>\n</Document>\n';
}

/** Names and accounts are as they are shown elsewhere: the account by its end, unless the user wants it whole. */
function rowText({ code, why, paid_at: paidAt, transaction_id: transaction, ...row }: ShownRow): string {
  const { name, account, asked_account: asked, changed_elsewhere_at: elsewhere } = row;
  const said = [
    code === null ? null : why,
    asked === null ? null : `asked for ${asked}`,
    elsewhere === null ? null : `the account was changed elsewhere, seen at ${elsewhere}`,
  ].flatMap((words) => (words === null ? [] : [`<AddtlInf>${cut(words, LONG)}</AddtlInf>`]));
  const coded = code === null ? '' : `<Rsn><Prtry>${cut(code, SHORT)}</Prtry></Rsn>`;
  const reason = coded === '' && said.length === 0 ? '' : `<StsRsnInf>${coded}${said.join('')}</StsRsnInf>`;
  const paid = paidAt === null ? '' : `<FctvIntrBkSttlmDt><DtTm>${paidAt}</DtTm></FctvIntrBkSttlmDt>`;
  const ours =
    transaction === null ? '' : `<AcctSvcrRef>${cut(transaction.replaceAll('-', ''), SHORT)}</AcctSvcrRef>`;
  const payee =
    (name === null ? '' : `<Cdtr><Pty><Nm>${cut(name, NAME)}</Nm></Pty></Cdtr>`) +
    (account === null ? '' : `<CdtrAcct><Id><Othr><Id>${cut(account, ACCOUNT)}</Id></Othr></Id></CdtrAcct>`);
  return `<TxInfAndSts><StsId>${cut(row.external_id, SHORT)}</StsId><OrgnlEndToEndId>${cut(row.key, SHORT)}</OrgnlEndToEndId><TxSts>${STATUS[row.state as RowState]}</TxSts>${reason}${paid}${ours}<OrgnlTxRef><Amt><InstdAmt Ccy="${xmlText(row.currency)}">${row.amount}</InstdAmt></Amt><PmtTpInf><LclInstrm><Prtry>${cut(row.type, SHORT)}</Prtry></LclInstrm></PmtTpInf>${payee}</OrgnlTxRef></TxInfAndSts>\n`;
}

/** Returns the status of the group: all accepted, all rejected, or in part. */
export function groupStatus(counts: Readonly<Record<RowState, number>>, rows: number): string {
  const rowsThat = (fits: (info: RowStateInfo) => boolean): number =>
    rowStatesThat(fits).reduce((all, state) => all + counts[state], 0);
  const accepted = rowsThat(({ endsWell }) => endsWell);
  const rejected = rowsThat(({ open, takesMoney }) => !open && !takesMoney);
  if (counts.paid === rows) return 'ACCC';
  if (accepted === rows) return 'ACSP';
  if (rejected === rows) return 'RJCT';
  return accepted > 0 ? 'PART' : 'PDNG';
}
