/**
 * A pool of connections to PostgreSQL: the server is verified, and a failure is a StoreError that never has the password
 * in it.
 */
import { byWord } from '../core/by-word.ts';
import { isLoopback } from '../core/hosts.ts';
import type { PostgresConnection, PostgresPool, PostgresQueries } from './postgres-queries.ts';
import { type StoreContent, StoreError, type StoreErrorKind } from './store-error.ts';

export interface PostgresOptions {
  /** `postgres://user@host:port/database?sslmode=verify-full`; what else it takes is node-postgres's. */
  url: string;
  password?: string | undefined;
}

const CONNECT_MS = 5000;
/** A statement that is not answered by then is lost, with its connection. */
const ANSWER_MS = 15_000;

export interface OpenPool {
  /** The address without its password. */
  name: string;
  pool: PostgresPool;
  close(): Promise<void>;
}

export async function openPool(
  { url, password }: PostgresOptions,
  { max, holds }: { max: number; holds: StoreContent },
): Promise<OpenPool> {
  const { default: pg } = await import('pg');
  const name = withoutPassword(url);
  const address = password === undefined ? url : withParameter(url, 'password', password);
  const hidden = [...(password === undefined ? [] : [password]), ...writtenPasswords(url)];
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asStoreError(error, { name, hidden, holds });
    }
  };
  /* The client is asked for the values that it made of address and environment. */
  const client = await guarded(
    async () => new pg.Client({ connectionString: withParameter(address, ...VERIFIED) }),
  );
  if (client.password) hidden.push(client.password);
  const pool = new pg.Pool({
    connectionString: strict(address, client.host),
    max,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'remit',
  });
  /* A connection that breaks while idle is replaced at its next use. */
  pool.on('error', () => {});
  const asking = (queries: PostgresQueries): PostgresQueries => ({
    query: (text, values) => guarded(() => queries.query(text, values)),
  });
  const { options, Client } = pool as PostgresPool;
  return {
    name,
    pool: {
      ...asking(pool as PostgresPool),
      name,
      ...(options && Client && { options, Client }),
      connect: () =>
        guarded(async () => {
          const connection: PostgresConnection = await pool.connect();
          return {
            ...asking(connection),
            release: (error) => connection.release(error),
            on: (event, listener) => connection.on(event, listener),
            off: (event, listener) => connection.off(event, listener),
          };
        }),
    },
    close: () => guarded(() => pool.end()),
  };
}

const VERIFIED = ['sslmode', 'verify-full'] as const;
const ASKS_FOR_TLS = ['prefer', 'require', 'verify-ca'];

/**
 * A server on another host is verified in full unless the address says `sslmode=disable`: the server is sent the password. On this
 * machine TLS is verified where it is asked for; node-postgres would only warn of a future in which some of these are weaker.
 */
function strict(url: string, host: string): string {
  const mode = parametersOf(url).getAll('sslmode').at(-1);
  const isHere = host.startsWith('/') || isLoopback(host);
  const isPlain = isHere ? !ASKS_FOR_TLS.includes(mode ?? '') : mode === 'disable';
  return isPlain ? url : withParameter(url, ...VERIFIED);
}

const parametersOf = (url: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');

/** The last of a name is the one that node-postgres takes. */
function withParameter(url: string, name: string, value: string): string {
  const [address = ''] = url.split('#', 1);
  return `${address}${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

/** The address for people: `postgres://user:***@host/database`. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^(\w+:\/\/[^/?#@:]*):[^/?#]*@/, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');
}

/** Passwords as the address spells them, before they are decoded. */
const writtenPasswords = (url: string): string[] =>
  [/^\w+:\/\/[^/?#@:]*:([^/?#]*)@/, /[?&]password=([^&#]*)/i, /[?&]sslpassword=([^&#]*)/i].flatMap(
    (pattern) => pattern.exec(url)?.[1] || [],
  );

/** Kinds by SQLSTATE, its class, or a socket code. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_CODE: Readonly<Record<string, StoreErrorKind>> = byWord({
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  '28': 'denied',
  '3D': 'denied',
  '42501': 'denied',
  '25006': 'denied',
  '53100': 'full',
  '53': 'busy',
  '40': 'busy',
  '55P03': 'busy',
  XX001: 'corrupt',
  XX002: 'corrupt',
});

interface Address {
  name: string;
  hidden: readonly string[];
  holds: StoreContent;
}

function asStoreError(error: unknown, { name, hidden, holds }: Address): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  return new StoreError(kindOf(error), name, sayable(error, hidden), { holds });
}

/** Codes by which OpenSSL, and Node itself, say that a certificate or a handshake is not to be trusted. */
const UNTRUSTED = /CERT|UNABLE_TO|^ERR_(?:TLS|SSL)/;

function kindOf(error: Error): StoreErrorKind {
  const { code = '', path, severity } = error as NodeJS.ErrnoException & { severity?: string };
  // A panic takes the server down, whatever its cause.
  if (severity === 'PANIC') return 'unreachable';
  const known = BY_CODE[code] ?? BY_CODE[code.slice(0, 2)];
  if (known) return known;
  if (UNTRUSTED.test(code) || error.message.includes('does not support SSL')) return 'untrusted';
  // A folder in the place of a file is read without being named.
  if (path !== undefined || code === 'EISDIR') return 'unreadable';
  /* Without an SQLSTATE the server did not say it: the way to it is what failed. */
  return /^[0-9A-Z]{5}$/.test(code) ? 'failed' : 'unreachable';
}

/**
 * An error for several addresses has no text of its own. The cause is left out: it may hold the address. A server may say the password
 * again, as it is or encoded.
 */
function sayable(error: Error, hidden: readonly string[]): string {
  const inner =
    error instanceof AggregateError ? error.errors.map((one: Error) => one.message).join(', ') : '';
  const text = error.message || inner || 'no answer';
  return hidden
    .filter((one) => one !== '')
    .flatMap((one) => [one, encodeURIComponent(one)])
    .sort((a, b) => b.length - a.length)
    .reduce((said, one) => said.replaceAll(one, '***'), text);
}
