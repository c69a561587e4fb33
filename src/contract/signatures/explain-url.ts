/** A URL as its text, in parts: nothing is encoded, decoded or put in order, since the signature covers the text. */
import type { Cause, ReceivedRequest } from './finding.ts';

export interface UrlParts {
  scheme: string;
  /** Host, with the port where one is written. */
  host: string;
  path: string;
  /** Query, with its question mark. */
  query: string;
  fragment: string;
}

/** Null where the change changes nothing. */
export type UrlChange = readonly [
  cause: Cause,
  what: string,
  change: (parts: UrlParts, request: ReceivedRequest) => UrlParts | null,
];

export function splitUrl(url: string): UrlParts | null {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url);
  if (!match) return null;
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] = match;
  return { scheme, host, path, query, fragment };
}

export const joinUrl = ({ scheme, host, path, query, fragment }: UrlParts): string =>
  `${scheme}://${host}${path}${query}${fragment}`;
