/** `remit batch map` and `--mapping`: how the files of one program are read is kept, and said. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, credentials, type Run, useBench } from '../support/cli.ts';
import { csvOf, payRow } from '../support/payrun-files.ts';

const bench = useBench({ sender: true });
const write = (content: string, name: string): string => {
  writeFileSync(join(bench.dir, name), content);
  return name;
};
const remit = (...argv: string[]): Promise<Run> => bench.run(argv);
const columns = ['key=Nr', 'amount=Betrag', 'name=Name', 'bank_code=Bank', 'bank_account=Konto'].flatMap(
  (one) => ['--map', one],
);
const common = ['--type', 'NGN::Bank', '--input-currency', 'EUR', '--sender', 'customer-1'];
const save = (...more: string[]): Promise<Run> =>
  remit(
    'batch',
    'map',
    'save',
    'lohn',
    ...columns,
    '--split-name',
    'last-first',
    '--decimal-comma',
    ...common,
    ...more,
  );
const EXPORT = `sep=;
Lohn November 2026
Nr;Name;Bank;Konto;Betrag
e1;"Obi, Ada";044;0123456700;25000
# geprüft
e2;Okoro Ben;044;0123456701;20000,00

Summe;;;;45.000,00
`;
const settings = (): { mappings?: Record<string, unknown> } =>
  JSON.parse(readFileSync(join(bench.dir, 'config.json'), 'utf8'));

describe('a mapping', () => {
  it('is kept, listed, shown and deleted, without the service', async () => {
    const empty = await remit('batch', 'map', '-o', 'json');
    expect([empty.code, empty.data()]).toEqual([0, []]);
    const saved = await save('-o', 'json');
    expect([saved.code, saved.requests]).toEqual([0, []]);
    const kept = {
      name: 'lohn',
      columns: [
        { column: 'key', header: 'Nr' },
        { column: 'amount', header: 'Betrag' },
        { column: 'name', header: 'Name' },
        { column: 'bank_code', header: 'Bank' },
        { column: 'bank_account', header: 'Konto' },
      ],
      ...{ split_name: 'last-first', decimal_comma: true },
      where_empty: [
        { column: 'type', value: 'NGN::Bank' },
        { column: 'input_currency', value: 'EUR' },
        { column: 'sender', value: 'customer-1' },
      ],
    };
    expect(saved.data()).toEqual(kept);
    expect((await remit('batch', 'map', 'list', '-o', 'json')).data()).toEqual([kept]);
    expect((await remit('batch', 'map', 'show', 'lohn', '-o', 'json')).data()).toEqual(kept);
    const shown = await remit('batch', 'map', 'show', 'lohn', '-o', 'table');
    expect(shown.stdout).toMatch(/bank_account +Konto/);
    const deleted = await remit('batch', 'map', 'delete', 'lohn', '-o', 'json');
    expect([deleted.code, deleted.data(), settings().mappings]).toEqual([0, kept, undefined]);
    expect((await remit('batch', 'map', 'delete', 'lohn')).code).toBe(6);
  });

  it('is replaced only by force, and what changes is said', async () => {
    await save();
    expect(await save()).toMatchObject({ code: 0, stderr: expect.stringContaining('it was so before') });
    const other = ['batch', 'map', 'save', 'lohn', '--map', 'key=Nummer'];
    const refused = await remit(...other);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('key: Nr → Nummer') });
    expect(refused.stderr).toContain('--force');
    expect(settings().mappings).toMatchObject({ lohn: { map: { key: 'Nr' } } });
    const forced = await remit(...other, '--force');
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining('key: Nr → Nummer') });
    expect(forced.stderr).toContain('name divided: last-first → nothing');
    expect(settings().mappings).toEqual({ lohn: { map: { key: 'Nummer' } } });
  });

  it.each([
    [['save'], 'needs a name'],
    [['save', '__proto__', '--map', 'key=Nr'], 'is no name for a mapping'],
    [['save', 'lohn'], 'this one says nothing'],
    [['save', 'lohn', '--map', 'kye=Nr', '--map', 'amuont=X'], 'has no column "kye" and "amuont"'],
    [['frob'], 'no action "frob"'],
    [['show', 'x', '--map', 'key=Nr'], 'goes with remit batch map save'],
  ])('%j is refused', async (argv, words) => {
    expect(await remit('batch', 'map', ...argv)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    });
  });

  it('outlives a profile that is removed', async () => {
    await save();
    await bench.run(
      [
        'login',
        '--profile',
        'mine',
        '--base-url',
        baseUrl,
        '--key',
        credentials.key,
        '--secret-stdin',
        '--no-keychain',
      ],
      { stdin: credentials.secret },
    );
    expect((await remit('logout', 'mine')).code).toBe(0);
    expect(settings()).toMatchObject({ profiles: {}, mappings: { lohn: { split_name: 'last-first' } } });
  });

  it('that cannot be read is said, and left as it is', async () => {
    await save();
    const path = join(bench.dir, 'config.json');
    const text = readFileSync(path, 'utf8').replace('"last-first"', '"somehow"');
    writeFileSync(path, text);
    const run = await remit('batch', 'check', write(EXPORT, 'lohn.csv'), '--mapping', 'lohn', '--offline');
    expect(run).toMatchObject({ code: 78, stderr: expect.stringContaining('the mapping "lohn"') });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('a file that is read with a mapping', () => {
  const check = (...more: string[]): Promise<Run> =>
    remit('batch', 'check', write(EXPORT, 'lohn.csv'), '--mapping', 'lohn', ...more);

  it('is listed by its names, and what was left out is said', async () => {
    await save();
    const run = await check('-o', 'json');
    expect([run.code, run.data()]).toEqual([
      0,
      [
        { row: 1, at: 'line 4', name: 'Obi, Ada', first_name: 'Ada', last_name: 'Obi' },
        { row: 2, at: 'line 6', name: 'Okoro Ben', first_name: 'Ben', last_name: 'Okoro' },
      ],
    ]);
    expect(run.stderr.split('\n').slice(0, -1)).toEqual([
      'line 1 (sep=) says what divides the cells; it is no row',
      'line 2 is left out: it is above the heading, and no row',
      'line 5 is left out: it is a comment (#)',
      'line 7 is left out: it is blank',
      'line 8 is left out: it is the total of the 2 rows above it, 45000',
      '2 payments: 45,000 NGN, paid in EUR',
    ]);
  });

  it('names are masked where names are', async () => {
    await save();
    const run = await bench.run(
      ['batch', 'check', write(EXPORT, 'lohn.csv'), '--mapping', 'lohn', '-o', 'json'],
      { env: { CI: 'true' } },
    );
    expect(run.data()).toMatchObject([{ name: 'O•••', first_name: 'A•••', last_name: 'O•••' }, {}]);
    const planned = await bench.run(
      ['batch', 'plan', 'lohn.csv', '--mapping', 'lohn', '--name', 'masked', '--max-input', 'EUR=100'],
      { env: { CI: 'true' } },
    );
    expect(planned.stderr).toContain('line 4: O••• is first name A•••, last name O•••');
    expect(planned.stderr + planned.stdout).not.toMatch(/Obi|Ada|Okoro/);
  });

  it('what is said beside it wins', async () => {
    await save();
    const text = EXPORT.replace('Betrag', 'Netto').replace('Konto', 'IBAN');
    const run = await remit(
      ...['batch', 'check', write(text, 'netto.csv'), '--mapping', 'lohn', '--offline'],
      ...['--map', 'amount=Netto', '--map', 'bank_account=IBAN', '--split-name', 'first-last', '-o', 'json'],
    );
    // The comma in a name says that the last name is first.
    expect([run.code, run.data()]).toMatchObject([
      5,
      [{ at: 'line 4', column: 'name', code: 'name_not_divided' }],
    ]);
    const moved = await remit(
      ...['batch', 'check', write(EXPORT, 'lohn.csv'), '--mapping', 'lohn', '--map', 'external_id=Nr'],
      '--offline',
    );
    expect(moved.stderr).toContain('2 payments');
  });

  it('a column of the file that is said to be another is not the mapping’s any more', async () => {
    await remit(
      'batch',
      'map',
      'save',
      'english',
      '--map',
      'last_name=Surname',
      '--map',
      'first_name=Name',
      ...common,
    );
    const file = write('key,Name,bank_code,bank_account,amount\ne1,Obi,044,0123456700,25000\n', 'one.csv');
    const read = ['batch', 'check', file, '--mapping', 'english', '--offline', '-o', 'json'];
    const run = await remit(...read, '--map', 'last_name=Name');
    expect(run.data()).toMatchObject([{ column: 'first_name', code: 'missing' }]);
  });

  it('an unknown one is refused with the names that exist', async () => {
    const none = await check('--offline');
    expect(none).toMatchObject({ code: 6, stderr: expect.stringContaining('remit batch map save') });
    await save();
    const run = await remit('batch', 'check', 'lohn.csv', '--mapping', 'loan');
    expect(run).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/no mapping "loan"[\s\S]*one of lohn/),
    });
  });

  it('is the same run as the plain file with the same rows', async () => {
    await save();
    const plan = (file: string, ...more: string[]): Promise<Run> =>
      remit('batch', 'plan', file, '--name', 'same', '--max-input', 'EUR=100', '-o', 'json', ...more);
    const rows = [
      payRow('e1'),
      payRow('e2', { amount: '20000', account: '0123456701' }).replace('Ada,Obi', 'Ben,Okoro'),
    ];
    const first = await plan(write(csvOf(...rows), 'plain.csv'));
    const again = await plan(write(EXPORT, 'lohn.csv'), '--mapping', 'lohn');
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(again.stderr).toContain('planned before, with the same rows');
    expect(again.stderr).toContain('line 4: Obi, Ada is first name Ada, last name Obi');
    expect(again.data()).toMatchObject({ digest: (first.data() as { digest: string }).digest });
  });

  it('is compared with another, each by its own mapping', async () => {
    await save();
    const old = EXPORT.replace('0123456701', '0123456799').replace('Nr;Name', 'Id;Name');
    write(EXPORT, 'lohn.csv');
    await remit(
      'batch',
      'map',
      'save',
      'alt',
      ...columns.map((one) => one.replace('Nr', 'Id')),
      '--split-name',
      'last-first',
      '--decimal-comma',
      ...common,
    );
    const run = await remit(
      ...[
        'batch',
        'diff',
        write(old, 'alt.csv'),
        'lohn.csv',
        '--old-mapping',
        'alt',
        '--mapping',
        'lohn',
        '-o',
        'json',
      ],
    );
    expect([run.code, run.data()]).toMatchObject([10, [{ key: 'e2', changes: ['account'] }]]);
    expect(run.stderr).toContain(
      'alt.csv: line 8 is left out: it is the total of the 2 rows above it, 45000',
    );
    expect(run.stderr).toContain('lohn.csv: line 5 is left out: it is a comment (#)');
  });

  it('a template with a mapping is read with it', async () => {
    await save();
    for (const format of ['csv', 'json']) {
      const made = await remit('batch', 'template', 'NGN::Bank', '--mapping', 'lohn', '-o', format);
      const file = write(made.stdout, `template.${format}`);
      if (format === 'csv') expect(made.stdout.split('\n')[0]).toMatch(/^Nr,Betrag,Name,/);
      const run = await remit('batch', 'check', file, '--mapping', 'lohn', '--offline');
      expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/^1\t/)]);
    }
  });
});
