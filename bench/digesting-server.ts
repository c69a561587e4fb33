/** A bare `node:http` server that computes the two digests of a signed request, compares them, answers, and keeps nothing. */
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { listenLocally, serveParent } from './support/children.ts';
import { bareSignature } from './support/signed.ts';

interface Argument {
  /** For what verifies. */
  status: number;
  type: string;
  body: string;
}

serveParent<Argument, object>(async ({ status, type, body }) => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { host, 'authorization-nonce': nonce, 'authorization-signature': signature } = request.headers;
      const url = `http://${host}${request.url}`;
      const wanted = bareSignature(String(nonce), request.method ?? '', url, Buffer.concat(chunks));
      const same = timingSafeEqual(Buffer.from(wanted), Buffer.from(String(signature)));
      response.writeHead(same ? status : 401, { 'content-type': type, 'content-length': body.length });
      response.end(body);
    });
  });
  const host = await listenLocally(server);
  return async () => ({ host });
});
