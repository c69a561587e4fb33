/**
 * What the schema of camt.053.001.08 asks of the elements that a statement of ours has: their order, how often they may stand, and what
 * their texts may be. Public document: ISO 20022, message definition BankToCustomerStatementV08.
 */
import { SaxesParser } from 'saxes';

/** `least` and `most` times; `Infinity` where there is no end. */
type Child = readonly [name: string, least: number, most: number];
type Rule = { children: readonly Child[]; oneOf?: true } | { text: RegExp; currency?: true };

const text = (most: number): Rule => ({ text: new RegExp(`^[^]{1,${most}}$`, 'u') });
const date = { text: /^\d{4}-\d{2}-\d{2}$/ };
const dateTime = { text: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?$/ };
const code = (most: number): Rule => ({ text: new RegExp(`^[A-Z0-9]{1,${most}}$`) });
const currency = { text: /^[A-Z]{3}$/ };
/** At most 18 digits, 5 of them behind the point, not below 0. */
const amount = { text: /^(?=(?:\D*\d){1,18}\D*$)\d+(?:\.\d{1,5})?$/, currency: true } as const;
const need = (name: string): Child => [name, 1, 1];
const may = (name: string): Child => [name, 0, 1];
const many = (name: string, least = 0): Child => [name, least, Number.POSITIVE_INFINITY];
const sequence = (...children: Child[]): Rule => ({ children });
const choice = (...names: string[]): Rule => ({ children: names.map(may), oneOf: true });

/** By the end of the path: what stands deeper is named with what is around it. */
const RULES: Readonly<Record<string, Rule>> = {
  Document: sequence(need('BkToCstmrStmt')),
  BkToCstmrStmt: sequence(need('GrpHdr'), many('Stmt', 1), many('SplmtryData')),
  GrpHdr: sequence(
    need('MsgId'),
    need('CreDtTm'),
    may('MsgRcpt'),
    may('MsgPgntn'),
    may('OrgnlBizQry'),
    may('AddtlInf'),
  ),
  MsgId: text(35),
  CreDtTm: dateTime,
  Stmt: sequence(
    ...['Id'].map(need),
    ...[
      'StmtPgntn',
      'ElctrncSeqNb',
      'RptgSeq',
      'LglSeqNb',
      'CreDtTm',
      'FrToDt',
      'CpyDplctInd',
      'RptgSrc',
    ].map(may),
    need('Acct'),
    may('RltdAcct'),
    many('Intrst'),
    many('Bal', 1),
    may('TxsSummry'),
    many('Ntry'),
    may('AddtlStmtInf'),
  ),
  'Stmt/Id': text(35),
  FrToDt: sequence(need('FrDtTm'), need('ToDtTm')),
  FrDtTm: dateTime,
  ToDtTm: dateTime,
  Acct: sequence(need('Id'), ...['Tp', 'Ccy', 'Nm', 'Prxy', 'Ownr', 'Svcr'].map(may)),
  'Acct/Id': choice('IBAN', 'Othr'),
  Othr: sequence(need('Id'), may('SchmeNm'), may('Issr')),
  'Othr/Id': text(34),
  Ccy: currency,
  Bal: sequence(need('Tp'), many('CdtLine'), need('Amt'), need('CdtDbtInd'), need('Dt'), many('Avlbty')),
  'Bal/Tp': sequence(need('CdOrPrtry'), may('SubTp')),
  CdOrPrtry: choice('Cd', 'Prtry'),
  'CdOrPrtry/Cd': { text: /^(?:OPBD|CLBD)$/ },
  Amt: amount,
  CdtDbtInd: { text: /^(?:CRDT|DBIT)$/ },
  'Bal/Dt': choice('Dt', 'DtTm'),
  Dt: date,
  DtTm: dateTime,
  TxsSummry: sequence(may('TtlNtries'), may('TtlCdtNtries'), may('TtlDbtNtries'), many('TtlNtriesPerBkTxCd')),
  TtlNtries: sequence(may('NbOfNtries'), may('Sum'), may('TtlNetNtry')),
  NbOfNtries: { text: /^\d{1,15}$/ },
  TtlNetNtry: sequence(need('Amt'), need('CdtDbtInd')),
  'TtlNetNtry/Amt': { text: /^\d+(?:\.\d+)?$/ },
  Ntry: sequence(
    may('NtryRef'),
    need('Amt'),
    need('CdtDbtInd'),
    may('RvslInd'),
    need('Sts'),
    ...['BookgDt', 'ValDt', 'AcctSvcrRef'].map(may),
    many('Avlbty'),
    need('BkTxCd'),
    ...['ComssnWvrInd', 'AddtlInfInd', 'AmtDtls', 'Chrgs', 'TechInptChanl', 'Intrst', 'CardTx'].map(may),
    many('NtryDtls'),
    may('AddtlNtryInf'),
  ),
  Sts: choice('Cd', 'Prtry'),
  'Sts/Cd': { text: /^BOOK$/ },
  BookgDt: choice('Dt', 'DtTm'),
  ValDt: choice('Dt', 'DtTm'),
  AcctSvcrRef: text(35),
  BkTxCd: sequence(may('Domn'), may('Prtry')),
  Domn: sequence(need('Cd'), need('Fmly')),
  'Domn/Cd': code(4),
  Fmly: sequence(need('Cd'), need('SubFmlyCd')),
  'Fmly/Cd': code(4),
  SubFmlyCd: code(4),
  'BkTxCd/Prtry': sequence(need('Cd'), may('Issr')),
  'BkTxCd/Prtry/Cd': text(35),
  NtryDtls: sequence(may('Btch'), many('TxDtls')),
  TxDtls: sequence(
    ...['Refs', 'Amt', 'CdtDbtInd', 'AmtDtls'].map(may),
    many('Avlbty'),
    ...['BkTxCd', 'Chrgs', 'Intrst', 'RltdPties', 'RltdAgts', 'LclInstrm', 'Purp'].map(may),
    many('RltdRmtInf'),
    may('RmtInf'),
  ),
  Refs: sequence(
    ...['MsgId', 'AcctSvcrRef', 'PmtInfId', 'InstrId', 'EndToEndId', 'UETR', 'TxId', 'MndtId', 'ChqNb'].map(
      may,
    ),
  ),
  EndToEndId: text(35),
  TxId: text(35),
  AmtDtls: sequence(...['InstdAmt', 'TxAmt', 'CntrValAmt', 'AnncdPstngAmt'].map(may), many('PrtryAmt')),
  CntrValAmt: sequence(need('Amt'), may('CcyXchg')),
  CcyXchg: sequence(
    need('SrcCcy'),
    may('TrgtCcy'),
    may('UnitCcy'),
    need('XchgRate'),
    may('CtrctId'),
    may('QtnDt'),
  ),
  SrcCcy: currency,
  TrgtCcy: currency,
  UnitCcy: currency,
  /** At most eleven digits, ten of them behind the point. */
  XchgRate: { text: /^(?=(?:\D*\d){1,11}\D*$)\d+(?:\.\d{1,10})?$/ },
  RltdPties: sequence(
    ...['InitgPty', 'Dbtr', 'DbtrAcct', 'UltmtDbtr', 'Cdtr', 'CdtrAcct', 'UltmtCdtr'].map(may),
  ),
  Cdtr: choice('Pty', 'Agt'),
  Pty: sequence(...['Nm', 'PstlAdr', 'Id', 'CtryOfRes', 'CtctDtls'].map(may)),
  Nm: text(140),
  RmtInf: sequence(many('Ustrd'), many('Strd')),
  Ustrd: text(140),
  AddtlNtryInf: text(500),
  AddtlStmtInf: text(500),
};

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/** The longest end of the path that has a rule. */
function ruleOf(path: readonly string[]): Rule | undefined {
  for (let from = 0; from < path.length; from++) {
    const rule = RULES[path.slice(from).join('/')];
    if (rule !== undefined) return rule;
  }
  return undefined;
}

interface Open {
  name: string;
  children: string[];
  text: string;
  currency: string | undefined;
}

/** What the schema has against it, each with its path and line. */
export function camtErrors(xml: string): string[] {
  const errors: string[] = [];
  const open: Open[] = [];
  const parser = new SaxesParser({ xmlns: true, position: true });
  const path = (): string[] => open.map(({ name }) => name);
  const wrong = (words: string): void => {
    errors.push(`line ${parser.line}, ${path().join('/')}: ${words}`);
  };
  parser.on('error', (error) => errors.push(error.message));
  parser.on('opentag', ({ local, uri, attributes }) => {
    open.at(-1)?.children.push(local);
    open.push({ name: local, children: [], text: '', currency: attributes.Ccy?.value });
    if (uri !== NAMESPACE) wrong(`is of ${uri}`);
  });
  parser.on('text', (piece) => {
    const last = open.at(-1);
    if (last) last.text += piece;
  });
  parser.on('closetag', () => {
    const { children, text: said, currency: of } = open.at(-1) as Open;
    const rule = ruleOf(path());
    if (rule === undefined) wrong('is not in the schema');
    else if ('text' in rule) {
      if (!rule.text.test(said)) wrong(`may not be "${said}"`);
      if ((of !== undefined) !== (rule.currency ?? false)) wrong('has a currency, or has none');
      if (of !== undefined && !currency.text.test(of)) wrong(`has the currency ${of}`);
    } else for (const words of sequenceErrors(children, rule)) wrong(words);
    open.pop();
  });
  parser.write(xml).close();
  return errors;
}

function sequenceErrors(
  children: readonly string[],
  { children: rules, oneOf }: Extract<Rule, { children: readonly Child[] }>,
): string[] {
  const errors: string[] = [];
  if (oneOf && children.length !== 1) errors.push(`is a choice, and has ${children.length}`);
  const names = rules.map(([name]) => name);
  let last = -1;
  for (const name of children) {
    const at = names.indexOf(name);
    if (at < 0) errors.push(`has no ${name}`);
    else if (at < last) errors.push(`${name} stands too late`);
    last = Math.max(last, at);
  }
  for (const [name, least, most] of rules) {
    const count = children.filter((one) => one === name).length;
    if (count < least || count > most) errors.push(`has ${count} of ${name}`);
  }
  return errors;
}
