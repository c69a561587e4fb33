/** An undici Pool and nothing else, sending what our client sends: headers made anew each time, or made once. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { serveParent } from './support/children.ts';
import { closedLoop, type LoopQuestion } from './support/loop.ts';
import { bareSignature, credentials } from './support/signed.ts';

function headersFor(url: string): Record<string, string> {
  const nonce = randomUUID();
  return {
    'Authorization-Key': credentials.key,
    'Authorization-Nonce': nonce,
    'Authorization-Signature': bareSignature(nonce, 'GET', url, ''),
    Accept: 'application/json',
  };
}

serveParent<{ url: string; signsEach: boolean; reads: boolean }, LoopQuestion>(
  async ({ url, signsEach, reads }) => {
    const { origin, pathname } = new URL(`${url}/accounts`);
    const pool = new Pool(origin, { connections: 32, pipelining: 1 });
    const signedOnce = headersFor(`${url}/accounts`);
    const once = async () => {
      const headers = signsEach ? headersFor(`${url}/accounts`) : signedOnce;
      const { body } = await pool.request({ method: 'GET', path: pathname, headers });
      const text = await body.text();
      return reads ? JSON.parse(text).object.length : text.length;
    };
    return (question) => closedLoop(question, once);
  },
);
