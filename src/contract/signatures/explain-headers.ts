/** Finds faults before the signature is looked at: headers that are missing, renamed, or of another scheme. */
import { headerNames, headerValue } from '../signed-text.ts';
import { causeInfo } from './cause-table.ts';
import type { Cause, Finding, Headers } from './finding.ts';

const OUR_HEADERS = [headerNames.key, headerNames.nonce, headerNames.signature];

export interface SignedHeaders {
  key: string;
  nonce: string;
  signature: string;
}

export function signedHeadersOf(headers: Headers): SignedHeaders {
  const [key = '', nonce = '', signature = ''] = OUR_HEADERS.map((name) => headerValue(headers, name));
  return { key, nonce, signature };
}

/** A finding has the hint of its cause, unless there is a better one. */
export const finding = (cause: Cause, message: string, hint: string = causeInfo(cause).hint): Finding => ({
  cause,
  message,
  hint,
});

export function absentHeader(headers: Headers): Finding | null {
  const absent = OUR_HEADERS.filter((name) => !headerValue(headers, name));
  if (absent.length === 0) return null;
  const other = absent.length === OUR_HEADERS.length ? otherScheme(headers) : undefined;
  if (other !== undefined)
    return finding(
      'other_scheme',
      `the request is not signed by this scheme: it carries ${shorten(other)} instead of ${OUR_HEADERS.join(', ')}`,
    );
  const renamed = Object.keys(headers).find((name) => absent.some((wanted) => sounds(name, wanted)));
  const message = `the request has no ${absent.join(', no ')}`;
  return renamed === undefined
    ? finding('missing_header', message)
    : finding(
        'missing_header',
        message,
        `there is a header ${shorten(renamed)}: something on the way renames headers`,
      );
}

/** `HTTP_AUTHORIZATION_NONCE`, `x-authorization-nonce` and `authorization_nonce` are renamings. */
function sounds(name: string, wanted: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return plain !== wanted.toLowerCase() && plain.endsWith(wanted.toLowerCase());
}

function otherScheme(headers: Headers): string | undefined {
  const names = Object.keys(headers);
  return (
    names.find((name) => name.toLowerCase() === headerNames.secret.toLowerCase()) ??
    names.find((name) => name.toLowerCase() === 'authorization') ??
    names.find((name) => /signature|hmac/i.test(name) && !OUR_HEADERS.some((ours) => sameName(ours, name)))
  );
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const MOST = 48;
/** A header's name comes from outside. */
const shorten = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST)}…` : name);

/** A short key is left out altogether: four of its characters would be too much of it. */
export const keyEnd = (key: string): string => (key.length > 8 ? `…${key.slice(-4)}` : '…');

const HEX_LENGTHS: Readonly<Record<number, string>> = {
  32: 'MD5',
  40: 'SHA-1',
  64: 'SHA-256',
  96: 'SHA-384',
};

/** Where nothing else explains it: what the signature looks like. */
export function shapeOf(signature: string): Finding | null {
  if (/^[0-9a-f]{128}$/.test(signature)) return null;
  const digest = /^[0-9a-f]+$/i.test(signature) ? HEX_LENGTHS[signature.length] : undefined;
  return finding(
    digest ? 'signature_digest' : 'signature_shape',
    `the signature has ${signature.length} characters${digest ? `, as ${digest} gives` : ''}; 128 hex digits are expected`,
  );
}
