/**
 * A bare `node:http` server that answers every payment with 201 and its record, at once or after `delayMs`; and what a plan asks:
 * rates, balances, a sender.
 */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally, serveParent } from './support/children.ts';
import { RATE, SENDER } from './support/payrun.ts';

const pagination = { current_page: 1, next_page: null, total_pages: 1, total_count: 1 };
const id = (number: number, part: string): string =>
  `7e57da7a-a8a7-4517-${part}-${String(number).padStart(12, '0')}`;
const READS: readonly [string, object][] = [
  // A plan looks for its own payments among them.
  ['/v1/transactions', { object: [], meta: { pagination: { ...pagination, total_count: 0 } } }],
  [
    '/v1/info/currencies/in',
    { object: [{ code: 'EUR', opposites: [{ code: 'NGN', rate: String(RATE) }] }], meta: { pagination } },
  ],
  ['/v1/accounts', { object: [{ currency: 'EUR', amount: '9000000000.00' }] }],
  [
    '/v1/senders',
    {
      object: [{ id: id(1, '9999'), external_id: SENDER, state: 'approved', type: 'person' }],
      meta: { pagination },
    },
  ],
];

function recordOf(body: string, number: number): string {
  const { transaction } = JSON.parse(body);
  const [recipient] = transaction.recipients;
  const cost = (Number(recipient.requested_amount) / RATE).toFixed(2);
  const made = {
    id: id(number, '886d'),
    state: 'pending',
    input_amount: cost,
    input_currency: 'EUR',
    output_amount: recipient.requested_amount,
    output_currency: recipient.requested_currency,
    exchange_rate: String(RATE),
    ...recipient,
  };
  const object = {
    id: id(number, '886c'),
    state: 'received',
    input_amount: cost,
    paid_amount: cost,
    due_amount: '0.00',
    ...transaction,
    recipients: [made],
  };
  return JSON.stringify({ object });
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

serveParent<{ delayMs: number }, object>(async ({ delayMs }) => {
  let made = 0;
  let toldOf = 0;
  let firstAt = 0;
  let lastAt = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    if (request.method === 'GET') {
      const [path = ''] = (request.url ?? '').split('?');
      const [, body] = READS.find(([one]) => one === path) ?? [];
      answer(response, body ? 200 : 404, JSON.stringify(body ?? {}));
      return;
    }
    firstAt ||= performance.now();
    const body = recordOf(await text(request), made++);
    lastAt = performance.now() + delayMs;
    if (delayMs > 0) setTimeout(() => answer(response, 201, body), delayMs);
    else answer(response, 201, body);
  });
  const host = await listenLocally(server);
  /** Since it was asked last: how many payments came, and how long it was from the first to the answer to the last. */
  return async () => {
    const told = { url: `http://${host}/v1`, made: made - toldOf, ms: lastAt - firstAt };
    toldOf = made;
    firstAt = 0;
    return told;
  };
});
