/** Long lists and a watched balance in a real terminal and a real pipe. Whoever answers does so when the test says so. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { startRemit, temporaryHome } from '../support/program.ts';
import { portOf, shut } from '../support/servers.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const ROWS = 300_000;
const PER = 100;

let home: ReturnType<typeof temporaryHome>;
let env: Record<string, string>;
let close: () => Promise<void>;
/** Answers of these pages are kept back. */
let held: Map<number, (() => void) | undefined>;
let asked: number;
let balances: number;

beforeEach(async () => {
  home = temporaryHome();
  held = new Map();
  asked = 0;
  balances = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (pathname.endsWith('/accounts')) {
      answer(response, { object: [{ currency: 'EUR', amount: 100 + balances++ }] });
      return;
    }
    const page = Number(searchParams.get('page'));
    asked = Math.max(asked, page);
    const send = () => answer(response, pageOf(page));
    if (held.has(page)) held.set(page, send);
    else send();
  });
  env = variablesFor({ url: `http://127.0.0.1:${await portOf(server)}/v1` }, home.dir);
  close = () => shut(server);
});
afterEach(async () => {
  await close();
  home.remove();
});

/** Now, or as soon as it is asked for. */
function release(page: number): void {
  const send = held.get(page);
  held.delete(page);
  send?.();
}

function answer(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

function pageOf(page: number): object {
  const object = Array.from({ length: PER }, (_, index) => ({
    id: `id-${(page - 1) * PER + index}`,
    state: 'paid',
    created_at: '2026-11-21T23:30:00Z',
  }));
  return { object, meta: { pagination: { next_page: page + 1, total_count: ROWS } } };
}

it('a list that waits says so in one line, which is gone before the next rows and at the end', async () => {
  held.set(3, undefined);
  const terminal = openTerminal(['tx', 'list', '--limit', '250', '-o', 'text', '--fields', 'id'], env);
  await terminal.sees('id-199');
  await terminal.sees(/reading transactions {2}█+░* \d+ % {2}200 of 250/);
  release(3);
  await terminal.sees('id-249');
  expect(await terminal.exit).toBe(0);
  const lines = terminal.raw().split('\n');
  const after = lines.slice(lines.findIndex((line) => line.includes('id-200')));
  // The line that the progress stood in was emptied before id-200 was written into it.
  expect(after[0]).toMatch(/\r\u001b\[Kid-200\r?$/);
  expect(after.slice(1).join('')).not.toContain('reading');
});

it.runIf(isLong)('where stderr is no terminal it shows no progress', async () => {
  held.set(3, undefined);
  const program = startRemit(['tx', 'list', '--limit', '250', '-o', 'text'], env);
  await program.line((line) => line.startsWith('id-199'));
  release(3);
  await program.ended;
  expect(program.stderr()).toBe(
    '250 of 300,000 transactions. --limit 100 shows more, --all shows every one.\n',
  );
});

it('times are local, and the zone is said', async () => {
  const terminal = openTerminal(
    ['tx', 'list', '--limit', '1'],
    { ...env, TZ: 'Africa/Lagos' },
    { cols: 160, rows: 20 },
  );
  await terminal.sees('2026-11-22 00:30');
  await terminal.sees('Times are in the zone Africa/Lagos.');
  expect(await terminal.exit).toBe(0);
});

it('a watched balance is drawn again in its place; Ctrl-C ends it with 130', async () => {
  const terminal = openTerminal(['balance', '--watch', '500ms'], env);
  await terminal.sees('100.00');
  await terminal.sees('102.00');
  terminal.types(keys.ctrlC);
  expect(await terminal.exit).toBe(130);
  expect(terminal.raw()).toContain('\u001b[3A\r');
  expect(terminal.raw()).not.toContain('\u001b[2J');
});

it('a reader that goes away ends a long list quietly, long before its end', async () => {
  const child = spawn(
    'sh',
    [
      '-c',
      `"$0" bin/remit.js tx list --all -o ndjson 2>"$REMIT_CONFIG_DIR/err" | head -n 3; cat "$REMIT_CONFIG_DIR/err"`,
      process.execPath,
    ],
    { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).data.id)).toEqual(['id-0', 'id-1', 'id-2']);
  expect(asked).toBeLessThan(100);
});

it.runIf(isLong)('Ctrl-C ends a long list with 130', async () => {
  held.set(5, undefined);
  const program = startRemit(['tx', 'list', '--all', '-o', 'ndjson'], env);
  await program.line((line) => line.includes('id-399'));
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(130);
});
