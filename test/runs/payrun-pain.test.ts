/** What a pain.001 may not say in two ways: another account would be paid, or nobody. Each fault is named with its line and column. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/problem.ts';
import { momentAsked } from '../../src/runs/files/pain.ts';
import { check, clock, type Reading, read } from '../support/payrun-files.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.';
const good = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>m</MsgId><NbOfTxs>1</NbOfTxs><CtrlSum>1500</CtrlSum></GrpHdr>
<PmtInf><PmtInfId>p</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt><Dt>2026-10-31</Dt></ReqdExctnDt>
<CdtTrfTxInf>
<PmtId><EndToEndId>inv-1</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="NGN">1500</InstdAmt></Amt>
<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>044</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>
<Cdtr><Nm>Ada Obi</Nm></Cdtr>
<CdtrAcct><Id><Othr><Id>0123456700</Id></Othr></Id></CdtrAcct>
</CdtTrfTxInf>
</PmtInf>
</CstmrCdtTrfInitn>
</Document>
`;
const options: Reading = { name: 'wages.xml', defaults: { input_currency: 'EUR', sender: 'customer-1' } };
const swap = (from: string | RegExp, to: string): string => {
  const made = good.replace(from, to);
  expect(made).not.toBe(good);
  return made;
};
const ahead = (element: string, put: string): string => swap(`<${element}>`, `${put}<${element}>`);
const behind = (element: string, put: string): string => swap(`</${element}>`, `</${element}>${put}`);

/** The place that a fault must name is marked in the file, and the mark is taken out before it is read. */
function marked(content: string): { content: string; at: string } {
  const [before = '', ...rest] = content.split('§');
  expect(rest).toHaveLength(1);
  const lines = before.split('\n');
  return {
    content: before + rest.join(''),
    at: `wages.xml: line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1} `,
  };
}

async function refusal(content: string, more: Reading = {}): Promise<Problem> {
  const problem = await read(content, { ...options, ...more }).then(
    () => expect.fail('it was read'),
    (error) => error,
  );
  if (!(problem instanceof Problem)) throw problem;
  expect(problem.facts).toMatchObject({ category: 'usage', outcome: 'not applied' });
  return problem;
}

const accountsIn = async (content: string, more: Reading = {}): Promise<unknown[]> => {
  const { payments, faults } = await check(content, { ...options, ...more });
  expect(faults).toEqual([]);
  return payments.map(({ body }) => body.recipients[0]?.payout_method.details?.bank_account);
};

it('what is right is read, in whatever pieces it comes', async () => {
  for (const size of [1, 7, 65_536]) expect(await accountsIn(good, { size })).toEqual(['0123456700']);
});

const OTHER = 'xmlns:o="urn:other"';
describe('an element of another namespace is refused', () => {
  it.each([
    ['an account before the account', ahead('CdtrAcct', `§<o:CdtrAcct ${OTHER}><o:Id/></o:CdtrAcct>`)],
    ['an IBAN in the account', ahead('Othr', `§<IBAN xmlns="urn:other">DE89</IBAN>`)],
    ['an amount', swap('<InstdAmt', `§<o:InstdAmt ${OTHER} Ccy="NGN">9</o:InstdAmt><InstdAmt`)],
    ['a version of another year', swap('<CdtrAcct>', `§<CdtrAcct xmlns="${NAMESPACE}03">`)],
    ['none at all', swap('<Cdtr>', '§<Cdtr xmlns="">')],
    ['a transfer', ahead('CdtTrfTxInf', `§<o:CdtTrfTxInf\n${OTHER}/>`)],
    ['a payment', ahead('PmtInf', `§<o:PmtInf ${OTHER}/>`)],
    ['the message', ahead('CstmrCdtTrfInitn', `§<o:CstmrCdtTrfInitn ${OTHER}/>`)],
    ['what is not read', ahead('CdtrAcct', `<Purp>§<o:Cd ${OTHER}>SALA</o:Cd></Purp>`)],
    [
      'supplementary data outside of its envelope',
      behind('CdtrAcct', `<SplmtryData>§<o:x ${OTHER}/></SplmtryData>`),
    ],
  ])('%s', async (_, text) => {
    const { content, at } = marked(text);
    for (const size of [1, 65_536]) {
      const { facts } = await refusal(content, { size });
      expect(facts.code).toBe('foreign_element');
      expect(facts.message).toContain(`${at}has an element `);
    }
  });

  it('but in the envelope of supplementary data the standard allows it, and nothing in it is paid', async () => {
    const inside = `<SplmtryData><Envlp> text <o:CdtrAcct ${OTHER}><o:Id>9</o:Id> text </o:CdtrAcct><CdtTrfTxInf/><CdtTrfTxInf/></Envlp></SplmtryData>`;
    expect(await accountsIn(behind('CdtrAcct', inside + inside))).toEqual(['0123456700']);
    expect(await accountsIn(behind('PmtInf', inside))).toEqual(['0123456700']);
    expect((await refusal(behind('GrpHdr', `<x>${inside}</x>`))).facts.code).toBe('foreign_element');
  });

  it('a prefix makes no other namespace', async () => {
    const made = good.replace(/<(\/?)(\w)/g, '<$1p:$2').replace('xmlns=', 'xmlns:p=');
    expect(await accountsIn(made)).toEqual(['0123456700']);
  });
});

const othr = '<Othr><Id>0123456719</Id></Othr>';
describe('what may stand once and is there twice is refused', () => {
  it.each([
    ['CdtrAcct', ahead('CdtrAcct', `<CdtrAcct><Id>${othr}</Id></CdtrAcct>§`)],
    ['CdtrAcct, the first empty', ahead('CdtrAcct', '<CdtrAcct/>§')],
    ['CdtrAcct on another line', ahead('CdtrAcct', '<CdtrAcct/>\n  <!-- x\n -->\t§')],
    ['Id of the account', swap('<CdtrAcct><Id>', `<CdtrAcct><Id>${othr}</Id>§<Id>`)],
    ['Othr', ahead('Othr', `${othr}§`)],
    ['Id in Othr', swap('<Id>0123456700', '<Id>0123456719</Id>§<Id>0123456700')],
    ['IBAN', swap(/<Othr>.*<\/Othr>/, '<IBAN>DE1</IBAN>§<IBAN>DE2</IBAN>')],
    ['InstdAmt', swap('<InstdAmt', '<InstdAmt Ccy="NGN">9</InstdAmt>§<InstdAmt')],
    ['Amt', ahead('Amt', '<Amt><InstdAmt Ccy="NGN">9</InstdAmt></Amt>§')],
    ['Cdtr', behind('Cdtr', '§<Cdtr><Nm>Eze</Nm></Cdtr>')],
    ['Nm', ahead('Nm', '<Nm/>§')],
    ['EndToEndId', behind('EndToEndId', '§<EndToEndId>x</EndToEndId>')],
    ['MmbId', ahead('MmbId', '<MmbId>058</MmbId>§')],
    ['CdtrAgt', ahead('CdtrAgt', '<CdtrAgt/>§')],
    ['UltmtCdtr', behind('CdtrAcct', '<UltmtCdtr/>§<UltmtCdtr/>')],
    ['PmtMtd', behind('PmtMtd', '§<PmtMtd>CHK</PmtMtd>')],
    ['CtrlSum', behind('CtrlSum', '§<CtrlSum>1</CtrlSum>')],
    ['GrpHdr', behind('GrpHdr', '§<GrpHdr/>')],
    ['ReqdExctnDt', behind('ReqdExctnDt', '§<ReqdExctnDt><Dt>2026-10-30</Dt></ReqdExctnDt>')],
    ['CstmrCdtTrfInitn', behind('CstmrCdtTrfInitn', '§<CstmrCdtTrfInitn/>')],
    ['IBAN beside Othr', ahead('Othr', '<IBAN>DE89370400440532013000</IBAN>§')],
    ['EqvtAmt beside InstdAmt', behind('InstdAmt', '§<EqvtAmt><Amt Ccy="EUR">9</Amt></EqvtAmt>')],
    ['DtTm beside Dt', behind('Dt', '§<DtTm>2026-12-24T09:00:00</DtTm>')],
    ['BICFI beside BIC', behind('ClrSysMmbId', '<BIC>COBADEFF</BIC>§<BICFI>COBADEFFXXX</BICFI>')],
    ['PrvtId beside OrgId', behind('Nm', '<Id><OrgId/>§<PrvtId/></Id>')],
  ])('%s', async (_, text) => {
    const { content, at } = marked(text);
    for (const size of [1, 65_536]) {
      const { facts } = await refusal(content, { size });
      expect([facts.code, facts.message]).toEqual(['repeated_element', expect.stringContaining(`${at}has `)]);
    }
  });

  it.each([
    ['lines of an address', behind('Nm', '<PstlAdr><AdrLine>a</AdrLine><AdrLine>b</AdrLine></PstlAdr>')],
    [
      'identifications of an organization',
      behind('Nm', '<Id><PrvtId><Othr><Id>1</Id></Othr><Othr><Id>2</Id></Othr></PrvtId></Id>'),
    ],
    ['reports to an authority', behind('CdtrAcct', '<RgltryRptg><Dtls/><Dtls/></RgltryRptg><RgltryRptg/>')],
    ['taxes', behind('CdtrAcct', '<Tax><Rcrd/><Rcrd/></Tax>')],
    ['invoices', behind('CdtrAcct', '<RmtInf><Strd><RfrdDocInf/><RfrdDocInf/></Strd><Strd/></RmtInf>')],
  ])('but %s, of which the standard allows several', async (_, content) => {
    expect(await accountsIn(content)).toEqual(['0123456700']);
  });

  it('of several texts for the payee none is lost', async () => {
    const { payments } = await check(
      behind('CdtrAcct', '<RmtInf><Ustrd>invoice 7</Ustrd><Ustrd>and 8</Ustrd></RmtInf>'),
      options,
    );
    expect(payments[0]?.body.metadata).toEqual({ remittance: 'invoice 7 and 8' });
  });

  it.each([
    behind('PmtInf', '§<CdtTrfTxInf><PmtId/></CdtTrfTxInf>'),
    behind('Cdtr', '§<CdtTrfTxInf><PmtId/></CdtTrfTxInf>'),
    behind('CdtrAcct', '<Purp>§<PmtInf/></Purp>'),
    behind('CstmrCdtTrfInitn', '§<CstmrCdtTrfInitnX/>'),
  ])('a payment in a wrong place is not passed over: %#', async (text) => {
    const { content, at } = marked(text);
    const { facts } = await refusal(content);
    expect([facts.code, facts.message]).toEqual(['misplaced_element', expect.stringContaining(`${at}has `)]);
  });
});

describe('a text beside elements is refused', () => {
  it.each([
    ['before them', swap('<Othr>', '\n §0123456719 <Othr>')],
    ['behind them', swap('</Othr>', '</Othr>§0123456719')],
    ['in CDATA', swap('<Othr>', '§<![CDATA[0123456719]]><Othr>')],
    ['around transfers', swap('<CdtTrfTxInf>', '§x<CdtTrfTxInf>')],
    ['in the document', swap('</CstmrCdtTrfInitn>', '</CstmrCdtTrfInitn>\r\n§x')],
    ['within a text', swap('Ada Obi', '§Ada<b/> Obi')],
    ['a blank that is none for XML', swap('<Othr>', '§\u00a0<Othr>')],
  ])('%s', async (_, text) => {
    const { content, at } = marked(text);
    for (const size of [1, 65_536]) {
      const { facts } = await refusal(content, { size });
      expect([facts.code, facts.message]).toEqual([
        'stray_text',
        expect.stringContaining(`${at}has a text beside`),
      ]);
    }
  });

  it('comments and blanks are none', async () => {
    const made = good.replaceAll('><', '> \t<!-- x --><?x y?>\n<').replace('01234', '01<!-- x -->234');
    expect(await accountsIn(made)).toEqual(['0123456700']);
  });
});

describe('ReqdExctnDt', () => {
  const asking = (text: string): string => good.replace('<Dt>2026-10-31</Dt>', text);
  /** The moments that were heard of, as the file was read, and what was said. */
  const heard = async (text: string, over: Parameters<typeof accountsIn>[1] = {}) => {
    const at: number[] = [];
    const notes = new Set<string>();
    const accounts = await accountsIn(text, {
      onLater: (moment) => at.push(moment),
      note: (words) => words.startsWith('the file asks') && notes.add(words),
      ...over,
    });
    expect(accounts.length).toBeGreaterThan(0);
    return { at: at.map((one) => new Date(one).toISOString()), notes: [...notes].join() };
  };
  it.each([
    ['<Dt>2026-11-01</Dt>', '2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['<Dt>2027-01-01+01:00</Dt>', '2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2026-11-01', '2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['<DtTm>2026-11-01T09:15:00</DtTm>', '2026-11-01', '2026-11-01T09:15:00.000Z'],
    ['<DtTm>2026-11-01T00:30:00Z</DtTm>', '2026-11-01', '2026-11-01T00:30:00.000Z'],
    ['<DtTm>2026-10-31T23:30:00-01:00</DtTm>', '2026-11-01', '2026-11-01T00:30:00.000Z'],
    ['<DtTm>2026-10-31T23:59:59</DtTm>', '2026-10-31', '2026-10-31T23:59:59.000Z'],
  ])('%s is later: the file is paid no earlier, and with --pay-now when it is run', async (text, day, at) => {
    expect(await heard(asking(text))).toEqual({
      at: [at],
      notes: `the file asks to be paid on ${day} (ReqdExctnDt): nothing of it is sent before`,
    });
    const now = await heard(asking(text), { payNow: true });
    expect(now.at).toEqual([]);
    expect(now.notes).toContain('the file asks for a later day (ReqdExctnDt)');
  });

  it.each([
    '<Dt>2026-10-31</Dt>',
    '2020-02-29',
    '<DtTm>2026-10-30T23:59:59</DtTm>',
    '<DtTm>2026-10-31T00:30:00+01:00</DtTm>',
  ])('%s is today or before', async (text) => {
    expect(await heard(asking(text))).toEqual({ at: [], notes: '' });
  });

  it.each([
    '',
    '<Dt/>',
    '<Dt>2026-02-30</Dt>',
    '31.10.2026',
    '<DtTm>2026-10-31T25:00:00Z</DtTm>',
    '<Dt>2026-10-31T00:00</Dt>',
  ])('%j is no day, with --pay-now too', async (text) => {
    for (const payNow of [false, true])
      expect((await refusal(asking(text), { payNow })).facts.code).toBe('execution_day');
  });

  it('a day begins in the zone', async () => {
    const late = { now: Date.UTC(2026, 9, 31, 23, 30), zone: 'Europe/Berlin' };
    expect((await heard(asking('<Dt>2026-11-01</Dt>'), { clock: late })).at).toEqual([]);
    const there = { ...clock, now: Date.UTC(2026, 9, 31, 1), zone: 'America/Lima' };
    expect((await heard(good, { clock: there })).at).toEqual(['2026-10-31T05:00:00.000Z']);
    expect(momentAsked('2026-11-01T08:30:00', 'America/Lima')).toBe(Date.UTC(2026, 10, 1, 13, 30));
  });

  it('two payments of one file ask for one day, or the file is refused', async () => {
    const second = good
      .slice(good.indexOf('<PmtInf>'), good.indexOf('</CstmrCdtTrfInitn>'))
      .replace('0123456700', '0123456719')
      .replace('inv-1', 'inv-2');
    const made = (first: string, then: string): string =>
      good
        .replace('2026-10-31', first)
        .replace('</CstmrCdtTrfInitn>', `${second.replace('2026-10-31', then)}</CstmrCdtTrfInitn>`)
        .replace('<NbOfTxs>1', '<NbOfTxs>2')
        .replace('<CtrlSum>1500', '<CtrlSum>3000');
    for (const [first, then] of [
      ['2026-10-31', '2026-12-24'],
      ['2026-12-24', '2026-10-01'],
    ] as const)
      expect((await refusal(made(first, then))).facts).toMatchObject({
        code: 'two_days',
        message: expect.stringContaining('line 14, column 51 asks to be paid on '),
      });
    expect((await heard(made('2026-12-24', '2026-12-24'))).at).toEqual(['2026-12-24T00:00:00.000Z']);
    expect((await heard(made('2026-10-01', '2026-10-31'))).at).toEqual([]);
    expect((await heard(made('2026-12-24', '2026-12-25'), { payNow: true })).at).toEqual([]);
  });
});

describe('UltmtCdtr', () => {
  const named = (ultimate: string, own = ''): string =>
    behind('CdtrAcct', `<UltmtCdtr>${ultimate}</UltmtCdtr>`).replace('</Nm>', `</Nm>${own}`);
  const id = (text: string): string => `<Id><PrvtId><Othr><Id>${text}</Id></Othr></PrvtId></Id>`;
  const home = (city: string): string => `<PstlAdr><TwnNm>${city}</TwnNm></PstlAdr>`;
  it.each([
    ['another name', named('<Nm>Chidi Eze</Nm>')],
    ['an identification alone', named(id('7'))],
    ['another identification', named(`<Nm>Ada Obi</Nm>${id('7')}`, id('8'))],
    ['one more identification', named(`<Nm>Ada Obi</Nm>${id('7')}`, '<Id><OrgId><LEI>x</LEI></OrgId></Id>')],
    ['an address elsewhere', named(`<Nm>Ada Obi</Nm>${home('Abuja')}`, home('Lagos'))],
    ['an address alone', named(home('Lagos'), home('Lagos'))],
  ])('%s is a fault of the row', async (_, content) => {
    const { payments, faults } = await check(content, options);
    expect(payments).toEqual([]);
    expect(faults).toMatchObject([{ row: 1, at: 'CdtTrfTxInf 1', column: 'name', code: 'other_payee' }]);
  });

  it.each([
    ['the same name', named('<Nm>ADA  OBI</Nm>')],
    ['the same identification', named(id('7'), id('7'))],
    ['an address besides', named(`<Nm>Ada Obi</Nm>${home('Lagos')}`)],
    ['nobody', named('')],
  ])('%s is the payee', async (_, content) => {
    expect(await accountsIn(content)).toEqual(['0123456700']);
  });
});

it.each(['<InstdAmt>', '<InstdAmt Ccy="">', '<InstdAmt xmlns:o="urn:o" o:Ccy="NGN">'])(
  '%s has no currency, which no flag stands for',
  async (begin) => {
    const defaults = { ...options.defaults, type: 'NGN::Bank', currency: 'NGN' };
    const { payments, faults } = await check(swap('<InstdAmt Ccy="NGN">', begin), { ...options, defaults });
    expect(payments).toEqual([]);
    expect(faults).toMatchObject([{ row: 1, column: 'currency', code: 'missing' }]);
  },
);

describe('versions', () => {
  it.each(['03', '09', '10', '11', '12'])('.%s is read', async (version) => {
    expect(await accountsIn(good.replace(`${NAMESPACE}09`, NAMESPACE + version))).toEqual(['0123456700']);
  });
  it.each(['02', '08', '13', '9', '091'])('.%s is not', async (version) => {
    const { facts } = await refusal(swap(`${NAMESPACE}09`, NAMESPACE + version));
    expect(facts).toMatchObject({ code: 'not_pain', message: expect.stringContaining('.09 to .12') });
  });
});

describe('why XML cannot be read is said, with line and column', () => {
  it.each([
    [swap('Ada Obi', 'Ada §& Obi'), 'has an & that begins no entity of XML'],
    [swap('Ada Obi', '§&Obi;'), 'has an & that begins no entity of XML'],
    [swap('Ada Obi', 'Ada\r\n&amp; 𝒜§&#x; Obi'), 'has an & that begins no entity of XML'],
    [swap('"NGN"', '"N§&GN"'), 'has an & that begins no entity of XML'],
    [swap('Ada Obi', `Ada §& ${'Obi '.repeat(600_000)}`), 'has an & that begins no entity of XML'],
    [swap('Ada Obi', 'Ada <§ Obi'), 'has a < that begins no element'],
    [swap('</Cdtr>', '</Cdt§>'), 'ends an element that is not the last one begun'],
    [`${good.slice(0, -22)}§r`, 'is the end of the file, and elements are not closed yet'],
    [swap('Ccy="NGN"', 'Ccy=§NGN'), 'has an attribute that is not written as name="value"'],
    [swap('Ccy="NGN"', 'Ccy="NGN" Ccy="EUR"§'), 'has an attribute twice'],
    [swap('<Cdtr>', '<p:Cdtr§>'), 'has a prefix that no xmlns explains'],
    [`${good}<x§/>`, 'has something beside the outermost element'],
    [swap('Ada Obi', 'Ada§\u0001Obi'), 'has a character that XML does not allow there'],
    [swap('Ada Obi', 'Ada]]§>Obi'), 'has ]]> in a text'],
    [swap('<Cdtr>', '<!-- a --§ b --><Cdtr>'), 'has a comment with -- within it'],
    [` ${good.replace('<?xml', '<?xml§')}`, 'has an XML declaration in a wrong place'],
    ['<!-- x --§>', 'is the end of the file, and it has no element'],
  ])('%#', async (text, words) => {
    const { content, at } = marked(text);
    for (const size of content.length > 9_999 ? [65_536] : [1, 65_536]) {
      const { facts } = await refusal(content, { size });
      expect(facts.code).toBe('not_xml');
      expect(facts.message).toContain(at + words);
      // The words of the library have the names and the texts of the file.
      expect(facts.message).not.toMatch(/Obi|EUR/);
    }
  });
});

it('what is more than a transfer can have is refused, and nothing of it is dropped', async () => {
  const many = Array.from({ length: 150 }, (_, i) => `<x${i}>1</x${i}>`).join('');
  const { facts } = await refusal(
    behind('Nm', many).replace('</CdtrAcct>', `</CdtrAcct><UltmtCdtr>${many}</UltmtCdtr>`),
  );
  expect(facts.code).toBe('too_long');
});
