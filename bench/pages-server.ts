/**
 * A bare `node:http` server with a list of transactions, a hundred a page: bodies that were made beforehand, from a payment that a
 * sandbox made, with ids of their own. The same fifty bodies come again and again; only the page's own numbers differ. With `distinct` each
 * id begins with the number of its page, so that no record comes twice; and there are a balance and no rates.
 */
import { createServer } from 'node:http';
import { uuid } from '../src/core/ids.ts';
import { type Random, seededRandom } from '../src/core/random.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { listenLocally, serveParent } from './support/children.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials, headersInClear } from './support/signed.ts';

const PER = 100;
const BODIES = 50;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** As the service lists it. */
async function onePayment(): Promise<string> {
  const sandbox = await createSandbox({ credentials });
  const { headers, body } = prepare('127.0.0.1:1', 'one', 1);
  await sandbox.handle({ method: 'POST', url: PATH, headers, body });
  await sandbox.drain();
  const answer = await sandbox.handle({ method: 'GET', url: '/v1/transactions', headers: headersInClear });
  const text = String(answer.body);
  return text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'));
}

/** Another of its kind: every id is changed alike wherever it stands. */
function another(payment: string, random: Random, number: number): string {
  const ids = new Map<string, string>();
  return payment
    .replace(UUID, (id) => ids.get(id) ?? ids.set(id, uuid(random)).get(id) ?? id)
    .replaceAll('one-1', `payment-${number}`);
}

/** The page as it is, with its number in each of these places. */
function numbered(list: Buffer, places: readonly number[], page: number): Buffer {
  const made = Buffer.from(list);
  const number = page.toString(16).padStart(8, '0');
  for (const at of places) made.write(number, at, 'latin1');
  return made;
}

const placesOf = (list: Buffer): number[] =>
  [...list.toString('latin1').matchAll(UUID)].map(({ index }) => index);

const OTHERS: Readonly<Record<string, string>> = {
  '/v1/accounts': '{"object":[{"currency":"EUR","amount":1000000}]}',
  '/v1/info/currencies/in': '{"object":[]}',
};

serveParent<{ rows: number; distinct?: boolean }, object>(async ({ rows, distinct = false }) => {
  const payment = await onePayment();
  const random = seededRandom('pages');
  const lists = Array.from({ length: BODIES }, (_, i) =>
    Buffer.from(
      `{"object":[${Array.from({ length: PER }, (_, k) => another(payment, random, i * PER + k)).join(',')}]`,
    ),
  );
  const places = distinct ? lists.map(placesOf) : [];
  const pages = rows / PER;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const other = OTHERS[request.url ?? ''];
    if (distinct && other !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(other);
      return;
    }
    const page = Number(/[?&]page=(\d+)/.exec(request.url ?? '')?.[1] ?? 1);
    const next = page < pages ? page + 1 : null;
    const numbers = { current_page: page, next_page: next, total_pages: pages, total_count: rows };
    const body = lists[page % BODIES] as Buffer;
    const list = distinct ? numbered(body, places[page % BODIES] ?? [], page) : body;
    const tail = `,"meta":{"pagination":${JSON.stringify(numbers)}}}`;
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': list.length + tail.length,
    });
    response.write(list);
    response.end(tail);
  });
  const host = await listenLocally(server);
  return async () => ({ url: `http://${host}/v1`, bytes: lists[0]?.length ?? 0 });
});
