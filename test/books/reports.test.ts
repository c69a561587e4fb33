/** The service's own reports: which there are, and one as a file, whole or not at all. Their paths and addresses are not trusted. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportFileName } from '../../src/books/reports/download.ts';
import { reportAt } from '../../src/books/reports/list.ts';
import {
  answering,
  baseUrl,
  credentials,
  type Intercept,
  noAccount,
  only,
  payArgv,
  unreachable,
  useBench,
  words,
} from '../support/cli.ts';

const bench = useBench({ sender: true });
const ACCOUNT = 'reports download --month 2026-01 --type account';
const NAME = 'account_report_2026-01.csv';

const csvFiles = (folder = bench.dir): string[] =>
  readdirSync(folder).filter((name) => /\.(?:csv|part|new)/.test(name));
const isFile = ({ url }: { url: string }): boolean => url.includes('/files/');
const isList = ({ url }: { url: string }): boolean => /\/reports(?:\?|$)/.test(url);
const isAddress = ({ url }: { url: string }): boolean => url.endsWith('/authenticated_url');

/** The service gives these paths. */
const listing = (...paths: string[]): Intercept =>
  only(isList, answering(200, JSON.stringify({ available_reports: paths })));
/** The service gives this address for every report. */
const addressing = (address: string): Intercept =>
  only(isAddress, answering(200, JSON.stringify({ authenticated_url: address })));

describe('reports list', () => {
  it('has month, type, environment and path, newest first, and says that it is whole', async () => {
    await bench.sandbox.advance(27 * 86_400_000);
    const run = await bench.run('reports list -o json');
    expect(run.code, run.stderr).toBe(0);
    expect(run.json()).toMatchObject({ kind: 'report', meta: { complete: true, total: 4 } });
    expect(
      run.data<{ month: string; type: string }[]>().map(({ month, type }) => `${month} ${type}`),
    ).toEqual(['2026-02 transaction', '2026-02 account', '2026-01 transaction', '2026-01 account']);
    const some = await bench.run('reports list --type account --environment test --limit 1 -o json');
    expect(some.data<object[]>()).toMatchObject([{ month: '2026-02', type: 'account', environment: 'test' }]);
    expect(some.json()).toMatchObject({ meta: { complete: false, total: 2 } });
    expect(some.requests.map(({ path, query }) => path + query)).toEqual([
      '/reports?type=account&environment=test',
    ]);
  });

  it('filters by itself what the service does not, and shows paths that it does not know', async () => {
    bench.intercept(
      listing('live/a/monthly/account_report_2026-01.csv', 'odd/thing', 'odd/thing', '\u202Ex'),
    );
    const all = await bench.run('reports list -o json');
    expect(all.data<{ path: string }[]>().map(({ path }) => path)).toEqual([
      'live/a/monthly/account_report_2026-01.csv',
      '\u202Ex',
      'odd/thing',
    ]);
    expect((await bench.run('reports list --environment test -o json')).data()).toEqual([]);
    expect((await bench.run('reports list', { tty: true })).stdout).toContain('\\u202e');
  });

  it.each([
    ['<html>', 75],
    ['{"available_reports":"x"}', 75],
    ['{"object":[]}', 75],
  ])('%s is no list: what could not be read is not shown as empty', async (body, code) => {
    bench.intercept(only(isList, answering(200, body)));
    const run = await bench.run('reports list');
    expect([run.code, run.stdout]).toEqual([code, '']);
  });

  it('a service that fails is temporary, and a key that it refuses is 4', async () => {
    bench.intercept(only(isList, answering(422, '{"errors":{"type":[{"error":"invalid"}]}}')));
    expect((await bench.run('reports list')).code).toBe(5);
    bench.intercept(only(isList, answering(401)));
    expect((await bench.run('reports list')).code).toBe(4);
    bench.intercept(unreachable);
    expect((await bench.run('reports list')).code).toBe(75);
  });
});

describe('reports download', () => {
  it('writes the file under its own name, for this user alone, as the service made it', async () => {
    await bench.run(payArgv());
    const run = await bench.run(`${ACCOUNT} -o json`);
    expect(run.code, run.stderr).toBe(0);
    const text = readFileSync(join(bench.dir, NAME), 'utf8');
    expect(run.data()).toMatchObject({ path: NAME, bytes: Buffer.byteLength(text) });
    expect(text).toMatch(/^posted_at,currency,kind,amount,balance,[\s\S]*,EUR,debit,-/);
    expect(statSync(join(bench.dir, NAME)).mode & 0o777).toBe(0o600);
    expect(csvFiles()).toEqual([NAME]);
    expect(run.stderr).toContain('2026-01 is not over (UTC)');
    expect(run.requests.filter(isService).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /reports',
      'POST /authenticated_url',
      expect.stringMatching(/^GET \/files\/reports\/test\/.*\.csv$/),
    ]);
  });

  const isService = ({ path }: { path: string }): boolean => !path.includes('_sandbox');

  it('a month that is over is whole, and nothing is said of it', async () => {
    await bench.sandbox.advance(27 * 86_400_000);
    const run = await bench.run(ACCOUNT);
    expect([run.code, run.stderr]).toEqual([0, '']);
  });

  it('a path as listed asks for no list', async () => {
    const [report] = (await bench.run('reports list -o json')).data<{ path: string }[]>();
    const run = await bench.run(['reports', 'download', report?.path ?? '', '--to', 'mine.csv']);
    expect([run.code, csvFiles()]).toEqual([0, ['mine.csv']]);
    expect(run.requests.filter(isService).map(({ path }) => path.split('/')[1])).toEqual([
      'authenticated_url',
      'files',
    ]);
  });

  it('sends neither key nor signature to the address', async () => {
    const sent: Record<string, string>[] = [];
    bench.intercept(async (request, next) => {
      if (isFile(request)) sent.push(request.headers);
      return next(request);
    });
    await bench.run(ACCOUNT);
    expect(sent).toEqual([{ accept: '*/*' }]);
  });

  it('--to takes a folder, a folder to be, a file, and - for standard output', async () => {
    mkdirSync(join(bench.dir, 'there'));
    for (const to of ['there', 'new/folder/', 'there/other.csv'])
      expect((await bench.run(`${ACCOUNT} --to ${to}`)).code).toBe(0);
    expect(csvFiles(join(bench.dir, 'there'))).toEqual([NAME, 'other.csv']);
    expect(csvFiles(join(bench.dir, 'new/folder'))).toEqual([NAME]);
    const printed = await bench.run(`${ACCOUNT} --to -`);
    expect(printed.stdout).toBe(readFileSync(join(bench.dir, 'there', NAME), 'utf8'));
    expect(csvFiles()).toEqual([]);
  });

  it('leaves a file that exists, and fetches nothing for it; --force replaces it', async () => {
    const file = join(bench.dir, NAME);
    writeFileSync(file, 'mine', { mode: 0o644 });
    const run = await bench.run(ACCOUNT);
    expect([run.code, readFileSync(file, 'utf8')]).toEqual([2, 'mine']);
    expect(run.stderr).toMatch(/exists already[\s\S]*--force/);
    expect(run.requests.filter(isService).map(({ path }) => path)).toEqual(['/reports']);
    expect((await bench.run(`${ACCOUNT} --force`)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('posted_at');
    expect([statSync(file).mode & 0o777, csvFiles()]).toEqual([0o600, [NAME]]);
  });

  it('replaces a link, and does not write to where it leads', async () => {
    writeFileSync(join(bench.dir, 'else.txt'), 'mine');
    symlinkSync(join(bench.dir, 'else.txt'), join(bench.dir, NAME));
    expect((await bench.run(ACCOUNT)).code).toBe(2);
    expect((await bench.run(`${ACCOUNT} --force`)).code).toBe(0);
    expect(readFileSync(join(bench.dir, 'else.txt'), 'utf8')).toBe('mine');
  });

  it('a folder that is a file, and a file that is a folder, are said', async () => {
    writeFileSync(join(bench.dir, 'file'), '');
    const below = await bench.run(`${ACCOUNT} --to file/x.csv`);
    expect([below.code, below.stderr]).toEqual([2, expect.stringContaining('is a file, not a folder')]);
    mkdirSync(join(bench.dir, NAME));
    const folder = await bench.run(`${ACCOUNT} --force`);
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining('is a folder')]);
  });

  it('a month without a report is 6, and says which there are', async () => {
    const run = await bench.run('reports download --month 2025-12 --type account');
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('there is no account report for 2025-12; there are those for 2026-01');
    expect((await bench.run('reports download --month 2026-01 --environment live')).code).toBe(6);
    const path = await bench.run('reports download test/nobody/monthly/account_report_2026-01.csv');
    expect([path.code, path.stderr]).toEqual([6, expect.stringContaining('remit reports list')]);
  });

  it('a month with several is 2, with each of them', async () => {
    const run = await bench.run('reports download --month 2026-01 -o json');
    expect([run.code, run.error().code, run.error().fields.length]).toEqual([2, 'ambiguous_id', 2]);
    expect(csvFiles()).toEqual([]);
  });

  it.each([
    ['', 'which report?'],
    ['--type account', 'which report?'],
    ['--month 2026-13', 'is not a month'],
    ['--month october', 'is not a month'],
    ['some/path --month 2026-01', 'a path says which report'],
  ])('download %s is wrong before anything is sent', async (flags, what) => {
    const run = await bench.run(words(`reports download ${flags}`.trim()));
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.stderr).toContain(what);
  });
});

describe('what comes in place of a report leaves no file', () => {
  const html = '<!doctype html><title>Sign in</title>';
  it.each<[string, Intercept, number, string]>([
    ['plain HTTP', addressing('http://files.example.com/a.csv'), 1, 'plain HTTP'],
    ['another scheme', addressing('file:///etc/passwd'), 1, 'neither a web address'],
    ['no address', addressing(''), 1, 'neither a web address'],
    ['a password in it', addressing('https://me:secret@files.example.com/a.csv'), 1, 'has a password'],
    [
      'a redirect',
      only(isFile, async () => ({ status: 302, headers: { location: baseUrl }, body: '' })),
      1,
      'not followed',
    ],
    ['404', only(isFile, answering(404)), 6, '404'],
    ['403', only(isFile, answering(403, '<Error/>')), 1, '403'],
    ['503', only(isFile, answering(503)), 75, '503'],
    ['429', only(isFile, answering(429)), 75, '429'],
    ['a web page', only(isFile, answering(200, html)), 1, 'a web page'],
    ['JSON', only(isFile, answering(200, '{"error":"x"}')), 1, 'JSON'],
    ['nothing', only(isFile, answering(200, ' \n')), 1, 'nothing'],
    ['bytes', only(isFile, answering(200, 'PK\0\0')), 1, 'no text'],
    ['a sentence', only(isFile, answering(200, 'Service unavailable\n')), 1, 'without columns'],
    ['a row that is cut', only(isFile, answering(200, 'a,b,c\n1,2,3\n4,5')), 1, 'its end is missing'],
    ['a cut text', only(isFile, answering(200, 'a,b\n1,"2')), 1, 'its end is missing'],
    ['a cut connection', only(isFile, unreachable), 75, 'connection refused'],
    ['an answer without an address', only(isAddress, answering(200, '{}')), 75, 'authenticated_url'],
  ])('%s', async (_, intercept, code, what) => {
    bench.intercept(intercept);
    const run = await bench.run(`${ACCOUNT} --to new/`);
    const fetched = run.requests.filter(({ path }) => path.startsWith('/files/')).length;
    expect(run.stderr).toContain(what);
    expect(run.code, run.stderr).toBe(code);
    expect(run.stdout).toBe('');
    expect(readdirSync(bench.dir)).not.toContain('new');
    expect(fetched).toBeLessThan(2);
  });

  it('an address on this machine is for a sandbox on this machine alone', async () => {
    const env = {
      REMIT_BASE_URL: 'https://api.example.com/v1',
      REMIT_REPORTS_URL: 'https://reports.example.com',
    };
    const intercept: Intercept = async (request, next) =>
      isList(request)
        ? answering(200, '{"available_reports":["live/a/monthly/account_report_2026-01.csv"]}')(request, next)
        : addressing('http://127.0.0.1:9/a.csv')(request, next);
    bench.intercept(intercept);
    const run = await bench.run(ACCOUNT, { env });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('leads to this machine')]);
  });

  it('no secret, and no address, is in what is said', async () => {
    for (const flags of ['', '--debug', '-o json']) {
      const run = await bench.run(`${ACCOUNT} --force ${flags}`.trim(), { env: { REMIT_DEBUG: 'api' } });
      expect(run.stdout + run.stderr).not.toMatch(/signature=[0-9a-f]{8}/);
      expect(run.stdout + run.stderr).not.toContain(credentials.secret);
    }
  });
});

describe('paths of the service', () => {
  it.each([
    ['../../etc/passwd', 'passwd.csv'],
    ['test/a/monthly/..', 'report.csv'],
    ['test/a/..\\..\\con.csv', '_con.csv'],
    ['test/a/monthly/a\u0000\u202Eb.csv', 'a__b.csv'],
    ['', 'report.csv'],
    ['test/a/monthly/account_report_2026-01.csv', NAME],
    ['test/a/.csv', 'csv.csv'],
  ])('%j is written as %j', (path, name) => {
    expect(reportFileName(path)).toBe(name);
  });

  it.each([
    ['live/a/monthly/transaction_report_2026-10.csv', '2026-10', 'transaction', 'live'],
    ['prod/a/monthly/fees_report_2026-13.csv', null, null, null],
    ['test', null, null, 'test'],
  ])('%s', (path, month, type, environment) => {
    expect(reportAt(path)).toEqual({ path, month, type, environment });
  });

  it('a path that leads elsewhere stays in the folder', async () => {
    bench.intercept(async (request, next) => {
      if (isList(request)) return listing('../../../account_report_2026-01.csv')(request, next);
      if (isAddress(request)) return addressing('http://127.0.0.1:4010/files/x')(request, next);
      return isFile(request) ? answering(200, 'a,b\n1,2\n')(request, next) : next(request);
    });
    mkdirSync(join(bench.dir, 'deep'));
    const run = await bench.run('reports download --month 2026-01 --to deep');
    expect([run.code, csvFiles(), csvFiles(join(bench.dir, 'deep'))]).toEqual([0, [], [NAME]]);
  });
});

describe('where they are', () => {
  const env = noAccount;
  const signIn = async (url = 'https://api.example.com/v1') => {
    const flags = `--profile live --base-url ${url} --environment production --key ${credentials.key}`;
    const run = await bench.run(words(`login ${flags} --no-keychain --secret-stdin --no-check`), {
      env,
      stdin: credentials.secret,
    });
    expect(run.code, run.stderr).toBe(0);
  };

  it('is asked for where the account is not a sandbox of this machine, and nothing is sent', async () => {
    await signIn();
    const run = await bench.run('reports list', { env });
    expect([run.code, run.requests]).toEqual([78, []]);
    expect(run.stderr).toContain('remit profiles set live reports_url=URL');
    const three = await bench.run('reports list', { env: { REMIT_BASE_URL: 'https://api.example.com/v1' } });
    expect([three.code, three.stderr]).toEqual([78, expect.stringContaining('REMIT_REPORTS_URL')]);
  });

  it('is what the profile says: the signed call goes there, and to no other host', async () => {
    await signIn();
    const set = await bench.run('profiles set live reports_url=https://reports.example.com/ -o json', {
      env,
    });
    expect(set.data<object[]>()[0]).toMatchObject({ reports_url: 'https://reports.example.com' });
    const urls: string[] = [];
    bench.intercept(async (request) => {
      urls.push(request.url);
      expect(request.headers['Authorization-Key']).toBe(credentials.key);
      return { status: 200, headers: {}, body: '{"available_reports":[]}' };
    });
    expect((await bench.run('reports list', { env })).code).toBe(0);
    expect(urls).toEqual(['https://reports.example.com/reports']);
    bench.restore();
    await bench.run('profiles set live reports_url=', { env });
    expect((await bench.run('reports list', { env })).code).toBe(78);
  });

  it('signing in again to another service forgets it', async () => {
    await signIn();
    await bench.run('profiles set live reports_url=https://reports.example.com', { env });
    await signIn('https://api.example.org/v1');
    expect((await bench.run('reports list', { env })).code).toBe(78);
  });

  it('REMIT_REPORTS_URL belongs to the three variables, and a profile does not read it', async () => {
    await signIn();
    const other = { ...env, REMIT_REPORTS_URL: 'https://elsewhere.example.com' };
    const run = await bench.run('reports list', { env: other });
    expect([run.code, run.requests]).toEqual([78, []]);
  });

  it.each([
    'http://reports.example.com',
    'ftp://reports.example.com',
    'reports.example.com',
    'https://me:pw@reports.example.com',
    'https://reports.example.com/?a=b',
  ])('%s is refused', async (url) => {
    await signIn();
    expect((await bench.run(['profiles', 'set', 'live', `reports_url=${url}`], { env })).code).toBe(2);
    const three = { REMIT_BASE_URL: 'https://api.example.com/v1', REMIT_REPORTS_URL: url };
    const run = await bench.run('reports list --insecure', { env: three });
    expect([run.code, run.requests]).toEqual([78, []]);
  });

  it('the key of a sandbox on this machine goes to no other machine', async () => {
    const run = await bench.run('reports list', {
      env: { REMIT_REPORTS_URL: 'https://reports.example.com' },
    });
    expect([run.code, run.requests]).toEqual([78, []]);
    expect(run.stderr).toContain('unset the reports URL');
  });

  it('a redirect of the signed call is not followed', async () => {
    bench.intercept(
      only(isList, async () => ({ status: 302, headers: { location: 'https://x.example' }, body: '' })),
    );
    const run = await bench.run('reports list');
    expect([run.code, run.requests.length]).toEqual([1, 1]);
  });
});
