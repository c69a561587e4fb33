/** A bare `node:http` server that computes the two digests of a webhook, compares, answers, and keeps nothing. */
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './support/children.ts';
import { bareSignature } from './support/signed.ts';

serveParent<object, object>(async () => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { host, 'authorization-nonce': nonce, 'authorization-signature': signature } = request.headers;
      const url = `http://${host}${request.url}`;
      const wanted = bareSignature(String(nonce), request.method ?? '', url, Buffer.concat(chunks));
      const same = timingSafeEqual(Buffer.from(wanted), Buffer.from(String(signature)));
      response.writeHead(same ? 200 : 401, {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': 5,
      });
      response.end('kept\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async () => ({ host: `127.0.0.1:${port}` });
});
