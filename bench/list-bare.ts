/**
 * `list-bare.mjs URL`: every page of a list with nothing but undici and JSON.parse, the next one asked for meanwhile. A sandbox wants to know
 * who asks: the secret goes in clear, which costs nothing here.
 */
import { Pool } from 'undici';
import { credentials } from './support/signed.ts';

const { origin, pathname } = new URL(`${process.argv[2]}/transactions`);
const headers = { 'Authorization-Key': credentials.key, 'Authorization-Secret': credentials.secret };
const pool = new Pool(origin, { connections: 2, pipelining: 1 });

async function read(page: number): Promise<string> {
  const { body } = await pool.request({ method: 'GET', path: `${pathname}?per=100&page=${page}`, headers });
  return body.text();
}

let rows = 0;
let coming = read(1);
for (let page = 1; ; page++) {
  const text = await coming;
  // One page ahead, as ours: it is on its way while this one is parsed.
  coming = read(page + 1);
  coming.catch(() => {});
  const { object, meta } = JSON.parse(text);
  rows += object.length;
  if (meta.pagination.next_page === null) break;
}
await pool.destroy();
process.stdout.write(`${rows}\n`);
