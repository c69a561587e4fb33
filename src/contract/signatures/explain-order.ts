/** The trials, in the order of `cause-table.ts`: what happens most often comes before what happens seldom. */

import { keyEnd } from './explain-headers.ts';
import { signingTrials } from './explain-signing.ts';
import type { Case, Trial } from './explain-trials.ts';
import type { Variant } from './finding.ts';
import { urlPairs, urlVariants } from './url-variants.ts';

export function* trialsOf(open: Case): Generator<Trial> {
  yield* headers(open);
  yield* signatures(open);
  yield* urlVariants(open).map(byUrl);
  yield* open.bodies.map((body) => byBody(open, body));
  yield* verbs(open);
  yield* signingTrials(open);
  yield* nonces(open);
  yield* secrets(open);
  yield* otherSecrets(open);
  yield* urlPairs(open).map(byUrl);
  for (const url of urlVariants(open))
    for (const body of open.bodies) yield { ...byBoth(url, body), url: url.value, digest: body.value };
}

const byUrl = ({ cause, value, change }: Variant<string>): Trial => ({
  cause,
  url: value,
  say: `the URL differs: ${change}`,
  hint: `the signature is for ${value}: verify against exactly this URL, or register the one you use`,
});

const byBody = (open: Case, { cause, value, change }: Variant<string>): Trial => ({
  cause,
  digest: value,
  say: `${whoChanged(open)}: ${change}`,
});

/** A caller that signs one text and sends another changed it itself. */
const whoChanged = ({ sentBy }: Case): string =>
  sentBy === 'service'
    ? 'the body was changed on the way'
    : 'the body that was signed is not the one that was sent';

const byBoth = (url: Variant<string>, body: Variant<string>): Trial => ({
  cause: 'url_and_body',
  say: `two things differ. The URL: ${url.change}. The body: ${body.change}`,
  hint: `the signature is for ${url.value}, and for the raw bytes before anything re-wrote them`,
});

function* headers({ signed: { nonce, signature }, signed }: Case): Generator<Trial> {
  yield {
    cause: 'header_swapped',
    nonce: signature,
    signature: nonce,
    say: 'the nonce stands in Authorization-Signature, and the signature in Authorization-Nonce',
  };
  const nonces = partsOf(signed.nonce);
  const signatures = partsOf(signed.signature);
  if (nonces.length < 2 && signatures.length < 2) return;
  const name = nonces.length > 1 ? 'Authorization-Nonce' : 'Authorization-Signature';
  for (const one of nonces)
    for (const other of signatures)
      yield {
        cause: 'header_twice',
        nonce: one,
        signature: other,
        say: `${name} came more than once, and its values were joined with a comma`,
      };
}

const MOST_PARTS = 4;
const partsOf = (value: string): string[] =>
  value
    .split(',')
    .slice(0, MOST_PARTS)
    .map((part) => part.trim());

function* signatures({ signed: { signature } }: Case): Generator<Trial> {
  const tidy = signature.replace(/^["'\s]+|(?<!["'\s])["'\s]+$/g, '');
  if (signature !== signature.toLowerCase())
    yield {
      cause: 'signature_case',
      signature: tidy.toLowerCase(),
      say: 'the signature is right but for its spelling: upper-case letters',
    };
  if (tidy !== signature)
    yield {
      cause: 'signature_space',
      signature: tidy,
      say: 'the signature is right but for white space or quotes around it',
    };
  const bytes = Buffer.from(tidy, 'base64');
  if (bytes.length === 64)
    yield {
      cause: 'signature_base64',
      signature: bytes.toString('hex'),
      say: 'the signature is right but written in base64',
    };
  const prefix = /^[a-z0-9-]{1,20}[=: ]\s*([0-9a-f]{128})$/i.exec(tidy);
  if (prefix?.[1])
    yield {
      cause: 'signature_prefix',
      signature: prefix[1].toLowerCase(),
      say: 'the signature is right but for a prefix before it',
    };
}

const VERBS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
const titled = (verb: string): string => `${verb.slice(0, 1)}${verb.slice(1).toLowerCase()}`;

const verbs = ({ method }: Case): Trial[] =>
  [...VERBS, method.toLowerCase(), titled(method)]
    .filter((verb) => verb !== method)
    .map((verb) => ({
      cause: 'verb',
      method: verb,
      say: `the signature is for the verb ${verb}, and the request is verified as ${method}`,
    }));

const SPACES = ['\n', '\r\n', ' ', '\t'];

function nonces({ signed: { nonce } }: Case): Trial[] {
  const space = 'the signature is for the nonce with other white space around it';
  const spaced = [nonce.trim(), ...SPACES.map((end) => nonce + end), ` ${nonce}`, ` ${nonce} `];
  return [
    ...spaced.map((value): Trial => ({ cause: 'nonce_space', nonce: value, say: space })),
    ...[nonce.toLowerCase(), nonce.toUpperCase()].map(
      (value): Trial => ({
        cause: 'nonce_case',
        nonce: value,
        say: 'the signature is for the nonce in the other case of its letters',
      }),
    ),
  ];
}

function secrets({ credentials: { key, secret } }: Case): Trial[] {
  const forms: (readonly [Trial['cause'], string | Buffer, string])[] = [
    ['secret_space', secret.trim(), 'there is white space around the secret that is configured here'],
    ['secret_space', secret.replace(/\s+/g, ''), 'there is white space within the secret here'],
    ...SPACES.map(
      (end) =>
        [
          'secret_space',
          secret + end,
          'the signer used the secret with white space (a line end) after it',
        ] as const,
    ),
    ['secret_space', ` ${secret}`, 'the signer used the secret with a space before it'],
    [
      'secret_quotes',
      secret.trim().replace(/^(["'])(.*)\1$/, '$2'),
      'there are quotes around the secret that is configured here',
    ],
    ['secret_quotes', `"${secret}"`, 'the signer used the secret with quotes around it'],
    ['secret_quotes', `'${secret}'`, 'the signer used the secret with quotes around it'],
    ['secret_form', Buffer.from(secret, 'base64'), 'the signer decoded the secret from base64'],
    ['secret_form', Buffer.from(secret, 'hex'), 'the signer decoded the secret from hex'],
    [
      'secret_form',
      Buffer.from(secret).toString('base64'),
      'the secret is configured decoded, and the signer uses its base64',
    ],
    ['secret_form', key, 'the signer used the key as the secret'],
  ];
  return forms
    .filter(([, value]) => value.length > 0 && value !== secret)
    .map(([cause, value, say]) => ({ cause, secret: value, say }));
}

const otherSecrets = ({ others, credentials }: Case): Trial[] =>
  others.flatMap(({ name, secret }) =>
    secret === undefined || secret === credentials.secret
      ? []
      : [
          {
            cause: 'other_profile_secret',
            secret,
            say: `it is signed for key ${keyEnd(credentials.key)}, but with the secret of ${name}`,
          },
        ],
  );
