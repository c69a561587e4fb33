import type { Transport } from '../../src/core/ports/transport.ts';

/** A transport over a server that is a function: client and sandbox meet in memory, every byte real. */
export function memoryTransport(fetch: (request: Request) => Promise<Response>): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const response = await fetch(
      new Request(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      }),
    );
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
}
