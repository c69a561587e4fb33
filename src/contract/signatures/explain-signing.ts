/**
 * Mistakes of code that signs by itself (docs/wire.md 1): another digest of the body, other parts or another order, a part of the URL, a
 * hash in place of HMAC. Each is tried alone, and a URL together with a digest.
 */
import { createHmac, hash } from 'node:crypto';
import { bodyDigest } from '../signing.ts';
import type { Case, Trial } from './explain-trials.ts';
import { splitUrl } from './explain-url.ts';

export function* signingTrials(open: Case): Generator<Trial> {
  const digests = digestTrials(open);
  const urls = urlTrials(open);
  yield* digests;
  yield* urls;
  yield* textTrials(open);
  yield* macTrials(open);
  for (const url of urls)
    for (const digest of digests)
      yield {
        ...digest,
        ...url,
        say: `two things differ: ${url.say}, and ${digest.say}`,
      };
}

type Named = readonly [say: string, value: string];

/** A body that is not there may have been taken for one of these. */
const NOTHINGS = ['{}', 'null', '""', 'undefined', '[]', ' ', '[object Object]'];

function digestTrials({ request, digest, credentials: { secret } }: Case): Trial[] {
  const { rawBody } = request;
  const text = Buffer.from(rawBody).toString('utf8');
  const isEmpty = rawBody.length === 0;
  const body = isEmpty ? 'the body' : 'the body’s digest';
  const all: Named[] = [
    ...(isEmpty ? [] : [['the body itself stands in the signed text, not its SHA-512', text] as Named]),
    ['nothing stands in the signed text where the SHA-512 of the body belongs', ''],
    ['the SHA-512 of the body is in upper case in the signed text', digest.toUpperCase()],
    [
      'the SHA-512 of the body is in base64 in the signed text',
      Buffer.from(digest, 'hex').toString('base64'),
    ],
    ...(['sha256', 'sha1', 'md5', 'sha384', 'sha3-512'] as const).flatMap((algorithm): Named[] => [
      [`the digest of the body is ${algorithm.toUpperCase()}, not SHA-512`, hash(algorithm, rawBody, 'hex')],
      [
        `the digest of the body is ${algorithm.toUpperCase()} in base64, not SHA-512`,
        hash(algorithm, rawBody, 'base64'),
      ],
    ]),
    [
      'the digest of the body is an HMAC with the secret, not SHA-512',
      createHmac('sha512', secret).update(rawBody).digest('hex'),
    ],
    ['the SHA-512 of the body was hashed a second time', bodyDigest(digest)],
    ...(isEmpty
      ? NOTHINGS.map(
          (word): Named => [
            `the request has no body, and ${word.trim() || 'a blank'} was signed as ${body}`,
            bodyDigest(word),
          ],
        )
      : [
          ['the request has a body, and the signature is for none', bodyDigest('')] as Named,
          [
            'the body was made a JSON text twice before it was signed',
            bodyDigest(JSON.stringify(text)),
          ] as Named,
        ]),
  ];
  return all
    .filter(([, value]) => value !== digest)
    .map(([say, value]) => ({ cause: 'signed_digest', digest: value, say }));
}

/** Parts of the URL that stand for the whole in other schemes. */
function urlTrials({ request: { url } }: Case): Trial[] {
  const parts = splitUrl(url);
  if (!parts) return [];
  const { scheme, host, path, query } = parts;
  const all: Named[] = [
    ['the path and the query', `${path}${query}`],
    ['the path alone', path],
    ['the path without its version', `${path.replace(/^\/v\d+(?=\/)/, '')}${query}`],
    ['the path without the slash before it', `${path}${query}`.slice(1)],
    ['the host and the path, without the scheme', `${host}${path}${query}`],
    ['scheme and host, without the path', `${scheme}://${host}`],
    ['the URL percent-encoded as a whole', encodeURIComponent(url)],
  ];
  return all
    .filter(([, value]) => value !== url)
    .map(([what, value]) => ({
      cause: 'signed_url',
      url: value,
      say: `${what} was signed, not the full URL`,
    }));
}

const JOINED_BY: readonly Named[] = [
  ['nothing between them', ''],
  ['a line end between them', '\n'],
  ['CR LF between them', '\r\n'],
  ...['|', ':', ',', '.', ' ', '-', '+', ';', '/'].map((mark): Named => [`"${mark}" between them`, mark]),
];

/** The four parts otherwise put together. */
function textTrials(open: Case): Trial[] {
  const { signed, method, digest, request, credentials } = open;
  const parts = [signed.nonce, method, request.url, digest];
  const names = ['nonce', 'verb', 'URL', 'digest'];
  const whole = parts.join('&');
  const all: Named[] = [
    ...JOINED_BY.map(
      ([by, mark]): Named => [`the four parts were signed with ${by}, not "&"`, parts.join(mark)],
    ),
    ...orders([0, 1, 2, 3]).map(
      (order): Named => [
        `the parts were signed in another order: ${order.map((at) => names[at]).join(', ')}`,
        order.map((at) => parts[at]).join('&'),
      ],
    ),
    ...names.map(
      (name, left): Named => [
        `the ${name} is missing from the signed text`,
        parts.filter((_, at) => at !== left).join('&'),
      ],
    ),
    ['the body’s digest alone was signed', digest],
    ['the body alone was signed', Buffer.from(request.rawBody).toString('utf8')],
    ['the key stands before the signed text', `${credentials.key}&${whole}`],
    ['"&" stands after the signed text', `${whole}&`],
    ['"&" stands before the signed text', `&${whole}`],
    ['a line end stands after the signed text', `${whole}\n`],
  ];
  return all
    .filter(([, value]) => value !== whole)
    .map(([say, text]) => ({ cause: 'signed_text', text, say }));
}

function orders(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) =>
    orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/** The right text, and something else than HMAC-SHA-512 under the secret over it. */
function macTrials({ signed, method, digest, request, credentials: { secret } }: Case): Trial[] {
  const text = `${signed.nonce}&${method}&${request.url}&${digest}`;
  const all: Named[] = [
    ['the text was hashed with SHA-512 and no secret, not with HMAC', bodyDigest(text)],
    ['the secret was put before the text and hashed, not used with HMAC', bodyDigest(`${secret}${text}`)],
    ['the secret was put after the text and hashed, not used with HMAC', bodyDigest(`${text}${secret}`)],
    [
      'the secret and the text changed places in HMAC',
      createHmac('sha512', text).update(secret).digest('hex'),
    ],
    ['the text was hashed before HMAC', createHmac('sha512', secret).update(bodyDigest(text)).digest('hex')],
    ['HMAC was made with SHA3-512, not SHA-512', createHmac('sha3-512', secret).update(text).digest('hex')],
  ];
  return all.map(([say, mac]) => ({ cause: 'signed_mac', mac, say }));
}
