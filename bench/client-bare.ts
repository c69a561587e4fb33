/** An undici Pool and nothing else, sending what our client sends; with `checks` it reads the answer by the same schema too. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { accountList } from '../src/contract/resources/account.ts';
import { serveParent } from './support/children.ts';
import { closedLoop, type LoopQuestion } from './support/loop.ts';
import { bareSignature, credentials } from './support/signed.ts';

serveParent<{ url: string; checks: boolean }, LoopQuestion>(async ({ url, checks }) => {
  const target = `${url}/accounts`;
  const { origin, pathname } = new URL(target);
  const pool = new Pool(origin, { connections: 32, pipelining: 1 });
  const once = async () => {
    const nonce = randomUUID();
    const headers = {
      'Authorization-Key': credentials.key,
      'Authorization-Nonce': nonce,
      'Authorization-Signature': bareSignature(nonce, 'GET', target, ''),
      Accept: 'application/json',
    };
    const { body } = await pool.request({ method: 'GET', path: pathname, headers });
    const text = await body.text();
    return checks ? accountList.parse(JSON.parse(text)) : text;
  };
  return (question) => closedLoop(question, once);
});
