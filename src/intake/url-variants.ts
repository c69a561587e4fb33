/** The URLs that a signer may have meant, the likelier first: fewer changes come before more. */
import { headerValue } from '../contract/signing.ts';
import type { Headers, ReceivedRequest, Variant } from './finding.ts';

interface Parts {
  scheme: string;
  /** With the port, where one is written. */
  host: string;
  path: string;
  /** With its question mark. */
  query: string;
  fragment: string;
}

type Change = [what: string, change: (parts: Parts, request: ReceivedRequest) => Parts | null];

export function urlVariants(request: ReceivedRequest): Variant<string>[] {
  const parts = split(request.url);
  if (!parts) return [];
  const seen = new Set([request.url]);
  const variants: Variant<string>[] = [];
  for (const { value, change } of combinations(parts, request)) {
    const url = join(value);
    if (seen.has(url)) continue;
    seen.add(url);
    variants.push({ value: url, change });
  }
  return variants;
}

function split(url: string): Parts | null {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url);
  if (!match) return null;
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] = match;
  return { scheme, host, path, query, fragment };
}

const join = ({ scheme, host, path, query, fragment }: Parts): string =>
  `${scheme}://${host}${path}${query}${fragment}`;

/** One change of the address and one of what follows it, alone and together. */
function combinations(parts: Parts, request: ReceivedRequest): Variant<Parts>[] {
  const origins = apply(ORIGINS, parts, request);
  const rests = apply(RESTS, parts, request);
  const pairs = origins.flatMap((origin) =>
    rests.map((rest) => ({
      value: { ...rest.value, scheme: origin.value.scheme, host: origin.value.host },
      change: `${origin.change}, and ${rest.change}`,
    })),
  );
  return [...origins, ...rests, ...pairs];
}

function apply(changes: Change[], parts: Parts, request: ReceivedRequest): Variant<Parts>[] {
  return changes.flatMap(([change, make]) => {
    const value = make(parts, request);
    return value ? [{ value, change }] : [];
  });
}

const other = (scheme: string): string => (scheme === 'https' ? 'http' : 'https');
const defaultPort = (scheme: string): string => (scheme === 'https' ? ':443' : ':80');

function togglePort(parts: Parts): Parts {
  const port = defaultPort(parts.scheme);
  const host = parts.host.endsWith(port) ? parts.host.slice(0, -port.length) : `${parts.host}${port}`;
  return { ...parts, host };
}

const hasPort = (host: string): boolean => /:\d+$/.test(host);

function hostOf(headers: Headers): string | undefined {
  return headerValue(headers, 'x-forwarded-host') ?? headerValue(headers, 'host');
}

const ORIGINS: Change[] = [
  ['http and https are exchanged', (parts) => ({ ...parts, scheme: other(parts.scheme) })],
  [
    'the default port is written in one and left out in the other',
    (parts) =>
      hasPort(parts.host) && !parts.host.endsWith(defaultPort(parts.scheme)) ? null : togglePort(parts),
  ],
  [
    'the port is written in one and left out in the other',
    (parts) => (hasPort(parts.host) ? { ...parts, host: parts.host.replace(/:\d+$/, '') } : null),
  ],
  [
    'http and https are exchanged, and the default port is written in one of them',
    (parts) => togglePort({ ...parts, scheme: other(parts.scheme) }),
  ],
  ['the host is written in lower case', (parts) => ({ ...parts, host: parts.host.toLowerCase() })],
  [
    'it is the address the request came to (its Host header), not the one given here',
    (parts, { headers }) => withHost(parts, headers, parts.scheme),
  ],
  [
    'it is the address the request came to (its Host header), not the one given here, and http and https are exchanged',
    (parts, { headers }) => withHost(parts, headers, other(parts.scheme)),
  ],
];

function withHost(parts: Parts, headers: Headers, scheme: string): Parts | null {
  const host = hostOf(headers);
  return host ? { ...parts, scheme, host } : null;
}

const RESTS: Change[] = [
  ['a slash at the end is there in one and not in the other', toggleSlash],
  ['one has no query', (parts) => (parts.query ? { ...parts, query: '' } : null)],
  ['the path and query of the request are others than those of the URL given here', withTarget],
  [
    'the query of the request is missing from the URL given here',
    (parts, { target = '' }) => ({ ...parts, query: split(`http://x${target}`)?.query ?? '' }),
  ],
  ['one has a fragment (#)', (parts) => (parts.fragment ? { ...parts, fragment: '' } : null)],
  ['it is percent-encoded in one and not in the other', (parts) => rewritten(parts, encodeURI)],
  ['it is percent-encoded in one and not in the other', (parts) => rewritten(parts, decodeURI)],
  ['it is percent-encoded in one and not in the other', (parts) => rewritten(parts, decodeURIComponent)],
  [
    'brackets are percent-encoded in one and not in the other',
    (parts) => rewritten(parts, (text) => text.replaceAll('[', '%5B').replaceAll(']', '%5D')),
  ],
  [
    'brackets are percent-encoded in one and not in the other',
    (parts) => rewritten(parts, (text) => text.replace(/%5B/gi, '[').replace(/%5D/gi, ']')),
  ],
  [
    'a space is + in one and %20 in the other',
    (parts) => queried(parts, (text) => text.replaceAll('+', '%20')),
  ],
  [
    'a space is + in one and %20 in the other',
    (parts) => queried(parts, (text) => text.replaceAll('%20', '+')),
  ],
  [
    'percent-encoding is in lower case in one and in upper case in the other',
    (parts) => rewritten(parts, (text) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())),
  ],
  [
    'percent-encoding is in lower case in one and in upper case in the other',
    (parts) => rewritten(parts, (text) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase())),
  ],
  ['the parameters of the query are in another order', (parts) => queried(parts, sortedQuery)],
];

function toggleSlash(parts: Parts): Parts {
  const path = parts.path.endsWith('/') ? parts.path.slice(0, -1) : `${parts.path}/`;
  return { ...parts, path };
}

function withTarget(parts: Parts, { target }: ReceivedRequest): Parts | null {
  if (target === undefined) return null;
  const read = split(`http://x${target}`);
  return read && { ...parts, path: read.path, query: read.query };
}

function rewritten(parts: Parts, rewrite: (text: string) => string): Parts | null {
  try {
    return { ...parts, path: rewrite(parts.path), query: rewrite(parts.query) };
  } catch {
    /* A stray % is not an encoding. */
    return null;
  }
}

const queried = (parts: Parts, rewrite: (text: string) => string): Parts => ({
  ...parts,
  query: rewrite(parts.query),
});

const sortedQuery = (query: string): string =>
  query === '' ? '' : `?${query.slice(1).split('&').sort().join('&')}`;
