/** How the path and the query of the signed URL may differ from those given here. */
import { headerValue } from '../signed-text.ts';
import { splitUrl, type UrlChange, type UrlParts } from './explain-url.ts';
import type { ReceivedRequest } from './finding.ts';

export function pathChanges(registered: readonly string[]): readonly UrlChange[] {
  return [...PATHS, ...prefixChanges(registered), ...ENCODINGS];
}

const PATHS: readonly UrlChange[] = [
  ['url_slash', 'a slash at the end is there in one and not in the other', toggleSlash],
  ['url_query', 'one has no query', (parts) => (parts.query ? { ...parts, query: '' } : null)],
  [
    'url_query',
    'the query of the request is missing from the URL given here',
    (parts, { target = '' }) => ({ ...parts, query: splitUrl(`http://x${target}`)?.query ?? '' }),
  ],
  ['url_query', 'the parameters of the query are in another order', (parts) => queried(parts, sortedQuery)],
  ['url_path', 'the path and query of the request are others than those of the URL given here', withTarget],
  [
    'url_path',
    'a slash in the path is doubled in one',
    (parts) => ({ ...parts, path: parts.path.replace(/\/{2,}/g, '/') }),
  ],
  ['url_fragment', 'one has a fragment (#)', (parts) => (parts.fragment ? { ...parts, fragment: '' } : null)],
];

const ENCODED = 'it is percent-encoded in one and not in the other';

const ENCODINGS: readonly UrlChange[] = [
  ['url_encoding', ENCODED, (parts) => rewritten(parts, encodeURI)],
  ['url_encoding', ENCODED, (parts) => rewritten(parts, decodeURI)],
  ['url_encoding', ENCODED, (parts) => rewritten(parts, decodeURIComponent)],
  [
    'url_encoding',
    'brackets are percent-encoded in one and not in the other',
    (parts) => rewritten(parts, (text) => text.replaceAll('[', '%5B').replaceAll(']', '%5D')),
  ],
  [
    'url_encoding',
    'brackets are percent-encoded in one and not in the other',
    (parts) => rewritten(parts, (text) => text.replace(/%5B/gi, '[').replace(/%5D/gi, ']')),
  ],
  [
    'url_encoding',
    'a space is + in one and %20 in the other',
    (parts) => queried(parts, (text) => text.replaceAll('+', '%20')),
  ],
  [
    'url_encoding',
    'a space is + in one and %20 in the other',
    (parts) => queried(parts, (text) => text.replaceAll('%20', '+')),
  ],
  [
    'url_encoding',
    'percent-encoding is in lower case in one and in upper case in the other',
    (parts) => rewritten(parts, (text) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())),
  ],
  [
    'url_encoding',
    'percent-encoding is in lower case in one and in upper case in the other',
    (parts) => rewritten(parts, (text) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase())),
  ],
];

function toggleSlash(parts: UrlParts): UrlParts {
  const path = parts.path.endsWith('/') ? parts.path.slice(0, -1) : `${parts.path}/`;
  return { ...parts, path };
}

function withTarget(parts: UrlParts, { target }: ReceivedRequest): UrlParts | null {
  if (target === undefined) return null;
  const read = splitUrl(`http://x${target}`);
  return read && { ...parts, path: read.path, query: read.query };
}

function rewritten(parts: UrlParts, rewrite: (text: string) => string): UrlParts | null {
  try {
    return { ...parts, path: rewrite(parts.path), query: rewrite(parts.query) };
  } catch {
    /* A stray % is not an encoding. */
    return null;
  }
}

const queried = (parts: UrlParts, rewrite: (text: string) => string): UrlParts => ({
  ...parts,
  query: rewrite(parts.query),
});

const sortedQuery = (query: string): string =>
  query === '' ? '' : `?${query.slice(1).split('&').sort().join('&')}`;

const MAX_PREFIXES = 12;
const TAKEN = 'a proxy took a prefix off the path';
const ADDED = 'a proxy put a prefix before the path';

/** A proxy's prefix is the beginning of a path that is registered, of the URL given here, or what the proxy says itself. */
function prefixChanges(registered: readonly string[]): readonly UrlChange[] {
  const known = new Set(registered.flatMap((url) => beginnings(splitUrl(url)?.path ?? '')));
  const fixed = [...known]
    .slice(0, MAX_PREFIXES)
    .flatMap((prefix) => [put(() => prefix), takenOff(() => prefix)]);
  const own = [0, 1, 2].flatMap((index) => [
    takenOff(({ path }) => beginnings(path)[index]),
    beforeTarget(({ path }) => beginnings(path)[index]),
  ]);
  return [...fixed, ...own, put((_, { headers }) => headerValue(headers, 'x-forwarded-prefix'))];
}

type Prefix = (parts: UrlParts, request: ReceivedRequest) => string | undefined;

const put = (prefixOf: Prefix): UrlChange => [
  'url_prefix',
  TAKEN,
  (parts, request) => {
    const prefix = prefixOf(parts, request);
    return prefix ? { ...parts, path: `${prefix}${parts.path}` } : null;
  },
];

const takenOff = (prefixOf: Prefix): UrlChange => [
  'url_prefix',
  ADDED,
  (parts, request) => {
    const prefix = prefixOf(parts, request);
    return prefix && parts.path.startsWith(`${prefix}/`)
      ? { ...parts, path: parts.path.slice(prefix.length) }
      : null;
  },
];

/** The path that came over the wire, behind what the public URL begins with. */
const beforeTarget = (prefixOf: Prefix): UrlChange => [
  'url_prefix',
  TAKEN,
  (parts, request) => {
    const prefix = prefixOf(parts, request);
    const arrived = withTarget(parts, request);
    return prefix && arrived ? { ...arrived, path: `${prefix}${arrived.path}` } : null;
  },
];

/** `/a/b/c` begins with `/a`, `/a/b` and `/a/b/c`. */
function beginnings(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
