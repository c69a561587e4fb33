/** Sends as the service does, over connections that are kept: for tests that send much. */
import { Agent, request as httpRequest } from 'node:http';
import { signedHeaders } from '../../src/contract/signing.ts';
import { credentials } from './listening.ts';

export interface Sender {
  /** Answers the status; 0 where there was no answer. */
  send(body: string | Uint8Array, nonce?: string): Promise<number>;
  close(): void;
}

let nonces = 0;
export const freshNonce = (): string => `nonce-of-a-try-${process.pid}-${nonces++}`;

export function createSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (body, nonce = freshNonce()) =>
      new Promise((resolve) => {
        const headers = {
          ...signedHeaders(credentials, { nonce, method: 'POST', url, body }),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
        const request = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
          response.resume();
          response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
        });
        request.on('error', () => resolve(0));
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}
