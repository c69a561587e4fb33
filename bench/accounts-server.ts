/** A bare `node:http` server that answers every request with the same list of balances, about 1 kB. */
import { createServer } from 'node:http';
import { listenLocally, serveParent } from './support/children.ts';

const CURRENCIES = 'EUR GBP GHS KES MAD NGN TZS UGX USD XOF ZAR XAF EGP BRL'.split(' ');

function balances(): string {
  const object = CURRENCIES.map((currency, i) => ({
    currency,
    amount: 250_000.25 + i * 1_001,
    amount_after_pending: 249_000.25 + i * 1_001,
  }));
  return JSON.stringify({ object, meta: { negative_balance: false } });
}

serveParent(async () => {
  const body = balances();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  const host = await listenLocally(server);
  return async () => ({ url: `http://${host}/v1`, bytes: body.length });
});
