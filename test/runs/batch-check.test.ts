/** `remit batch check` and `remit batch template`: what is printed where, and how it ends. */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corridorTypes } from '../../src/contract/corridors/index.ts';
import { fileBytes } from '../../src/tables/open.ts';
import { noAccount, only, type Run, senderFlags, useBench, words } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { csvOf, HEADER, payRow } from '../support/payrun-files.ts';

const bench = useBench({ sender: true });
const write = (content: string | Uint8Array, name = 'wages.csv'): string => {
  writeFileSync(join(bench.dir, name), content);
  return name;
};
const check = (content: string | Uint8Array, ...rest: string[]): Promise<Run> =>
  bench.run(['batch', 'check', write(content), ...rest]);
const paths = ({ requests }: Run): string[] => requests.map(({ method, path }) => `${method} ${path}`);

describe('remit batch check', () => {
  it('a file that is right ends with 0 and its totals, and the sender is looked up once', async () => {
    const rows = [payRow('e1'), payRow('e2', { amount: '1200.50' }), payRow('e3', { amount: '20000' })];
    const run = await check(csvOf(...rows));
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toBe(
      '1200.50 NGN will be paid as 1201 NGN: NGN is paid in whole units, rounded up\n3 payments: 46,201 NGN, paid in EUR\n',
    );
    expect(paths(run)).toEqual(['GET /senders']);
  });

  it('totals name each pair of currencies', async () => {
    const content = `key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account,mobile_provider,phone_number,transfer_reason,gender
e1,NGN::Bank,45000,EUR,customer-1,Ada,Obi,044,0123456700,,,,
e2,GHS::Mobile,20.50,EUR,customer-1,Ada,Obi,,,mtn,+233302123400,personal_account,F
e3,NGN::Bank,5,GBP,customer-1,Ada,Obi,044,0123456701,,,,
`;
    const run = await check(content, '--offline');
    expect(run).toMatchObject({ code: 0, requests: [] });
    expect(run.stderr).toBe('3 payments: 45,000 NGN and 20.50 GHS, paid in EUR; 5 NGN, paid in GBP\n');
  });

  it.each([
    ['450.000', [], 5],
    ['450.000', ['--decimal-comma'], 5],
    ['"450,000"', ['--decimal-comma'], 5],
    ['"450,00"', ['--decimal-comma'], 0],
    ['450.00', [], 0],
  ])('a thousand is not taken for one: %s with %j ends with %i', async (amount, flags, code) => {
    const run = await check(csvOf(payRow('e1', { amount })), '--offline', ...flags);
    expect(run.code, run.stdout).toBe(code);
    if (code === 0) expect(run.stderr).toContain('1 payment: 450 NGN');
  });

  it('what a program wrote has one decimal point', async () => {
    const row = {
      ...{ key: 'e1', type: 'NGN::Bank', input_currency: 'EUR', sender: 'customer-1', first_name: 'Ada' },
      ...{ last_name: 'Obi', bank_code: '044', bank_account: '0123456700' },
    };
    const text = JSON.stringify([{ ...row, amount: 1 }]).replace('"amount":1', '"amount":450.000');
    const run = await check(text, '--offline', '--format', 'json');
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('1 payment: 450 NGN')]);
  });

  it('faults are a list, in every format, and it ends with 5', async () => {
    const content = csvOf(payRow('e1', { code: '44' }), payRow('e2', { amount: '"25,000"' }));
    const table = await check(content, '-o', 'table', '--offline');
    expect(table.code).toBe(5);
    expect(table.stdout).toMatch(/1 +line 2 +bank_code .*did you mean 044\?/);
    expect(table.stderr).toContain('2 faults in 2 rows; nothing was kept, and nothing was sent');
    const json = await check(content, '-o', 'json', '--offline');
    expect(json.data()).toEqual([
      {
        row: 1,
        at: 'line 2',
        column: 'bank_code',
        code: 'not_a_choice',
        words: 'is not one of the 47 choices',
        right: 'did you mean 044?',
      },
      {
        row: 2,
        at: 'line 3',
        column: 'amount',
        code: 'unclear',
        words: 'can be read in two ways: three digits after one mark',
        right: 'write 25 or 25000',
      },
    ]);
    for (const format of ['text', 'csv', 'ndjson', 'yaml']) {
      const run = await check(content, '-o', format, '--offline');
      expect(run.code).toBe(5);
      expect(run.stdout).toContain('did you mean 044?');
    }
  });

  it('reads standard input, and what the flags say for the whole file', async () => {
    const stdin =
      'Employee;Amount;first_name;last_name;bank_code;Account\ne1;1250,50;Ada;Obi;044;0123456700\n';
    const flags = words('--map key=Employee --map bank_account=Account --decimal-comma --type NGN::Bank');
    const more = ['--input-currency', 'EUR', '--sender', 'customer-1'];
    const run = await bench.run(['batch', 'check', '-', ...flags, ...more], { stdin });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('1 payment: 1,251 NGN, paid in EUR');
  });

  it('a sender that is not there, or cannot send, is a fault of its rows', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-2')]);
    await bench.run(['sender', 'disable', 'customer-2', '--yes']);
    const rows = [
      payRow('e1'),
      payRow('e2', { amount: '1' }).replace('customer-1', 'nobody'),
      payRow('e3', { amount: '2' }).replace('customer-1', 'customer-2'),
    ];
    const run = await check(
      csvOf(...rows, payRow('e4', { amount: '3' }).replace('customer-1', 'nobody')),
      '-o',
      'json',
    );
    expect(run.code).toBe(5);
    expect(run.data()).toMatchObject([
      { row: 2, column: 'sender', code: 'no_sender', words: 'is no id and no external id of a sender' },
      { row: 3, column: 'sender', words: 'is disabled: switched off by a delete request' },
      { row: 4, column: 'sender' },
    ]);
    expect(paths(run).filter((path) => path === 'GET /senders')).toHaveLength(3);
  });

  const pain = (
    more: string,
  ): string => `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><PmtInf>${more}
<CdtTrfTxInf><PmtId><EndToEndId>e1</EndToEndId></PmtId><Amt><InstdAmt Ccy="NGN">25000</InstdAmt></Amt>
<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>044</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>
<Cdtr><Nm>Ada Obi</Nm></Cdtr><CdtrAcct><Id><Othr><Id>0123456700</Id></Othr></Id></CdtrAcct></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`;
  const ofFile = ['--input-currency', 'EUR', '--sender', 'customer-1'];
  /** Days from now, in the zone of the desk. */
  const dayIn = (days: number, timeZone = 'UTC'): string =>
    new Intl.DateTimeFormat('en-CA', { timeZone }).format(machine.now() + days * 86_400_000);
  const asking = (days: number, timeZone?: string): string =>
    pain(`<ReqdExctnDt><Dt>${dayIn(days, timeZone)}</Dt></ReqdExctnDt>`);

  it.each([
    ['check', []],
    ['plan', ['--name', 'wages', '--max-input', 'EUR=100']],
  ] as const)(
    'batch %s takes a pain.001 of a later day for that day, and with --pay-now at once',
    async (command, more) => {
      const file = write(asking(1), 'wages.xml');
      const run = await bench.run(['batch', command, file, ...ofFile, ...more]);
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain(
        `the file asks to be paid on ${dayIn(1)} (ReqdExctnDt): nothing of it is sent before`,
      );
      if (command === 'plan') {
        expect(run.stderr).toContain(`not before ${dayIn(1)} 00:00 UTC`);
        await bench.run(['batch', 'cancel', 'wages']);
      }
      const other = command === 'plan' ? ['--name', 'now', '--max-input', 'EUR=100'] : [];
      const taken = await bench.run(['batch', command, file, ...ofFile, ...other, '--pay-now']);
      expect(taken.stderr).not.toContain('not before');
      expect(taken.code, taken.stderr).toBe(0);
      expect(taken.stderr).toContain('the file asks for a later day');
      expect(
        (
          await bench.run([
            'batch',
            command,
            write(asking(0), 'now.xml'),
            ...ofFile,
            ...more,
            ...(command === 'plan' ? ['--name', 'today', '--repeat', 'now'] : []),
          ])
        ).code,
      ).toBe(0);
    },
  );

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('today is that of the zone %s', async (TZ) => {
    for (const [days, isLater] of [
      [0, false],
      [1, true],
    ] as const) {
      const file = write(asking(days, TZ), 'wages.xml');
      const run = await bench.run(['batch', 'check', file, '--offline', ...ofFile], { env: { TZ } });
      expect([run.code, run.stderr.includes('asks to be paid on')]).toEqual([0, isLater]);
    }
  });

  it('a second account in a pain.001 is refused with its line and column', async () => {
    const second = pain('').replace(
      '</CdtrAcct>',
      '</CdtrAcct>\n<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>',
    );
    const run = await bench.run(['batch', 'check', write(second, 'wages.xml'), '--offline', ...ofFile]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('wages.xml: line 5, column 1 has CdtrAcct a second time in one CdtTrfTxInf');
    expect(run.stderr).not.toContain('DE89');
  });

  it('a payee who is not the last one, and a hidden character, are faults of their rows', async () => {
    const other = pain('').replace('</CdtrAcct>', '</CdtrAcct><UltmtCdtr><Nm>Chidi Eze</Nm></UltmtCdtr>');
    const run = await bench.run([
      'batch',
      'check',
      write(other, 'wages.xml'),
      '--offline',
      '-o',
      'json',
      ...ofFile,
    ]);
    expect(run.code).toBe(5);
    expect(run.data()).toMatchObject([{ row: 1, at: 'CdtTrfTxInf 1', column: 'name', code: 'other_payee' }]);
    expect(run.stdout).not.toMatch(/Chidi|Eze/);
    const hidden = await check(csvOf(payRow('e1').replace('Ada', 'A\u202eda')), '--offline', '-o', 'json');
    expect(hidden.code).toBe(5);
    expect(hidden.data()).toMatchObject([{ row: 1, column: 'first_name', code: 'unseen_character' }]);
  });

  it('--allow-duplicates takes what is there twice', async () => {
    const content = csvOf(payRow('e1'), payRow('e2'));
    const run = await check(content);
    expect(run).toMatchObject({ code: 5 });
    expect(run.stderr).toContain('--allow-duplicates');
    expect((await check(content, '--allow-duplicates')).code).toBe(0);
  });

  it('missing columns are said once, with the flags that stand for them', async () => {
    const run = await check('amount,first_name\n5,Ada\n');
    expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain('wages.csv has no column key, type, input_currency, sender');
    expect(run.stderr).toContain('--map key=NAME; for the whole file: --type, --input-currency, --sender');
  });

  it.each([
    [Buffer.from(csvOf(payRow('e1')), 'utf16le'), 'reads as UTF-16'],
    ['', 'is empty'],
    [`${HEADER}\n`, 'has a header and no rows'],
    [csvOf(`"${payRow('e1')}`), 'never closed'],
  ])('a file that cannot be read ends with 2', async (content, words) => {
    const run = await check(content);
    expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain(words);
    expect(run.stderr).toContain('nothing was sent');
  });

  it('a file that is not there, or is a folder', async () => {
    expect((await bench.run('batch check nowhere.csv')).code).toBe(2);
    const folder = await bench.run('batch check .');
    expect(folder).toMatchObject({ code: 2 });
    expect(folder.stderr).toContain('. is a folder, not a file');
    expect((await bench.run('batch check')).code).toBe(2);
  });

  it('a file that changes while it is read is refused', async () => {
    const path = join(bench.dir, write(csvOf(payRow('e1'))));
    const read = async (change: () => void): Promise<void> => {
      for await (const _ of fileBytes(path, 'wages.csv')) change();
    };
    await read(() => {});
    await expect(read(() => writeFileSync(path, csvOf(payRow('e2'), payRow('e3'))))).rejects.toThrow(
      'changed while it was read',
    );
    const { atime, mtime } = statSync(path);
    await expect(read(() => utimesSync(path, atime, new Date(mtime.getTime() + 1)))).rejects.toThrow(
      'changed',
    );
  });
});

describe('--check-accounts', () => {
  const asked = (run: Run): number =>
    paths(run).filter((path) => path === 'POST /account_validations').length;
  const rows = csvOf(
    payRow('e1'),
    payRow('e2', { account: '0123456701' }),
    payRow('e3', { account: '9123456700' }),
  );

  it('an account that is not found is a fault; what was found right is not asked for again', async () => {
    await bench.run(['sandbox', 'settings', 'holder_name=ADA OBI']);
    const first = await check(rows, '--check-accounts', '-o', 'json');
    expect(first.code).toBe(5);
    expect(first.data()).toMatchObject([{ row: 3, code: 'unknown_account' }]);
    expect(asked(first)).toBe(3);
    const second = await check(rows, '--check-accounts', '-o', 'json');
    expect(second.code).toBe(5);
    expect(asked(second)).toBe(1);
    expect(readFileSync(join(bench.dir, 'accounts-checked.json'), 'utf8')).not.toMatch(/01234|ADA|Obi/i);
  });

  it('a name that differs is said beside that of the file, and stops nothing', async () => {
    await bench.run(['sandbox', 'settings', 'holder_name=EVE DOE']);
    const run = await check(csvOf(payRow('e1')), '--check-accounts');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      'row 1 (line 2): the account is in the name of EVE DOE, which does not read as Ada Obi',
    );
  });

  it('an outage is said once, and after five nobody is asked any more', async () => {
    bench.intercept(
      only(
        ({ url }) => url.endsWith('/account_validations'),
        async () => ({
          status: 422,
          headers: {},
          body: '{"object":{},"meta":{"error":"Account validation failed"}}',
        }),
      ),
    );
    const many = Array.from({ length: 30 }, (_, i) => payRow(`e${i}`, { amount: `${100 + i}` }));
    const run = await check(csvOf(...many), '--check-accounts');
    bench.restore();
    expect(run.code).toBe(0);
    expect(run.stderr.match(/could not be asked/g)).toHaveLength(1);
    expect(run.stderr).toContain('30 accounts were not checked');
    expect(asked(run)).toBeLessThan(9);
  });

  it('does not go with --offline', async () => {
    expect((await check(rows, '--check-accounts', '--offline')).code).toBe(2);
  });
});

describe('remit batch template', () => {
  it.each(['csv', 'ndjson', 'json', 'yaml'])('of every type passes the check: %s', async (format) => {
    await bench.run(['sender', 'create', ...senderFlags('customer-17')]);
    const types = corridorTypes.map(({ type }) => type);
    const made = await bench.run(['batch', 'template', ...types, '-o', format], { env: noAccount });
    expect(made).toMatchObject({ code: 0, stderr: '', requests: [] });
    write(made.stdout, `a.${format}`);
    const run = await bench.run(['batch', 'check', `a.${format}`, '-o', 'json']);
    expect(run.data()).toEqual([]);
    expect(run).toMatchObject({ code: 0 });
  });

  it('has what is needed first, and survives a spreadsheet', async () => {
    const made = await bench.run('batch template NGN::Bank');
    expect(made.stdout.split('\n')[0]).toBe(
      'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account,recipient_type,middle_name,bank_account_type,street,email,name',
    );
    const marked = await bench.run('batch template NGN::Bank -o csv --spreadsheet');
    expect(marked.stdout).toContain("'0123456700");
    expect((await check(marked.stdout, '--offline')).code).toBe(0);
  });

  it('--choices writes all choices to a new file', async () => {
    const run = await bench.run('batch template NGN::Bank GHS::Mobile --choices choices.csv');
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^choices.csv has \d+ choices\n$/);
    const lines = readFileSync(join(bench.dir, 'choices.csv'), 'utf8').split('\n');
    expect(lines[0]).toBe('column,code,label,type');
    expect(lines).toContain('bank_code,044,Access Bank,NGN::Bank');
    expect(lines).toContain('mobile_provider,mtn,MTN,GHS::Mobile');
    expect((await bench.run('batch template NGN::Bank --choices choices.csv')).code).toBe(2);
  });

  it('a type that there is not is named with what may be meant', async () => {
    const run = await bench.run('batch template NGN::Bnak');
    expect(run).toMatchObject({ code: 6, stdout: '' });
    expect(run.stderr).toContain('did you mean NGN::Bank?');
  });
});
