/**
 * The status of a run as ISO 20022 pain.002.001.10, for programs of finance that sent a pain.001. One transaction a row, under
 * the end-to-end id of the file, which is the row's key. Public document: ISO 20022 message definitions, pain.002.001.10.
 */
import { isoTime } from '../../core/clock.ts';
import {
  type PayRow,
  type PayRun,
  type RowState,
  type RowStateInfo,
  rowStatesThat,
} from '../../core/ports/payruns.ts';
import { cutXml as cut, xmlText } from '../../core/xml-text.ts';

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

/** Max35Text and Max105Text of the standard. */
const SHORT = 35;
const LONG = 105;

/** The document in pieces: a million rows are never one text. */
export async function* pain002(
  run: PayRun,
  rows: AsyncIterable<readonly PayRow[]>,
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

function rowText({ key, externalId, state, code, why, amount, currency }: PayRow): string {
  const reason =
    code === undefined
      ? ''
      : `<StsRsnInf><Rsn><Prtry>${cut(code, SHORT)}</Prtry></Rsn>${why === undefined ? '' : `<AddtlInf>${cut(why, LONG)}</AddtlInf>`}</StsRsnInf>`;
  return `<TxInfAndSts><StsId>${cut(externalId, SHORT)}</StsId><OrgnlEndToEndId>${cut(key, SHORT)}</OrgnlEndToEndId><TxSts>${STATUS[state]}</TxSts>${reason}<OrgnlTxRef><Amt><InstdAmt Ccy="${xmlText(currency)}">${amount}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>\n`;
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
