/** What the examples of the help name: files beside it, and profiles that are signed in. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedHeaders } from '../../src/contract/signing.ts';
import { writeDeliveryFile } from '../../src/webhooks/intake/delivery-file.ts';
import { type Bench, baseUrl, credentials, person } from './cli.ts';

const payment = (externalId: string): string =>
  JSON.stringify({
    input_currency: 'EUR',
    external_id: externalId,
    sender: { external_id: 'customer-17' },
    recipients: [
      {
        requested_amount: '25000',
        requested_currency: 'NGN',
        payout_method: { type: 'NGN::Bank', details },
      },
    ],
  });

const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };
const delivery = JSON.stringify({ webhook: 'w-1', event: 'recipient.error', object: { id: 'r-1' } });
const hook = {
  nonce: '5b1d0c2e-3a44-4f6e-9c58-0f2a7d9e6b11',
  method: 'POST',
  url: 'https://example.com/hooks',
};

const savedDelivery = (): string =>
  writeDeliveryFile({
    id: 'd-1',
    receivedAt: Date.UTC(2026, 0, 5),
    url: hook.url,
    method: 'POST',
    target: '/hooks',
    headers: Object.entries(signedHeaders(credentials, { ...hook, body: delivery })),
    body: Buffer.from(delivery),
  });

const yaml = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

const scenario = 'pay a number=0123456719 amount=100 EUR\nexpect a state=received recipient=error code=416\n';

export const wages = `key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account
E-1001,NGN::Bank,25500,EUR,customer-17,Ada,Obi,044,0123456700
E-1007,NGN::Bank,18500,EUR,customer-17,Chidi,Eze,058,0123456800
`;

const EXPORT = `sep=;
Wages November 2026
Employee;Payee;Bank;Account;Net
E-1001;Obi, Ada;044;0123456700;25000
E-1007;Eze, Chidi;058;0123456800;18500
Total;;;;43500
`;
/** The mapping with which export.csv is read, as the example of `batch map save` keeps it. */
const mapping = [
  ...['key=Employee', 'name=Payee', 'bank_code=Bank', 'bank_account=Account', 'amount=Net'],
].flatMap((one) => ['--map', one]);
const shape = [
  ...[
    '--split-name',
    'last-first',
    '--type',
    'NGN::Bank',
    '--input-currency',
    'EUR',
    '--sender',
    'customer-17',
  ],
];

const suppliers = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-11-20T09:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>31000</CtrlSum></GrpHdr>
<PmtInf><PmtInfId>P-1</PmtInfId><PmtMtd>TRF</PmtMtd><CdtTrfTxInf><PmtId><EndToEndId>INV-77</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="NGN">31000</InstdAmt></Amt><CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>044</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>
<Cdtr><Nm>Ngozi Bello</Nm></Cdtr><CdtrAcct><Id><Othr><Id>0123456900</Id></Othr></Id></CdtrAcct></CdtTrfTxInf></PmtInf>
</CstmrCdtTrfInitn></Document>
`;

export const ledger = `external_id,date,amount,currency
paid-1,2026-01-05,14.99,EUR
wages-1,2026-01-05,14.99,EUR
`;

const bank = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S-1</Id>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">35.01</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="EUR">14.99</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-06</Dt></BookgDt>
<NtryDtls><TxDtls><Refs><EndToEndId>paid-1</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt>
<NtryDtls><TxDtls><RmtInf><Ustrd>OFFICE RENT JANUARY</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>
`;

const rules = `counterparties:
  - { name: rent, text: office rent, kind: expense }
tolerances:
  EUR: 2.00
bundles: { rows: 20, days: 3 }
`;

export function writeExampleFiles(dir: string): void {
  const files: Readonly<Record<string, string>> = {
    'accounts.yaml': yaml({
      ...{ balance: 'Assets:Remit:{currency}', payout: 'Expenses:Payouts:{currency}' },
      ...{ conversion: 'Equity:Conversion:{currency}', margin: 'Expenses:Margin', top_up: 'Assets:Bank' },
    }),
    'xero-bank.yaml': readFileSync(new URL('../../docs/examples/xero-bank.yaml', import.meta.url), 'utf8'),
    'payment.yaml': payment('from-a-file'),
    'sender.yaml': yaml({ ...person, external_id: 'customer-18' }),
    'method.yaml': JSON.stringify({ type: 'NGN::Bank', details }),
    'body.json': delivery,
    'delivery.json': savedDelivery(),
    'headers.json': JSON.stringify(signedHeaders(credentials, { ...hook, body: delivery })),
    'secret.txt': `${credentials.secret}\n`,
    'mine.txt': scenario,
    'wages.csv': wages,
    'suppliers.xml': suppliers,
    'ledger.csv': ledger,
    'bank.xml': bank,
    'decided.csv': 'case,decision,note\n81424fdc0084295e,accept,booked by hand\n',
    'rules.yaml': rules,
    'november.csv': wages.replace('bank_account', 'Account'),
    'export.csv': EXPORT,
    'package.json': '{"scripts":{"test":"node -e 0"}}',
    'tests.sh': '#!/bin/sh\nexit 0\n',
    'pay.mjs': '',
    'pay.py': '',
    pay: '#!/bin/sh\nexit 0\n',
    'approvers.txt':
      'ada ed25519 OL5yAt1/Db8Udt5dCeqvvSha8ZK60mnXtiohl9ajkJ4=\ngrace ed25519 rMlxwOqTylqS7M+nouAvpGIT/KJKd5D6X9/pL/LKl/w=\n',
    'passphrase.txt': 'made-up words for an example\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  for (const name of ['tests.sh', 'pay']) chmodSync(join(dir, name), 0o755);
  chmodSync(join(dir, 'passphrase.txt'), 0o600);
}

/** The profiles `live` and `audit`, and the mapping `payroll`. */
export async function signIn(bench: Bench): Promise<void> {
  for (const name of ['live', 'audit']) {
    const run = await bench.run(
      [
        ...['login', '--profile', name, '--base-url', baseUrl, '--key', credentials.key],
        ...['--secret-stdin', '--no-keychain'],
      ],
      { stdin: credentials.secret },
    );
    if (run.code !== 0) throw new Error(`signing in: ${run.stderr}`);
  }
  const kept = await bench.run(['batch', 'map', 'save', 'payroll', ...mapping, ...shape]);
  if (kept.code !== 0) throw new Error(`keeping a mapping: ${kept.stderr}`);
}
