/** A bare `node:http` server: reads the body, verifies the signature, answers with as many bytes as the sandbox does. */
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './support/children.ts';
import { bareSignature } from './support/signed.ts';

serveParent<{ bytes: number }, object>(async ({ bytes }) => {
  const answer = 'x'.repeat(bytes);
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { host, 'authorization-nonce': nonce, 'authorization-signature': signature } = request.headers;
      const url = `http://${host}${request.url}`;
      const wanted = bareSignature(String(nonce), request.method ?? '', url, Buffer.concat(chunks));
      const same = timingSafeEqual(Buffer.from(wanted), Buffer.from(String(signature)));
      response.writeHead(same ? 201 : 401, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes,
      });
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async () => ({ host: `127.0.0.1:${port}` });
});
