/**
 * The transports of the program, each loaded when the first request needs it (decision 0001): a read that goes straight to its
 * host takes the one within Node; a write, and whatever goes through a proxy, takes undici.
 */
import { isLoopback } from '../core/hosts.ts';
import type { WireRequest } from '../core/transport.ts';
import type { NetworkOptions, NetworkTransport } from './network-transport.ts';
import { MOST_CONNECTIONS } from './read-response.ts';

export function createTransports(options: NetworkOptions): NetworkTransport {
  const { proxy, ...direct } = options;
  const isProxied = Boolean(proxy?.httpProxy || proxy?.httpsProxy);
  let reads: Promise<NetworkTransport> | undefined;
  let network: Promise<NetworkTransport> | undefined;
  const openReads = async () => (await import('./read-transport.ts')).createReadTransport(direct);
  const openNetwork = async () =>
    (await import('./network-transport.ts')).createNetworkTransport({
      connections: MOST_CONNECTIONS,
      ...options,
      ownsProcess: true,
    });

  function isPlainRead({ method, url }: WireRequest): boolean {
    return method === 'GET' && (!isProxied || isLoopback(new URL(url).hostname));
  }

  return {
    async send(request) {
      if (isPlainRead(request)) {
        reads ??= openReads();
        return (await reads).send(request);
      }
      network ??= openNetwork();
      return (await network).send(request);
    },
    async close() {
      await Promise.all([reads, network].map(async (opened) => (await opened)?.close()));
    },
  };
}
