import type { Transport } from '../../src/core/transport.ts';

/** A transport over a server that is a function: client and sandbox meet in memory, every byte real. */
export function memoryTransport(fetch: (request: Request) => Promise<Response>): Transport {
  return async ({ method, url, headers, body, binary, signal }) => {
    const response = await fetch(
      new Request(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body: binary ? Buffer.from(body, 'latin1') : body }),
        ...(signal ? { signal } : {}),
      }),
    );
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: binary ? Buffer.from(await response.arrayBuffer()).toString('latin1') : await response.text(),
    };
  };
}
