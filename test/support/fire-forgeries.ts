/**
 * Forged deliveries, made out of one that is genuine by one change each. A request is what HTTP carries of it, so that the same
 * forgery can be judged in the process or sent over a socket.
 */
import { createHash, createHmac } from 'node:crypto';
import type { Random } from '../../src/core/random.ts';
import { digestOf, KEY, NONCE, type Pair, type Requested, SIGNATURE, signatureOf } from './fire-requests.ts';

export interface Forgery extends Requested {
  kind: string;
}

/** What others have or had: forged with their own secret, or theirs under our key. */
export interface Forger {
  random: Random;
  ours: Pair;
  strangers: readonly Pair[];
  /** Genuine ones beside the one that is changed: their parts are borrowed. */
  others: readonly Requested[];
}

type Make = (from: Requested, forger: Forger) => Requested;

const pick = <T>({ random }: Pick<Forger, 'random'>, from: readonly T[]): T =>
  from[Math.floor(random.next() * from.length)] as T;
const place = ({ random }: Pick<Forger, 'random'>, length: number): number =>
  Math.floor(random.next() * Math.max(1, length));

/** Changes of a text, one of which is taken. */
const TEXT_CHANGES: readonly ((text: string, forger: Forger) => string)[] = [
  (text, forger) => flipBit(Buffer.from(text, 'latin1'), forger).toString('latin1'),
  (text, forger) => text.slice(0, place(forger, text.length)),
  (text, forger) => text.slice(1 + place(forger, text.length)),
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text, forger) => swap(text, place(forger, text.length - 1)),
  (text, forger) => insert(text, place(forger, text.length + 1), pick(forger, [...'0aZ&%/ ,;="\0é'])),
  (text, forger) => pick(forger, [` ${text}`, `${text} `, `\t${text}`, `${text}\n`, `"${text}"`, `${text},`]),
  (text) => `${text}${text}`,
  (text) => text.split('').reverse().join(''),
  () => '',
  (_, forger) =>
    pick(forger, ['null', 'undefined', '0', '[object Object]', '*', '%00', '../..', '0'.repeat(128)]),
];

const changed = (text: string, forger: Forger): string => pick(forger, TEXT_CHANGES)(text, forger);
const swap = (text: string, at: number): string =>
  text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);

function flipBit(bytes: Buffer, forger: Forger): Buffer {
  const flipped = Buffer.from(bytes);
  const at = place(forger, flipped.length);
  if (flipped.length > 0) flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << place(forger, 8)), at);
  return flipped;
}

const withHeader = (from: Requested, name: string, change: (value: string) => string): Requested => ({
  ...from,
  headers: from.headers.map(([each, value]) => [each, each === name ? change(value) : value]),
});
const valueIn = (from: Requested, name: string): string =>
  from.headers.find(([each]) => each === name)?.[1] ?? '';

const inHeader =
  (name: string): Make =>
  (from, forger) =>
    withHeader(from, name, (value) => changed(value, forger));

/** The header twice, in either order, or under a name that only looks like it. */
const doubled =
  (name: string): Make =>
  (from, forger) => {
    const value = valueIn(from, name);
    const second = pick(forger, [
      value,
      changed(value, forger),
      '',
      valueIn(pick(forger, forger.others), name),
    ]);
    const spelled = pick(forger, [name, name.toLowerCase(), name.toUpperCase()]);
    const at = place(forger, from.headers.length + 1);
    return { ...from, headers: from.headers.toSpliced(at, 0, [spelled, second]) };
  };

const renamed =
  (name: string): Make =>
  (from, forger) => ({
    ...from,
    headers: from.headers.map(([each, value]) => [each === name ? changedName(each, forger) : each, value]),
  });

const changedName = (name: string, forger: Forger): string =>
  pick(forger, [
    name.replace('-', '_'),
    name.replace('Authorization', 'Authorisation'),
    `X-${name}`,
    name.slice(0, -1),
    name.toLowerCase(),
    name.toUpperCase(),
  ]);

const borrowed =
  (name: string): Make =>
  (from, forger) =>
    withHeader(from, name, () => valueIn(pick(forger, forger.others), name));

/** Signed with another secret, for exactly this request: what remains is that the secret is not ours. */
const signedBy =
  (secretFor: (forger: Forger) => string): Make =>
  (from, forger) => {
    const parts = {
      nonce: valueIn(from, NONCE),
      method: from.method,
      url: from.url,
      digest: digestOf(from.body),
    };
    return withHeader(from, SIGNATURE, () => signatureOf(secretFor(forger), parts));
  };

const signedFor =
  (parts: (from: Requested, forger: Forger) => Partial<Parameters<typeof signatureOf>[1]>): Make =>
  (from, forger) => {
    const own = {
      nonce: valueIn(from, NONCE),
      method: from.method,
      url: from.url,
      digest: digestOf(from.body),
    };
    const signature = signatureOf(forger.ours.secret, { ...own, ...parts(from, forger) });
    return withHeader(from, SIGNATURE, () => signature);
  };

/** Each is one change of a genuine one. Some of what they make is equal to it in all that is signed: those are told apart. */
const KINDS: Record<string, Make> = {
  key: inHeader(KEY),
  nonce: inHeader(NONCE),
  signature: inHeader(SIGNATURE),
  'key twice': doubled(KEY),
  'nonce twice': doubled(NONCE),
  'signature twice': doubled(SIGNATURE),
  'key renamed': renamed(KEY),
  'nonce renamed': renamed(NONCE),
  'signature renamed': renamed(SIGNATURE),
  'an unrelated header': (from, forger) =>
    withHeader(from, pick(forger, ['Content-Type', 'User-Agent']), (value) => changed(value, forger)),
  'headers reordered': (from) => ({ ...from, headers: from.headers.toReversed() }),
  'nonce and signature exchanged': (from) =>
    withHeader(
      withHeader(from, NONCE, () => valueIn(from, SIGNATURE)),
      SIGNATURE,
      () => valueIn(from, NONCE),
    ),
  'nonce of another': borrowed(NONCE),
  'signature of another': borrowed(SIGNATURE),
  'nonce and signature of another': (from, forger) => {
    const other = pick(forger, forger.others);
    return { ...other, body: from.body, url: from.url };
  },
  'body of another': (from, forger) => ({ ...from, body: pick(forger, forger.others).body }),
  url: (from, forger) => ({ ...from, url: changed(from.url, forger) }),
  'url, likely': (from, forger) => ({ ...from, url: likelyUrl(from.url, forger) }),
  method: (from, forger) => ({
    ...from,
    method: pick(forger, ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'post', 'Post', 'POSTS']),
  }),
  'body, a bit': (from, forger) => ({ ...from, body: flipBit(from.body, forger) }),
  body: (from, forger) => ({
    ...from,
    body: Buffer.from(changed(from.body.toString('latin1'), forger), 'latin1'),
  }),
  'body, rewritten': (from, forger) => ({
    ...from,
    body: Buffer.from(rewritten(from.body.toString(), forger)),
  }),
  'digest of another body': signedFor((_, forger) => ({
    digest: pick(forger, [
      digestOf(Buffer.alloc(0)),
      digestOf(pick(forger, forger.others).body),
      '',
      '0'.repeat(128),
    ]),
  })),
  'digest in another form': signedFor(({ body }, forger) => ({
    digest: pick(forger, [
      digestOf(body).toUpperCase(),
      createHash('sha512').update(body).digest('base64'),
      createHash('sha256').update(body).digest('hex'),
      body.toString(),
    ]),
  })),
  'signed for another method': signedFor((_, forger) => ({
    method: pick(forger, ['GET', 'PUT', 'PATCH', 'DELETE', 'post', '']),
  })),
  'signed for another url': signedFor(({ url }, forger) => ({ url: likelyUrl(url, forger) })),
  'signed for another nonce': signedFor((from, forger) => ({ nonce: changed(valueIn(from, NONCE), forger) })),
  'a secret close to ours': signedBy((forger) => changed(forger.ours.secret, forger)),
  'our secret with something around it': signedBy(({ ours, ...forger }) =>
    pick(forger, [
      `${ours.secret}\n`,
      ` ${ours.secret}`,
      `${ours.secret} `,
      `${ours.secret}\0`,
      `"${ours.secret}"`,
    ]),
  ),
  'our key as the secret': signedBy(({ ours }) => ours.key),
  'a secret of others under our key': signedBy((forger) => pick(forger, forger.strangers).secret),
  'key and secret of others': (from, forger) => {
    const stranger = pick(forger, forger.strangers);
    const signed = signedBy(() => stranger.secret)(from, forger);
    return withHeader(signed, KEY, () => stranger.key);
  },
  'their key, our secret': (from, forger) => withHeader(from, KEY, () => pick(forger, forger.strangers).key),
  'another algorithm': (from, forger) => {
    const text = `${valueIn(from, NONCE)}&POST&${from.url}&${digestOf(from.body)}`;
    const [name, form] = pick(forger, [
      ['sha256', 'hex'],
      ['sha1', 'hex'],
      ['sha512', 'base64'],
    ] as const);
    return withHeader(from, SIGNATURE, () => createHmac(name, forger.ours.secret).update(text).digest(form));
  },
};

function likelyUrl(url: string, forger: Forger): string {
  const parsed = new URL(url);
  return pick(forger, [
    url.replace('https:', 'http:'),
    url.replace(/^http:/, 'https:'),
    url.replace(parsed.host, `${parsed.hostname}:443`),
    url.replace(parsed.host, `www.${parsed.host}`),
    url.replace(parsed.host, parsed.host.toUpperCase()),
    `${url}/`,
    `${url}#`,
    url.replace(/\?.*/, ''),
    `${url}&x=1`,
    url.replace(parsed.pathname, `${parsed.pathname}/`),
    url.replace(parsed.pathname, `/x/..${parsed.pathname}`),
    url.replace(parsed.pathname, '/'),
    decodeURI(url),
    url.replaceAll('%20', '+'),
  ]);
}

/** The same JSON in other words. */
function rewritten(text: string, forger: Forger): string {
  const parsed = JSON.parse(text);
  return pick(forger, [
    JSON.stringify(parsed, null, 2),
    JSON.stringify(Object.fromEntries(Object.entries(parsed).reverse())),
    JSON.stringify({ ...parsed, extra: 1 }),
    text.replace('error', 'paid_out'),
    text.replace(/"id":"/, '"id":"x'),
    `${text}\n`,
    `\ufeff${text}`,
    text.replaceAll('/', '\\/'),
    text.normalize('NFD'),
    Buffer.from(text).toString('base64'),
  ]);
}

/** Every kind in turn, from each genuine one. */
export function forge(from: readonly Requested[], count: number, forger: Forger): Forgery[] {
  const kinds = Object.entries(KINDS);
  return Array.from({ length: count }, (_, n) => {
    const [kind, make] = kinds[n % kinds.length] as [string, Make];
    return { kind, ...make(pick(forger, from), forger) };
  });
}
