/** A bare `node:http` server that answers every payment with 201 and the payment itself, as if it were made and funded. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally, serveParent } from './support/children.ts';

serveParent(async () => {
  let made = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const { transaction } = JSON.parse(await text(request));
    const object = {
      id: `7e57da7a-a8a7-4517-886c-${String(made++).padStart(12, '0')}`,
      state: 'received',
      ...transaction,
    };
    const body = JSON.stringify({ object });
    response.writeHead(201, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  const host = await listenLocally(server);
  return async () => ({ url: `http://${host}/v1` });
});
