/**
 * A statement as ISO 20022 camt.053.001.08, for programs of finance: one `Stmt` for each balance. Public document: ISO 20022 message
 * definitions, camt.053.001.08. The same books give the same bytes: its time of creation is that until which the books know everything.
 */

import { amountText } from '../../core/amount-words.ts';
import { gt, sub } from '../../core/money.ts';
import { usage } from '../../core/problem.ts';
import { wallTime } from '../../core/zone.ts';
import { cutXml, xmlText } from '../../tables/xml-text.ts';
import type { Paid } from '../shapes.ts';
import type { Line, LineKind } from './lines.ts';
import type { Statement, StatementAccount } from './statement.ts';

/** Max35Text, Max140Text and Max500Text of the standard. */
const SHORT = 35;
const LONG = 140;
const NOTE = 500;
/** Longer texts stand among the large objects of V8, which are taken out seldom. */
const PIECE = 16_384;
/** An amount of the standard has no more. */
const MOST_DECIMALS = 5;
const MOST_DIGITS = 18;

/** Domain, family and sub-family of the external codes of ISO 20022. */
const CODES: Readonly<
  Record<Exclude<LineKind, `opening${string}` | `closing${string}`>, readonly [string, string, string]>
> = {
  debit: ['PMNT', 'ICDT', 'XBCT'],
  refund: ['PMNT', 'ICDT', 'RRTN'],
  collection: ['PMNT', 'RCDT', 'XBCT'],
  correction: ['PMNT', 'OTHR', 'OTHR'],
  unexplained: ['XTND', 'NTAV', 'NTAV'],
};

export interface CamtSetting {
  /** Names the account in the file: a text of ours that tells accounts apart. */
  account: string;
  zone: string;
}

/**
 * Yields pieces: a million entries are never one text.
 *
 * @param lines in the order of `statement.accounts`, each balance with its opening and its closing line
 * @throws Problem (usage) where an amount has more digits than the standard has room for
 */
export async function* camt053(
  statement: Statement,
  lines: AsyncIterable<readonly Line[]>,
  { account, zone }: CamtSetting,
): AsyncGenerator<string> {
  const created = moment(statement.knownUntil);
  const [first, last] = [dayOf(statement.from, zone), dayOf(statement.to - 1, zone)];
  const message = cutXml(`${account}-${first}-${last}`.replaceAll('-', ''), SHORT);
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt>
<GrpHdr><MsgId>${message}</MsgId><CreDtTm>${created}</CreDtTm></GrpHdr>
`;
  const accounts = new Map(statement.accounts.map((one) => [one.currency, one]));
  for await (const page of lines) {
    let text = '';
    for (const line of page) {
      const own = accounts.get(line.currency) as StatementAccount;
      if (line.kind === 'opening' || line.kind === 'opening_not_seen')
        text += head(own, { statement, account, zone, first: dayOf(own.from, zone), last, created });
      else if (line.kind === 'closing' || line.kind === 'closing_not_seen') text += tail(own);
      else text += entry(line, line.kind, zone);
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    yield text;
  }
  yield '</BkToCstmrStmt>\n</Document>\n';
}

const dayOf = (at: number, zone: string): string => wallTime(at, zone).day;
const moment = (at: number): string => new Date(at).toISOString();

interface Head extends CamtSetting {
  statement: Statement;
  first: string;
  last: string;
  created: string;
}

function head(
  { currency, totals, from, opening, closing }: StatementAccount,
  { statement, account, first, last, created }: Head,
): string {
  const { to } = statement;
  if (totals.closing === null)
    throw usage(
      `the balance in ${currency} was first seen after this time: camt.053 has no statement without a balance`,
      'take a later time, or CSV or JSON',
    );
  const id = cutXml(`${currency}${first}${last}`.replaceAll('-', ''), SHORT);
  const own = cutXml(`${account}-${currency}`, SHORT - 1);
  const ccy = xmlText(currency);
  return `<Stmt><Id>${id}</Id><CreDtTm>${created}</CreDtTm><FrToDt><FrDtTm>${moment(from)}</FrDtTm><ToDtTm>${moment(to - 1)}</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${own}</Id></Othr></Id><Ccy>${ccy}</Ccy></Acct>
${totals.opening === null ? '' : `<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>${signed(totals.opening, currency)}<Dt><Dt>${first}</Dt></Dt></Bal>\n`}<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>${signed(totals.closing, currency)}<Dt><Dt>${last}</Dt></Dt></Bal>
${summary(totals.movements, sub(closing, opening), currency)}`;
}

/** An unseen opening balance is left out, and the reader is told why. */
const tail = ({ totals }: StatementAccount): string =>
  totals.first_seen === null
    ? '</Stmt>\n'
    : `<AddtlStmtInf>${cutXml(`The opening balance was not seen: the balance was first seen at ${totals.first_seen}. From then on the entries prove the balance.`, NOTE)}</AddtlStmtInf></Stmt>\n`;

/** Returns the summary of an account. A time without a movement has none. */
function summary(movements: number, moved: string, currency: string): string {
  if (movements === 0) return '';
  const net = `<TtlNetNtry><Amt>${unsigned(moved, currency)}</Amt>${side(moved)}</TtlNetNtry>`;
  return `<TxsSummry><TtlNtries><NbOfNtries>${movements}</NbOfNtries>${net}</TtlNtries></TxsSummry>\n`;
}

function entry(line: Line, kind: keyof typeof CODES, zone: string): string {
  const { currency, amount, at, transaction_id: id, external_id: own, recipient_id: recipient } = line;
  const [domain, family, sub1] = CODES[kind];
  const code = `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub1}</SubFmlyCd></Fmly></Domn><Prtry><Cd>${kind}</Cd></Prtry></BkTxCd>`;
  const service =
    id === null ? '' : `<AcctSvcrRef>${cutXml((recipient ?? id).replaceAll('-', ''), SHORT)}</AcctSvcrRef>`;
  const words =
    kind === 'unexplained'
      ? `No payment explains this difference. It may be a top-up. It happened between ${line.after} and ${at}.`
      : line.corrects === null
        ? ''
        : `It corrects ${line.corrects}, which was closed before.`;
  const note = words === '' ? '' : `<AddtlNtryInf>${cutXml(words, NOTE)}</AddtlNtryInf>`;
  const ntry = `${signed(amount ?? '0', currency)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${dayOf(Date.parse(at), zone)}</Dt></BookgDt><ValDt><DtTm>${at}</DtTm></ValDt>`;
  return `<Ntry>${ntry}${service}${code}${id === null ? '' : details(line, { id, own })}${note}</Ntry>\n`;
}

function details(line: Line, { id, own }: { id: string; own: string | null }): string {
  const endToEnd = own === null ? '' : `<EndToEndId>${cutXml(own, SHORT)}</EndToEndId>`;
  const refs = `<Refs>${endToEnd}<TxId>${cutXml(id.replaceAll('-', ''), SHORT)}</TxId></Refs>`;
  const remittance = line.reference ? `<RmtInf><Ustrd>${cutXml(line.reference, LONG)}</Ustrd></RmtInf>` : '';
  // Where one movement pays several, each is a transaction of its own within the entry.
  const each = (line.recipients ?? [{ ...line, name: line.name ?? '' }]).map(
    (paid) => `<TxDtls>${refs}${partsOf(line, paid)}${remittance}</TxDtls>`,
  );
  return `<NtryDtls>${each.join('')}</NtryDtls>`;
}

function partsOf(
  { kind, currency }: Line,
  { name, rate, output_amount: output, output_currency: to }: Omit<Paid, 'recipient_id' | 'margin'>,
): string {
  const isExchanged = rate !== null && output !== null && to !== null && to !== currency;
  const exchange = isExchanged
    ? `<AmtDtls><CntrValAmt>${amountOf(output, to)}<CcyXchg><SrcCcy>${xmlText(currency)}</SrcCcy><TrgtCcy>${xmlText(to)}</TrgtCcy><UnitCcy>${xmlText(currency)}</UnitCcy><XchgRate>${rateText(rate)}</XchgRate></CcyXchg></CntrValAmt></AmtDtls>`
    : '';
  const party =
    name && kind === 'debit'
      ? `<RltdPties><Cdtr><Pty><Nm>${cutXml(name, LONG)}</Nm></Pty></Cdtr></RltdPties>`
      : '';
  return `${exchange}${party}`;
}

const isDebit = (amount: string): boolean => gt('0', amount);
const side = (amount: string): string => `<CdtDbtInd>${isDebit(amount) ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const signed = (amount: string, currency: string): string => `${amountOf(amount, currency)}${side(amount)}`;
const amountOf = (amount: string, currency: string): string =>
  `<Amt Ccy="${xmlText(currency)}">${unsigned(amount, currency)}</Amt>`;

/** Without its sign, which is a member of its own. */
function unsigned(amount: string, currency: string): string {
  const text = amountText(isDebit(amount) ? sub('0', amount) : amount, currency) ?? '0';
  const [whole = '', decimals = ''] = text.split('.');
  if (
    !/^[A-Z]{3}$/.test(currency) ||
    decimals.length > MOST_DECIMALS ||
    whole.length + decimals.length > MOST_DIGITS
  )
    throw usage(`camt.053 has no room for ${text} ${currency}`, 'take CSV or JSON for this balance');
  return text;
}

/** BaseOneRate: eleven digits, ten of them decimals at most. */
function rateText(rate: string): string {
  const [whole = '0', decimals = ''] = rate.split('.');
  const room = Math.max(0, Math.min(10, 11 - whole.length));
  return decimals === '' || room === 0 ? whole : `${whole}.${decimals.slice(0, room)}`;
}
