/** Whoever is not the page that the terminal opened: raw sockets, other pages of the same browser, and programs on the same port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { payArgv, useBench } from '../support/cli.ts';
import { Asker, codeIn, type OpenConsole, useConsole } from '../support/console.ts';
import { isLong } from '../support/long.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
const open = useConsole(bench);
let console: OpenConsole;
/** Requests that the service received, since the console is open. */
let received: number;
const servers: Server[] = [];

beforeEach(async () => {
  expect((await bench.run(payArgv('0123456719'))).code).toBe(0);
  console = await open(['--write']);
  received = 0;
  bench.intercept((request, next) => {
    received += 1;
    return next(request);
  });
});
afterEach(async () => {
  await browser.closeAll();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on this machine that is not ours. */
async function listening(handle: (request: IncomingMessage, response: ServerResponse) => void, port = 0) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  servers.push(server);
  return (server.address() as { port: number }).port;
}

/** The bytes that come back for these. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(console.origin).port), '127.0.0.1', () => socket.write(text));
    socket.setTimeout(20_000, () => socket.destroy());
    let all = '';
    socket.on('data', (data) => {
      all += data.toString('utf8');
    });
    socket.on('error', () => resolve(all));
    socket.on('close', () => resolve(all));
  });
}

describe('from a raw socket', () => {
  const BODY = '{"id":"wages-1"}';
  async function asked(line: string, change: (heads: Record<string, string>) => string[] = lines) {
    const asker = await Asker.from(console);
    const host = new URL(console.origin).host;
    const heads = {
      Host: host,
      Origin: console.origin,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      'Content-Length': String(BODY.length),
      'X-Remit-Nonce': 'a-nonce-of-sixteen',
      'X-Remit-Session': asker.token,
      Connection: 'close',
    };
    return raw([line, ...change(heads), '', BODY].join('\r\n'));
  }
  const lines = (heads: Record<string, string>): string[] =>
    Object.entries(heads).map(([name, value]) => `${name}: ${value}`);
  const without =
    (name: string) =>
    ({ [name]: _, ...rest }: Record<string, string>) =>
      lines(rest);

  it('the page’s own question is answered, so that the others are refused for what they are', async () => {
    expect(await asked('POST /api/triage HTTP/1.1')).toMatch(/^HTTP\/1\.1 200 [\s\S]*"rows"/);
    expect(received).toBeGreaterThan(0);
  });

  it.each([
    ['an encoded path', 'POST /%61pi/triage HTTP/1.1', lines],
    ['two slashes', 'POST //api/triage HTTP/1.1', lines],
    ['a path that goes up', 'POST /x/../api/triage HTTP/1.1', lines],
    ['an absolute target', 'POST http://127.0.0.1/api/triage HTTP/1.1', lines],
    ['a query', 'POST /api/triage?a=b HTTP/1.1', lines],
    ['HTTP/1.0', 'POST /api/triage HTTP/1.0', lines],
    ['another method', 'PUT /api/triage HTTP/1.1', lines],
    ['CONNECT', 'CONNECT 127.0.0.1:80 HTTP/1.1', lines],
    ['no Host', 'POST /api/triage HTTP/1.1', without('Host')],
    ['no Sec-Fetch-Site', 'POST /api/triage HTTP/1.1', without('Sec-Fetch-Site')],
    ['no Origin', 'POST /api/triage HTTP/1.1', without('Origin')],
    ['no session', 'POST /api/triage HTTP/1.1', without('X-Remit-Session')],
    [
      'two Hosts',
      'POST /api/triage HTTP/1.1',
      (heads: Record<string, string>) => [...lines(heads), 'Host: evil.example'],
    ],
    [
      'a Host with a dot at its end',
      'POST /api/triage HTTP/1.1',
      (heads: Record<string, string>) => lines({ ...heads, Host: `${heads.Host}.` }),
    ],
    [
      'a made-up session',
      'POST /api/triage HTTP/1.1',
      (heads: Record<string, string>) => lines({ ...heads, 'X-Remit-Session': 'x'.repeat(43) }),
    ],
    [
      'an upgrade',
      'GET /api/triage HTTP/1.1',
      (heads: Record<string, string>) => lines({ ...heads, Connection: 'Upgrade', Upgrade: 'websocket' }),
    ],
  ])('%s is refused, and nothing is asked of the service', async (_, line, change) => {
    const answer = await asked(line, change);
    expect(answer).not.toMatch(/^HTTP\/1\.1 2|"rows"|Ada/);
    expect(received).toBe(0);
  });

  it('every answer has the headers that keep it from other pages, refusals too', async () => {
    for (const target of ['/', '/nothing']) {
      const answer = await raw(
        `GET ${target} HTTP/1.1\r\nHost: ${new URL(console.origin).host}\r\nConnection: close\r\n\r\n`,
      );
      for (const head of [
        "content-security-policy: default-src 'none'",
        'cross-origin-opener-policy: same-origin',
        'cross-origin-resource-policy: same-origin',
        'referrer-policy: no-referrer',
        'x-content-type-options: nosniff',
        'cache-control: no-store',
      ])
        expect(answer.toLowerCase(), target).toContain(head);
      expect(answer.toLowerCase()).not.toContain('access-control');
    }
  });

  it('a question that is too long, no JSON, or not what is asked for is refused', async () => {
    const asker = await Asker.from(console);
    expect((await asker.ask('payout', { id: 'x'.repeat(201) })).status).toBe(400);
    expect((await asker.ask('payout', { id: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await asker.ask('payout', { id: 7 } as never)).status).toBe(400);
    expect(received).toBe(0);
  });
});

describe('a code', () => {
  it('that somebody else used ends a question whose end was still on its way', async () => {
    const asker = await Asker.from(console);
    const status = await asker.askSlowly('triage', {}, () => new Asker(console.origin).signIn(console.url));
    expect(status).toBe(401);
    expect(received).toBe(0);
  });

  it('that somebody else used signs both out, and the terminal says so', async () => {
    const thief = await Asker.from(console);
    expect((await thief.ask('about', {})).status).toBe(200);
    const late = await new Asker(console.origin).ask('open', { code: codeIn(console.url) });
    expect([late.status, late.data.problem.code]).toEqual([401, 'code_used']);
    expect((await thief.ask('about', {})).status).toBe(401);
    expect((await console.end()).stderr).toContain('somebody else had it');
  });
});

const AT_ONCE = isLong ? 1_000 : 300;
it(`${AT_ONCE} requests at once are answered or refused, and the page goes on`, async () => {
  const asker = await Asker.from(console);
  const all = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => asker.ask('about', {})));
  expect(all.filter((one) => one.status === 'fulfilled' && one.value.status === 200).length).toBeGreaterThan(
    0.4 * AT_ONCE,
  );
  expect((await asker.ask('about', {})).status).toBe(200);
});

describe.skipIf(noBrowser)('another page in the same browser', () => {
  /** Tries all that a page can without being let in, and says what it could read. */
  const TRIES = (target: string, token: string) => `<!doctype html><title>stranger</title><script>
    const read = [];
    const tried = (name, made) => made.then((text) => read.push(name + ': ' + text), () => {});
    const url = ${JSON.stringify(target)};
    const json = { method: 'POST', headers: { 'content-type': 'application/json', 'x-remit-session': ${JSON.stringify(token)}, 'x-remit-nonce': 'a-nonce-of-sixteen' }, body: '{}' };
    const all = [
      tried('cors', fetch(url + '/api/triage', json).then((r) => r.text())),
      tried('simple', fetch(url + '/api/triage', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: '{}' }).then((r) => r.text().then((t) => { if (t) throw t; throw 0; }))),
      tried('document', fetch(url + '/').then((r) => r.text())),
      tried('socket', new Promise((yes, no) => { const s = new WebSocket(url.replace('http', 'ws') + '/api/triage'); s.onopen = () => yes('open'); s.onerror = no; })),
      tried('events', new Promise((yes, no) => { const s = new EventSource(url + '/api/triage'); s.onmessage = () => yes('open'); s.onerror = () => { s.close(); no(); }; })),
      tried('frame', new Promise((yes, no) => { const f = document.createElement('iframe'); f.src = url + '/'; f.onload = () => { try { yes(f.contentDocument.body.innerText); } catch { no(); } }; document.documentElement.append(f); setTimeout(no, 1500); })),
      tried('script', new Promise((yes, no) => { const s = document.createElement('script'); s.src = url + '/'; s.onload = () => yes('ran'); s.onerror = no; document.documentElement.append(s); })),
    ];
    const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain'; form.action = url + '/api/act'; form.target = 'elsewhere';
    document.documentElement.append(form); form.submit();
    const link = document.createElement('link'); link.rel = 'prefetch'; link.href = url + '/'; document.documentElement.append(link);
    Promise.all(all).then(() => { document.title = 'done ' + JSON.stringify(read); });
  </script>`;

  it('reads nothing and writes nothing, even with the session in its hands', async () => {
    const asker = await Asker.from(console);
    const port = await listening((_, response) => {
      response.setHeader('content-type', 'text/html').end(TRIES(console.origin, asker.token));
    });
    received = 0;
    for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
      const { page } = await browser.open(`http://${host}:${port}/`);
      await page.waitForFunction('document.title.startsWith("done")');
      expect(await page.title(), host).toBe('done []');
    }
    expect(received).toBe(0);
  });

  it('under another name of this machine is not the page at all', async () => {
    const { page } = await browser.open(`http://evil.example:${new URL(console.origin).port}/`);
    expect(await page.textContent('body')).toContain('this is not the host of this page');
  });
});

describe.skipIf(noBrowser)('a program that took the port of a console that ended', () => {
  it('gets one request of an open page, and none after it', async () => {
    const { page } = await browser.open(console.url);
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    // A browser sends a call once more whose connection ended before its answer.
    await page.getByText('This machine has no books').waitFor();
    await console.end();
    const asked: string[] = [];
    await listening(
      (request, response) => {
        asked.push(request.url ?? '');
        response.setHeader('content-type', 'application/json').end('{"rows":[],"notes":[],"readAt":""}');
      },
      Number(new URL(console.origin).port),
    );
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByText('Another program answers at this address now').first().waitFor();
    await page.getByRole('link', { name: 'My requests' }).click();
    await page.getByRole('heading', { name: 'My requests' }).waitFor();
    expect(asked).toEqual(['/api/triage']);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

describe.skipIf(noBrowser)('a console that was started again on its port', () => {
  it('knows nothing of the page of before, which says so, and goes on with a new code', async () => {
    const { page } = await browser.open(console.url);
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    await console.end();
    const again = await open(['--write', '--port', new URL(console.origin).port]);
    expect(again.origin).toBe(console.origin);
    received = 0;
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByText('this page is no longer signed in').first().waitFor();
    await page.getByRole('link', { name: 'Pay runs' }).click();
    await page.getByRole('heading', { name: 'Pay runs' }).waitFor();
    expect(received).toBe(0);
    // In the same tab, as somebody who pastes the new address over the old one does.
    await page.goto(again.url);
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByRole('link', { name: 'Ada Obi' }).first().waitFor();
  });
});
