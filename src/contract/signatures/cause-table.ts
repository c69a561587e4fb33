/**
 * Everything that can be wrong with a signed delivery, as single causes. `diagnose` tries them in this order, and names the
 * one that makes the signature match. A match is advice to the developer; it never lets a delivery in.
 */
type Part =
  | 'headers'
  | 'key'
  | 'signature'
  | 'url'
  | 'body'
  | 'verb'
  | 'signing'
  | 'nonce'
  | 'secret'
  | 'content';

export interface CauseInfo {
  part: Part;
  /** The fault, in a few words. */
  meaning: string;
  /** The step that mends it. */
  hint: string;
}

const row = (part: Part, meaning: string, hint: string): CauseInfo => ({ part, meaning, hint });

const EXACTLY_THIS = 'verify against exactly the URL that is registered, or register the one you use';
const RAW_BYTES = 'verify the raw bytes before anything parses, trims or re-writes them';
const ITS_TEXT =
  'the secret is used as its text, byte for byte, without white space or quotes around it, and not decoded';
const SIGNED_TEXT =
  'sign NONCE&VERB&URL&DIGEST: the verb in upper case, the full URL, SHA-512 of the raw body in lower-case hex';
const LOWER_HEX = 'the header must arrive as 128 lower-case hex digits, as the service sends it';

const causes = {
  missing_header: row(
    'headers',
    'a header of the signature is missing',
    'something on the way drops headers (a proxy, a tunnel, a function gateway), or the request is not from the service',
  ),
  other_scheme: row(
    'headers',
    'the request is signed by another scheme',
    'it comes from another sender, or from code that signs in another way',
  ),
  header_swapped: row(
    'headers',
    'two of the headers carry each other’s value',
    'look where the headers are read or set: Authorization-Key, Authorization-Nonce, Authorization-Signature',
  ),
  header_twice: row(
    'headers',
    'a header came twice and its values were joined',
    'something on the way adds the header a second time: let it set the header once',
  ),
  key_space: row(
    'key',
    'the key is the same but for white space or quotes around it',
    'take the white space and the quotes out of the key that is configured here',
  ),
  other_profile_key: row(
    'key',
    'it is signed for the key of another profile',
    'verify with the profile of that key: sandbox and production have keys of their own',
  ),
  key_header: row(
    'key',
    'the signature is right, and only the key header names another key',
    'something on the way rewrites Authorization-Key',
  ),
  other_key: row(
    'key',
    'it is signed for a key that is not the one used here',
    'use the profile of that key: sandbox and production have keys of their own',
  ),
  signature_case: row('signature', 'the signature is written in upper case', LOWER_HEX),
  signature_space: row('signature', 'there is white space or quotes around the signature', LOWER_HEX),
  signature_base64: row('signature', 'the signature is written in base64', LOWER_HEX),
  signature_prefix: row('signature', 'the signature has a prefix such as sha512=', LOWER_HEX),
  signature_cut: row(
    'signature',
    'the end of the signature is cut off',
    'something on the way limits the length of headers: 128 characters must fit',
  ),
  signature_digest: row(
    'signature',
    'the signature was made with another digest than SHA-512',
    'use HMAC with SHA-512, and SHA-512 of the body',
  ),
  signature_shape: row(
    'signature',
    'the signature is not 128 hex digits',
    'something cut or rewrote the header, or another scheme made it',
  ),
  url_scheme: row('url', 'http and https are exchanged', EXACTLY_THIS),
  url_port: row('url', 'the port is written in one and left out in the other', EXACTLY_THIS),
  url_slash: row('url', 'a slash at the end is there in one and not in the other', EXACTLY_THIS),
  url_query: row('url', 'the query is not the same', EXACTLY_THIS),
  url_tunnel: row(
    'url',
    'the host is that of a tunnel or proxy, and another host is registered',
    EXACTLY_THIS,
  ),
  url_host: row('url', 'the host is not the same', EXACTLY_THIS),
  url_prefix: row(
    'url',
    'a proxy took a prefix off the path, or put one before it',
    'verify against the registered URL, not the one that the proxy hands on',
  ),
  url_path: row('url', 'the path is not the same', EXACTLY_THIS),
  url_fragment: row('url', 'one has a fragment (#)', EXACTLY_THIS),
  url_encoding: row('url', 'characters are percent-encoded in one and not in the other', EXACTLY_THIS),
  url_registered: row('url', 'it is signed for another registered URL', EXACTLY_THIS),
  url: row('url', 'the URL differs in two places', EXACTLY_THIS),
  body_line_end: row('body', 'a line end was added at the end, or cut off', RAW_BYTES),
  body_space: row('body', 'white space around it was added or cut off', RAW_BYTES),
  body_bom: row('body', 'a byte order mark was added or removed', RAW_BYTES),
  body_crlf: row('body', 'its line ends were changed (CR LF)', RAW_BYTES),
  body_empty: row('body', 'the signature is for an empty body', RAW_BYTES),
  body_compressed: row(
    'body',
    'these are the packed bytes, and the signature is for what they hold',
    'unpack first, then verify: or let nothing on the way pack requests',
  ),
  body_decompressed: row(
    'body',
    'it was unpacked, and the signature is for the packed bytes',
    'verify before the body is unpacked (Content-Encoding), on the bytes that came over the wire',
  ),
  body_charset: row('body', 'it was read in one charset and written in another', RAW_BYTES),
  body_rewritten: row('body', 'it was parsed and written again as JSON', RAW_BYTES),
  body_wrapped: row('body', 'it was put into a packaging on the way', RAW_BYTES),
  body_lost: row(
    'body',
    'it is not there any more: it is empty, or what is left of an object',
    'something read it before, such as a parser of bodies, or a redirect made a GET of the POST: take the raw bytes first',
  ),
  verb: row('verb', 'the signature is for another verb', 'webhooks are signed as POST, in upper case'),
  signed_digest: row('signing', 'the signed text has another digest of the body', SIGNED_TEXT),
  signed_url: row('signing', 'the signed text has a part of the URL', SIGNED_TEXT),
  signed_text: row('signing', 'the parts of the signed text are others, or in another order', SIGNED_TEXT),
  signed_mac: row(
    'signing',
    'the text is right, and was not signed with HMAC-SHA-512 under the secret',
    'use HMAC with SHA-512: the secret is the key of it, and the text its message',
  ),
  nonce_space: row(
    'nonce',
    'white space around the nonce was added or cut off',
    'sign and verify the nonce exactly as it stands in the header, without white space',
  ),
  nonce_case: row(
    'nonce',
    'the nonce is in upper case in one and in lower case in the other',
    'take the nonce exactly as it stands in the header',
  ),
  nonce_cut: row(
    'nonce',
    'the nonce is cut off: it is the beginning of a UUID',
    'what was cut off cannot be guessed: look for what limits or splits headers on the way',
  ),
  secret_space: row('secret', 'there is white space in the secret', ITS_TEXT),
  secret_quotes: row('secret', 'there are quotes around the secret', ITS_TEXT),
  secret_form: row('secret', 'the secret was decoded, or the key was taken for it', ITS_TEXT),
  other_profile_secret: row(
    'secret',
    'it is signed with another secret of this machine',
    'the key here goes with an older or another secret: put the current one in its place',
  ),
  url_and_body: row('url', 'the URL differs, and the body was changed', `${EXACTLY_THIS}; ${RAW_BYTES}`),
  secret: row(
    'secret',
    'another secret, or another URL or body than any that was tried',
    'check the secret of this key first; then the registered URL, and whether something rewrites the body',
  ),
  not_a_delivery: row(
    'content',
    'the signature is right, but the body is no delivery',
    'a delivery is {"webhook": …, "event": …, "object": {…}}',
  ),
} as const satisfies Record<string, CauseInfo>;

export type Cause = keyof typeof causes;

export const causeIds = Object.keys(causes) as Cause[];

export function causeInfo(cause: Cause): CauseInfo {
  return causes[cause];
}
