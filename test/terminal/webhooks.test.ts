/** `webhooks listen` as a person sees it: lines, the one at the bottom, and what Ctrl-C leaves on the screen. */
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bodyOf, credentials, headersFor, startHandler } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { temporaryHome } from '../support/program.ts';
import { portOf } from '../support/servers.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

let home: ReturnType<typeof temporaryHome>;
let handler: Awaited<ReturnType<typeof startHandler>>;
let env: Record<string, string>;
beforeEach(async () => {
  home = temporaryHome();
  handler = await startHandler();
  env = variablesFor({ url: 'http://127.0.0.1:9/v1' }, home.dir, credentials);
});
afterEach(async () => {
  await handler.close();
  home.remove();
});

async function listening(flags: readonly string[], cols = 100): Promise<{ terminal: Terminal; url: string }> {
  const argv = ['webhooks', 'listen', '--no-register', '--no-catch-up', ...flags];
  const terminal = openTerminal(argv, env, { cols, rows: 30 });
  await terminal.sees('(Ctrl-C ends it)');
  return { terminal, url: /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.screen())?.[0] ?? '' };
}

async function deliver(url: string, id: string, signedUrl = `${url}/`): Promise<number> {
  const body = bodyOf(id);
  const headers = headersFor(signedUrl, body);
  return (await fetch(`${url}/`, { method: 'POST', body, headers })).status;
}

it('shows a line for each event with its verdict, and how old the last one is', async () => {
  const { terminal, url } = await listening(['--forward-to', handler.to]);
  await terminal.sees(/listening · no event in \d s · 0 received/);
  expect(await deliver(url, '662a2edd-1930-4600-b5cd-0e4d1dab0aef')).toBe(200);
  await terminal.sees(
    /\d\d:\d\d:\d\d {2}verified {4}recipient\.error {10}662a2edd {2}error {7}-> 204 \d+ ms/,
  );
  await terminal.sees(/listening · last event \d s ago · 1 received/);
  handler.answers.status = () => 500;
  expect(await deliver(url, '772a2edd-1930-4600-b5cd-0e4d1dab0aef')).toBe(200);
  await terminal.sees('-> 500, retries');
  await terminal.sees('1 waiting');
  expect(await deliver(url, 'x', 'https://else.example/')).toBe(401);
  await terminal.sees('INVALID');
  await terminal.sees('remit webhooks show ');
  terminal.types(keys.ctrlC);
  await terminal.sees('stopped: 2 received, 1 invalid, 1 wait for the next run');
  expect(await terminal.exit).toBe(0);
  // The line at the bottom is gone: what was written last follows the line that was cleared.
  const raw = terminal.raw();
  expect(raw.lastIndexOf('listening ·')).toBeLessThan(raw.lastIndexOf('\u001b[K'));
  expect(raw.lastIndexOf('\u001b[K')).toBeLessThan(raw.lastIndexOf('stopped:'));
});

it.runIf(isLong)(
  'says NOT REACHABLE where others look at whether it listens, when its public URL leads elsewhere',
  async () => {
    const elsewhere = createServer((_, response) => response.writeHead(502).end());
    const url = `http://127.0.0.1:${await portOf(elsewhere)}/hooks`;
    const { terminal } = await listening(['--public-url', url]);
    await terminal.sees(`remit: NOT REACHABLE: ${url} does not lead here: another program answered`);
    await terminal.sees(/NOT REACHABLE for \d+ s: the public URL does not lead here/);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(0);
    elsewhere.close();
  },
);

it('fits a narrow terminal, and prints no body in the stream on one', async () => {
  const { terminal, url } = await listening([], 60);
  await deliver(url, '662a2edd-1930-4600-b5cd-0e4d1dab0aef');
  await terminal.sees(/verified {4}recipient\.error {10}error/);
  await terminal.sees('listening · last event');
  terminal.types(keys.ctrlC);
  await terminal.exit;
  for (const line of terminal.screen().split(/[\r\n]+/)) expect(line.length).toBeLessThanOrEqual(60);
  const stream = openTerminal(['webhooks', 'listen', '--no-register', '--no-catch-up', '-o', 'ndjson'], env, {
    cols: 200,
    rows: 30,
  });
  await stream.sees('"kind":"ready"');
  const at = /http:\/\/127\.0\.0\.1:\d+/.exec(stream.screen())?.[0] ?? '';
  await deliver(at, '882a2edd-1930-4600-b5cd-0e4d1dab0aef');
  await stream.sees('"body_b64":null');
  stream.types(keys.ctrlC);
  expect(await stream.exit).toBe(0);
});
