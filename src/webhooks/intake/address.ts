/** Tells who may send, and what of a request is believed: the socket's address, or what a trusted proxy says about it. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { headerValue } from '../../contract/signed-text.ts';

/** `203.0.113.0/24`, `2001:db8::/32`, or one address. Null when it is none of these. */
export function readRange(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const match = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim());
  const address = match?.[1] ?? '';
  const version = isIP(address);
  if (version === 0) return null;
  const most = version === 4 ? 32 : 128;
  const bits = match?.[2] === undefined ? most : Number(match[2]);
  return bits > most ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export type Allows = (address: string) => boolean;

/** Allows all where no range is given. @throws RangeError for no range */
export function allowedFrom(ranges: readonly string[]): Allows {
  if (ranges.length === 0) return () => true;
  const list = new BlockList();
  for (const text of ranges) {
    const range = readRange(text);
    if (!range) throw new RangeError(`"${text}" is neither an address nor a range such as 203.0.113.0/24`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** A socket that listens on both families shows an IPv4 peer as `::ffff:203.0.113.7`. */
const plain = (address: string): string =>
  address.startsWith('::') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address;

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`: the port of the sender says nothing about who it is. */
const withoutPort = (address: string): string =>
  /^(?:\[([0-9a-f:.]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/i.exec(address)?.slice(1).find(Boolean) ?? address;

/**
 * The peer. Behind a trusted proxy the last address that it added to X-Forwarded-For: the ones before it came from the
 * sender, who may write there what they like.
 */
export function peerOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? headerValue(headers, 'x-forwarded-for') : undefined;
  const last = forwarded?.split(',').at(-1)?.trim();
  return plain(withoutPort(last || socket.remoteAddress || ''));
}

/** The URL that was asked for, as far as the request says; used only where no public URL was given. */
export function urlOf(
  request: IncomingMessage,
  { scheme, trustProxy }: { scheme: string; trustProxy: boolean },
): string {
  const { headers, url = '/' } = request;
  const proto =
    (trustProxy && headerValue(headers, 'x-forwarded-proto')?.split(',').at(-1)?.trim()) || scheme;
  const host =
    (trustProxy && headerValue(headers, 'x-forwarded-host')?.split(',').at(-1)?.trim()) || headers.host;
  return `${proto}://${host ?? ''}${url}`;
}
