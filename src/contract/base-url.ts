/** Checks a base URL: it is signed, so it must be exact, and it receives the key, so it must be safe. */
import { isLoopback } from '../core/hosts.ts';

/** The address of a sandbox on this machine, the default base URL. */
export const SANDBOX_URL = 'http://127.0.0.1:4010/v1';

export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError';
  constructor(
    message: string,
    /** The user who gave the URL may allow `plain_http`; nothing else. */
    readonly kind: 'malformed' | 'plain_http' = 'malformed',
  ) {
    super(message);
  }
}

/**
 * Normalises a base URL (no trailing slash) or says what is wrong with it in one sentence.
 * @throws BaseUrlError
 */
export function checkBaseUrl(text: string, options: { insecure?: boolean } = {}): string {
  const url = exactUrl(text, 'base URL', 'https://… (or http:// for a local sandbox)');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (!/\/v\d+$/.test(path)) {
    throw new BaseUrlError(
      `base URL "${text.trim()}" does not end in its version segment: it should end in /v1`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !options.insecure) {
    throw new BaseUrlError(
      `base URL "${text.trim()}" is plain HTTP to a host that is not this machine: use https://`,
      'plain_http',
    );
  }
  return `${url.origin}${path}`;
}

/**
 * The same for the host of the reports, which has no version segment. Nothing makes plain HTTP to another host right.
 * @throws BaseUrlError
 */
export function checkReportsUrl(text: string): string {
  const url = exactUrl(text, 'reports URL', 'https://…');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new BaseUrlError(
      `reports URL "${text.trim()}" is plain HTTP to a host that is not this machine: use https://`,
    );
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

function exactUrl(text: string, what: string, how: string): URL {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) {
    throw new BaseUrlError(`${what} "${trimmed}" is ${scheme}: the service speaks https://`);
  }
  if (scheme === undefined) {
    throw new BaseUrlError(`${what} "${trimmed}" has no scheme: write ${how}`);
  }
  const url = parse(trimmed);
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError(
      `the ${what} holds a user name or password: leave them out, the key and secret are given apart`,
    );
  }
  if (trimmed.includes('?')) throw new BaseUrlError(`${what} "${trimmed}" has a query: leave it out`);
  if (trimmed.includes('#')) throw new BaseUrlError(`${what} "${trimmed}" has a fragment: leave it out`);
  return url;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new BaseUrlError(`"${text}" is not a URL`);
  }
}
