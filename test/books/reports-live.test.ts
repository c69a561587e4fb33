/** Reports over real sockets: a sandbox on its port, and a service whose answers break off half way. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { isoTime } from '../../src/core/clock.ts';
import { real } from '../support/clock.ts';
import { some } from '../support/long.ts';
import { usePrograms } from '../support/program.ts';
import { closeAfterEach, portOf, shut } from '../support/servers.ts';
import { variablesFor } from '../support/service.ts';

const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const home = usePrograms();
const closing = closeAfterEach();

it('a sandbox on its port gives the report of what was paid there', async () => {
  const month = isoTime(real.now()).slice(0, 7);
  const file = join(home.dir, 'account.csv');
  const script = `"${process.execPath}" "${BIN}" sandbox seed --rounds 1 -o json >/dev/null &&
    "${process.execPath}" "${BIN}" reports download --month ${month} --type account --to "${file}" -o json`;
  const elsewhere = { REMIT_REPORTS_URL: 'https://reports.example.com' };
  const program = home.start(['sandbox', 'exec', '--', '/bin/sh', '-c', script], elsewhere);
  const { code } = await program.ended;
  const run = { stdout: program.stdout() };
  expect(code, program.stderr()).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(run.stdout).data).toMatchObject({ path: file, bytes: Buffer.byteLength(text) });
  expect(text).toMatch(/^posted_at,currency,kind,[\s\S]*,EUR,debit,-\d+\.\d\d,\d+\.\d\d,/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe('an answer that breaks off', () => {
  const REPORT = 'test/a/monthly/account_report_2026-10.csv';
  const HALF = 'posted_at,currency\n2026-10-01T00:00:00.000Z,EUR\n';
  let fetched: number;
  let give: (response: ServerResponse) => void;
  let env: Record<string, string>;

  beforeEach(async () => {
    fetched = 0;
    const server = createServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      if (request.url?.startsWith('/reports')) response.end(JSON.stringify({ available_reports: [REPORT] }));
      else if (request.url === '/authenticated_url')
        response.end(JSON.stringify({ authenticated_url: `${origin}/file.csv` }));
      else {
        fetched += 1;
        give(response);
      }
    });
    env = variablesFor({ url: `http://127.0.0.1:${await portOf(server)}/v1` }, home.dir);
    closing.push(() => shut(server));
  });

  const download = async (...more: string[]) => {
    const program = home.start(
      ['reports', 'download', '--month', '2026-10', '--to', join(home.dir, 'to', 'october.csv'), ...more],
      env,
    );
    return { program, code: (await program.ended).code, stderr: program.stderr() };
  };
  const left = (): string[] => (existsSync(join(home.dir, 'to')) ? readdirSync(join(home.dir, 'to')) : []);

  it.each(
    some<[string, (response: ServerResponse) => void]>(
      [
        [
          'shorter than its length',
          (response) => {
            response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '1000' });
            response.write(HALF, () => response.destroy());
          },
        ],
        [
          'without its last piece',
          (response) => {
            response.writeHead(200, { 'content-type': 'text/csv' });
            response.write(HALF, () => response.destroy());
          },
        ],
        ['before it begins', (response) => response.destroy()],
      ],
      1,
    ),
  )('%s: nothing is left, it was fetched once, and 75 says that it can be repeated', async (_, answer) => {
    give = answer;
    const { code, stderr } = await download();
    expect([code, left(), fetched], stderr).toEqual([75, [], 1]);
    give = (response) => response.end(HALF);
    expect((await download()).code).toBe(0);
    expect(left()).toEqual(['october.csv']);
  });

  it('a redirect is not followed, and the other host is never asked', async () => {
    let others = 0;
    const other = createServer((_, response) => {
      others += 1;
      response.end(HALF);
    });
    const port = await portOf(other);
    closing.push(() => shut(other));
    give = (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    const { code, stderr } = await download();
    expect([code, left(), others], stderr).toEqual([1, [], 0]);
  });

  it.each([
    ['killed', 'SIGKILL', null],
    ['Ctrl-C', 'SIGINT', 130],
  ] as const)('%s half way, nothing has the name of the file', async (_, signal, code) => {
    const program = home.start(
      ['reports', 'download', '--month', '2026-10', '--to', join(home.dir, 'to', 'october.csv')],
      env,
    );
    give = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(HALF, () => program.signal(signal));
    };
    expect([(await program.ended).code, left()]).toEqual([code, []]);
  });
});
