/** The URLs that a signer may have meant, the likelier first: fewer changes come before more. */
import { headerValue } from '../signed-text.ts';
import { pathChanges } from './explain-path.ts';
import { joinUrl, splitUrl, type UrlChange, type UrlParts } from './explain-url.ts';
import type { ReceivedRequest, Variant } from './finding.ts';

export interface UrlQuestion {
  request: ReceivedRequest;
  /** URLs that are registered with the service, where they are known. */
  registered: readonly string[];
}

/** URLs that differ by one change each. */
export function urlVariants(question: UrlQuestion): Variant<string>[] {
  return distinct(question, (parts) => singles(parts, question));
}

/** URLs that differ by one change of the address and one of what follows it. */
export function urlPairs(question: UrlQuestion): Variant<string>[] {
  const alone = new Set(urlVariants(question).map(({ value }) => value));
  const pairs = distinct(question, (parts) => {
    const rests = apply(pathChanges(question.registered), parts, question);
    return apply(ORIGINS, parts, question).flatMap((origin) =>
      rests.map((rest) => ({
        cause: 'url' as const,
        value: { ...rest.value, scheme: origin.value.scheme, host: origin.value.host },
        change: `${origin.change}, and ${rest.change}`,
      })),
    );
  });
  return pairs.filter(({ value }) => !alone.has(value));
}

function distinct(
  { request }: UrlQuestion,
  make: (parts: UrlParts) => Variant<UrlParts>[],
): Variant<string>[] {
  const parts = splitUrl(request.url);
  if (!parts) return [];
  const seen = new Set([request.url]);
  return make(parts).flatMap((variant) => {
    const value = joinUrl(variant.value);
    if (seen.has(value)) return [];
    seen.add(value);
    return [{ ...variant, value }];
  });
}

function singles(parts: UrlParts, question: UrlQuestion): Variant<UrlParts>[] {
  const known = question.registered.flatMap((url) => splitUrl(url) ?? []);
  return [
    ...apply(ORIGINS, parts, question),
    ...known.map(({ scheme, host }) => tunnel({ ...parts, scheme, host })),
    ...apply(pathChanges(question.registered), parts, question),
    ...known.map(registered),
  ];
}

const tunnel = (value: UrlParts): Variant<UrlParts> => ({
  cause: 'url_tunnel',
  value,
  change: 'the host here is that of a tunnel or proxy, and another host is registered',
});

const registered = (value: UrlParts): Variant<UrlParts> => ({
  cause: 'url_registered',
  value,
  change: 'it is signed for another URL that is registered',
});

function apply(
  changes: readonly UrlChange[],
  parts: UrlParts,
  { request }: UrlQuestion,
): Variant<UrlParts>[] {
  return changes.flatMap(([cause, change, make]) => {
    const value = make(parts, request);
    return value ? [{ cause, value, change }] : [];
  });
}

const other = (scheme: string): string => (scheme === 'https' ? 'http' : 'https');
const defaultPort = (scheme: string): string => (scheme === 'https' ? ':443' : ':80');

function togglePort(parts: UrlParts): UrlParts {
  const port = defaultPort(parts.scheme);
  const host = parts.host.endsWith(port) ? parts.host.slice(0, -port.length) : `${parts.host}${port}`;
  return { ...parts, host };
}

const hasPort = (host: string): boolean => /:\d+$/.test(host);

function hostOf(headers: ReceivedRequest['headers']): string | undefined {
  return headerValue(headers, 'x-forwarded-host') ?? headerValue(headers, 'host');
}

const ORIGINS: readonly UrlChange[] = [
  ['url_scheme', 'http and https are exchanged', (parts) => ({ ...parts, scheme: other(parts.scheme) })],
  [
    'url_port',
    'the default port is written in one and left out in the other',
    (parts) =>
      hasPort(parts.host) && !parts.host.endsWith(defaultPort(parts.scheme)) ? null : togglePort(parts),
  ],
  [
    'url_port',
    'the port is written in one and left out in the other',
    (parts) => (hasPort(parts.host) ? { ...parts, host: parts.host.replace(/:\d+$/, '') } : null),
  ],
  ['url_port', 'the port is left out here', (parts, { headers }) => withPort(parts, headers)],
  [
    'url_scheme',
    'http and https are exchanged, and the default port is written in one of them',
    (parts) => togglePort({ ...parts, scheme: other(parts.scheme) }),
  ],
  [
    'url_host',
    'the host is written in lower case',
    (parts) => ({ ...parts, host: parts.host.toLowerCase() }),
  ],
  [
    'url_host',
    'it is the address the request came to (its Host header), not the one given here',
    (parts, { headers }) => withHost(parts, headers, parts.scheme),
  ],
  [
    'url_host',
    'it is the address the request came to (its Host header), not the one given here, and http and https are exchanged',
    (parts, { headers }) => withHost(parts, headers, other(parts.scheme)),
  ],
  [
    'url_host',
    'the host begins with www. in one and not in the other',
    (parts) => ({
      ...parts,
      host: parts.host.startsWith('www.') ? parts.host.slice(4) : `www.${parts.host}`,
    }),
  ],
];

/** The port that the request came to, behind the host that is given here. */
function withPort(parts: UrlParts, headers: ReceivedRequest['headers']): UrlParts | null {
  const port = headerValue(headers, 'x-forwarded-port') ?? /:(\d+)$/.exec(hostOf(headers) ?? '')?.[1];
  if (port === undefined || !/^\d{1,5}$/.test(port)) return null;
  return { ...parts, host: `${parts.host.replace(/:\d+$/, '')}:${port}` };
}

function withHost(parts: UrlParts, headers: ReceivedRequest['headers'], scheme: string): UrlParts | null {
  const host = hostOf(headers);
  return host ? { ...parts, scheme, host } : null;
}
