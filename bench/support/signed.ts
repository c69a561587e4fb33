/** Signing with nothing but `node:crypto`: the bare minimum that ours is compared with. */
import { createHash, createHmac } from 'node:crypto';

export const credentials = { key: 'key_bench_77aa', secret: 'a-secret-of-the-bench-with-32-chars' };

/** For requests within a process, where signing is no part of what is measured. */
export const headersInClear = {
  host: '127.0.0.1:1',
  'authorization-key': credentials.key,
  'authorization-secret': credentials.secret,
};

const EMPTY_DIGEST = createHash('sha512').digest('hex');

export function bareSignature(nonce: string, method: string, url: string, body: string | Buffer): string {
  const digest = body.length === 0 ? EMPTY_DIGEST : createHash('sha512').update(body).digest('hex');
  return createHmac('sha512', credentials.secret).update(`${nonce}&${method}&${url}&${digest}`).digest('hex');
}
