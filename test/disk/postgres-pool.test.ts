/** Whom a store's password is sent to, and that it is never said: against a server that asks for it in clear text and says it again. */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { openPool } from '../../src/disk/postgres-pool.ts';
import { closeAfterEach, portOf } from '../support/servers.ts';
import { TLS_FIXTURES } from '../support/tls.ts';

const closing = closeAfterEach();
const env = { ...process.env };
afterEach(() => {
  process.env = { ...env };
});

const SSL_REQUEST = 80_877_103;
const tls = ['server-key.pem', 'server.pem'].map((name) => readFileSync(join(TLS_FIXTURES, name)));

/** `got`: the passwords that it was sent, and how. It has a certificate that nobody here trusts. */
async function greedyServer() {
  const got: string[] = [];
  const serve = (socket: Socket, way: string): void => {
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      if (data.length === 8 && data.readInt32BE(4) === SSL_REQUEST) {
        socket.removeAllListeners('data');
        socket.write('S');
        serve(new TLSSocket(socket, { isServer: true, key: tls[0], cert: tls[1] }), 'tls');
      } else if (data[0] === 'p'.charCodeAt(0)) {
        const password = data.subarray(5, -1).toString();
        got.push(`${way} ${password}`);
        const text = `SFATAL\0C28P01\0Mno ${password} nor ${encodeURIComponent(password)}\0\0`;
        socket.end(message('E', Buffer.from(text)));
      } else socket.write(message('R', Buffer.from([0, 0, 0, 3])));
    });
  };
  const server = createServer((socket) => serve(socket, 'clear'));
  const port = await portOf(server);
  closing.push(() => server.close());
  return { got, port };
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}0000`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** What asking ends with. */
async function ask(url: string, password?: string): Promise<{ kind: string; message: string }> {
  const limits = { max: 1, holds: 'inbox' } as const;
  const pool = await openPool({ url, ...(password === undefined ? {} : { password }) }, limits);
  const error = await pool.pool.query('SELECT 1').then(
    () => expect.fail('there is no such database'),
    (failed: { kind: string; message: string }) => failed,
  );
  await pool.close();
  return error;
}

/** This machine, by a name that is none of its own. */
const ELSEWHERE = '0.0.0.0';

describe('a PostgreSQL on another host', () => {
  it.each([
    '',
    '?ssl=0',
    '?ssl=no-verify',
    '?sslmode=no-verify',
    '?sslmode=allow',
    '?sslmode=Disable',
    '?sslmode=disable&sslmode=no-verify',
    '?sslmode=no-verify#',
    '?uselibpqcompat=true&sslmode=require',
    '?%73slmode=no-verify',
    '?application_name=x&sslmode=verify-ca',
  ])('gets no password unless it is verified, with %j', async (query) => {
    const { got, port } = await greedyServer();
    const failed = await ask(`postgres://remit:hush@${ELSEWHERE}:${port}/remit${query}`);
    expect([failed.kind, got]).toEqual(['untrusted', []]);
  });

  it('is verified where its host is in the query or in the environment, whatever PGSSLMODE says', async () => {
    const { got, port } = await greedyServer();
    process.env.PGSSLMODE = 'disable';
    expect((await ask(`postgres://remit:hush@/remit?host=${ELSEWHERE}&port=${port}`)).kind).toBe('untrusted');
    process.env.PGHOST = ELSEWHERE;
    expect((await ask(`postgres://remit:hush@/remit?port=${port}`)).kind).toBe('untrusted');
    expect(got).toEqual([]);
  });

  it('is sent it in clear text where its address says so aloud; and so is this machine, where it says nothing', async () => {
    const { got, port } = await greedyServer();
    await ask(`postgres://remit:hush@${ELSEWHERE}:${port}/remit?sslmode=disable`);
    await ask(`postgres://remit:hush@127.0.0.1:${port}/remit`);
    await ask(`postgres://remit:hush@localhost:${port}/remit#`, 'from a file');
    expect(got).toEqual(['clear hush', 'clear hush', 'clear from a file']);
  });
});

describe('a password that a server says again', () => {
  const PASSWORD = 'hush-h%sh/ü&?';
  const encoded = encodeURIComponent(PASSWORD);
  it.each([
    ['in the address', (port: number) => [`postgres://remit:${encoded}@127.0.0.1:${port}/remit`]],
    ['in its query', (port: number) => [`postgres://remit@127.0.0.1:${port}/remit?password=${encoded}`]],
    ['of a file', (port: number) => [`postgres://remit@127.0.0.1:${port}/remit`, PASSWORD]],
    [
      'of PGPASSWORD',
      (port: number) => {
        process.env.PGPASSWORD = PASSWORD;
        return [`postgres://remit@127.0.0.1:${port}/remit`];
      },
    ],
  ])('is not printed, where it was %s', async (_, at) => {
    const { got, port } = await greedyServer();
    const [url = '', password] = at(port);
    const failed = await ask(url, password);
    expect(got).toEqual([`clear ${PASSWORD}`]);
    expect(failed.kind).toBe('denied');
    expect(failed.message).toContain('no *** nor ***');
    expect(JSON.stringify(failed)).not.toContain('hush-h');
  });
});
