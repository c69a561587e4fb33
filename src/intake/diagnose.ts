/**
 * Why a signature does not verify, as one cause. It changes one thing after the other (URL, body, verb, secret) until the
 * signature fits; what had to be changed is the cause. Never prints a secret, a nonce or a signature whole.
 */
import { createHmac } from 'node:crypto';
import {
  bodyDigest,
  type Credentials,
  equalInConstantTime,
  headerNames,
  headerValue,
} from '../contract/signing.ts';
import { bodyVariants } from './body-variants.ts';
import type { Finding, Headers, ReceivedRequest, Variant } from './finding.ts';
import { urlVariants } from './url-variants.ts';

interface Signed {
  nonce: string;
  signature: string;
}

/** For a request whose signature does not verify. */
export function diagnose(request: ReceivedRequest, credentials: Credentials): Finding {
  const { headers } = request;
  const absent = absentHeader(headers);
  if (absent) return absent;
  const key = headerValue(headers, headerNames.key) ?? '';
  if (key !== credentials.key) return otherKey(key, credentials.key);
  const signed: Signed = {
    nonce: headerValue(headers, headerNames.nonce) ?? '',
    signature: headerValue(headers, headerNames.signature) ?? '',
  };
  return (
    shapeOf(request, signed, credentials) ??
    changedPart(request, signed, credentials.secret) ??
    changedSecret(request, signed, credentials) ??
    NOTHING_FITS
  );
}

const OUR_HEADERS = [headerNames.key, headerNames.nonce, headerNames.signature];

function absentHeader(headers: Headers): Finding | null {
  const absent = OUR_HEADERS.filter((name) => !headerValue(headers, name));
  if (absent.length === 0) return null;
  const other = otherScheme(headers);
  if (absent.length === OUR_HEADERS.length && other) return other;
  const renamed = Object.keys(headers).find((name) => absent.some((wanted) => sounds(name, wanted)));
  return {
    cause: 'missing_header',
    message: `the request has no ${absent.join(', no ')}`,
    hint: renamed
      ? `there is a header ${renamed}: something on the way renames headers`
      : 'something on the way drops headers (a proxy, a tunnel, a function gateway), or the request is not from the service',
  };
}

/** `HTTP_AUTHORIZATION_NONCE`, `x-authorization-nonce` and `authorization_nonce` are renamings. */
function sounds(name: string, wanted: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return plain.endsWith(wanted.toLowerCase());
}

function otherScheme(headers: Headers): Finding | null {
  const names = Object.keys(headers);
  const found =
    names.find((name) => name.toLowerCase() === headerNames.secret.toLowerCase()) ??
    names.find((name) => name.toLowerCase() === 'authorization') ??
    names.find((name) => /signature|hmac/i.test(name));
  if (!found) return null;
  return {
    cause: 'other_scheme',
    message: `the request is not signed by this scheme: it carries ${found} instead of ${OUR_HEADERS.join(', ')}`,
    hint: 'it comes from another sender, or from code that signs in another way',
  };
}

const lastFour = (text: string): string => `…${text.slice(-4)}`;

function otherKey(theirs: string, ours: string): Finding {
  const spaced = theirs.trim() === ours.trim();
  return {
    cause: 'other_key',
    message: spaced
      ? 'the key is the same but for white space around it'
      : `the request is signed for key ${lastFour(theirs)}, and key ${lastFour(ours)} is used here`,
    hint: spaced
      ? 'take the white space out of the key that is configured here'
      : 'use the profile of that key: sandbox and production have keys of their own',
  };
}

const HEX_LENGTHS: Readonly<Record<number, string>> = { 40: 'SHA-1', 64: 'SHA-256', 96: 'SHA-384' };

function shapeOf(request: ReceivedRequest, signed: Signed, { secret }: Credentials): Finding | null {
  const { signature } = signed;
  if (/^[0-9a-f]{128}$/.test(signature)) return null;
  const shape = (message: string, hint: string): Finding => ({ cause: 'signature_shape', message, hint });
  const tidy = signature.trim().toLowerCase();
  if (fits(request, { ...signed, signature: tidy }, secret)) {
    return shape(
      'the signature is right but for its spelling: upper-case letters or white space',
      'send it as 128 lower-case hex digits',
    );
  }
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length === 64 && fits(request, { ...signed, signature: bytes.toString('hex') }, secret)) {
    return shape('the signature is right but written in base64', 'send it as 128 lower-case hex digits');
  }
  const digest = /^[0-9a-f]+$/i.test(signature) ? HEX_LENGTHS[signature.length] : undefined;
  return shape(
    `the signature has ${signature.length} characters${digest ? `, as ${digest} gives` : ''}; 128 hex digits are expected`,
    digest ? 'use HMAC with SHA-512' : 'something cut the header short, or another scheme made it',
  );
}

function textToSign(nonce: string, method: string, url: string, digest: string): string {
  return `${nonce}&${method}&${url}&${digest}`;
}

function fits(
  { rawBody, url, method = 'POST' }: ReceivedRequest,
  signed: Signed,
  secret: string | Buffer,
): boolean {
  return matches(signed, secret, textToSign(signed.nonce, method.toUpperCase(), url, bodyDigest(rawBody)));
}

function matches({ signature }: Signed, secret: string | Buffer, text: string): boolean {
  return equalInConstantTime(createHmac('sha512', secret).update(text).digest('hex'), signature);
}

/** The URL first, since it is the usual cause; then the body, then the verb, then URL and body together. */
function changedPart(request: ReceivedRequest, signed: Signed, secret: string): Finding | null {
  const method = (request.method ?? 'POST').toUpperCase();
  const urls = urlVariants(request);
  const bodies = bodyVariants(request.rawBody).map(({ value, change }) => ({
    value: bodyDigest(value),
    change,
  }));
  const asIs = bodyDigest(request.rawBody);
  const found = (verb: string, url: string, digest: string) =>
    matches(signed, secret, textToSign(signed.nonce, verb, url, digest));

  const url = urls.find(({ value }) => found(method, value, asIs));
  if (url) return changedUrl(url);
  const body = bodies.find(({ value }) => found(method, request.url, value));
  if (body) return changedBody(body.change);
  const verb = VERBS.find((other) => other !== method && found(other, request.url, asIs));
  if (verb) return changedVerb(verb, method);
  for (const one of urls) {
    const other = bodies.find(({ value }) => found(method, one.value, value));
    if (other) return { ...changedUrl(one), cause: 'url_and_body', message: both(one, other.change) };
  }
  return null;
}

const VERBS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'post', 'Post'];

const changedUrl = ({ value, change }: Variant<string>): Finding => ({
  cause: 'url',
  message: `the URL differs: ${change}`,
  hint: `the signature is for ${value}: verify against exactly this URL, or register the one you use`,
});

const changedBody = (change: string): Finding => ({
  cause: 'body',
  message: `the body was changed on the way: ${change}`,
  hint: 'verify the raw bytes before anything parses, trims or re-writes them',
});

const changedVerb = (signed: string, method: string): Finding => ({
  cause: 'verb',
  message: `the signature is for the verb ${signed}, and the request is verified as ${method}`,
  hint: 'webhooks are signed as POST, in upper case',
});

const both = (url: Variant<string>, body: string): string =>
  `two things differ. The URL: ${url.change}. The body: ${body}`;

function changedSecret(
  request: ReceivedRequest,
  signed: Signed,
  { key, secret }: Credentials,
): Finding | null {
  const forms: Variant<string | Buffer>[] = [
    { value: secret.trim(), change: 'there is white space around the secret that is configured here' },
    { value: `${secret}\n`, change: 'the signer used the secret with a line end after it' },
    { value: Buffer.from(secret, 'base64'), change: 'the signer decoded the secret from base64' },
    { value: Buffer.from(secret, 'hex'), change: 'the signer decoded the secret from hex' },
    { value: key, change: 'the signer used the key as the secret' },
  ];
  const found = forms.find(({ value }) => value.length > 0 && fits(request, signed, value));
  if (!found) return null;
  return {
    cause: 'secret_form',
    message: found.change,
    hint: 'the secret is used as its text, byte for byte, without white space around it',
  };
}

const NOTHING_FITS: Finding = {
  cause: 'secret',
  message:
    'key and form are right, but the signature was made with another secret, or for another URL or body',
  hint: 'check the secret of this key first; then the registered URL, and whether something rewrites the body',
};
