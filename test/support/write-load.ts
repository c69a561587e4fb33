/** Partners that write to a sandbox over HTTP, twelve at a time, and remember what they asked and what they were answered. */
import { Agent, request } from 'node:http';
import type { Credentials } from '../../src/contract/signed-text.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import type { Random } from '../../src/core/random.ts';
import { type Json, payoutDetails, person } from './sandbox.ts';

export const PARTNERS = 12;

export interface Write {
  kind: 'create' | 'fund' | 'create_and_fund' | 'edit' | 'cancel';
  externalId: string;
  /** The account number that an edit asked for. */
  number?: string;
  /** 0 until it is answered. */
  status: number;
  transactionId?: string;
  recipientId?: string;
}

interface Target {
  url: string;
  credentials: Credentials;
  random: Random;
  /** Tells the external ids of one load from those of another. */
  mark: string;
  /** Called for each write that was answered. */
  onAnswer?: () => void;
}

/** Everything that was asked, in order; resolves when the sandbox is gone. */
export async function writeUntilItEnds(target: Target, log: Write[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: PARTNERS });
  await Promise.all(Array.from({ length: PARTNERS }, (_, partner) => write(target, agent, partner, log)));
  agent.destroy();
}

async function write(target: Target, agent: Agent, partner: number, log: Write[]): Promise<void> {
  const send = (entry: Write, method: string, path: string, body?: Json) => {
    log.push(entry);
    return call(target, agent, { nonce: `${target.mark}-${log.length}`, method, path, body });
  };
  try {
    for (let round = 0; ; round++) await onePayment(target, `${target.mark}-${partner}-${round}`, send);
  } catch (error) {
    /* The connection ended: what is not answered stays so. */
    if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as { code?: string }).code ?? ''))
      throw error;
  }
}

type Send = (
  entry: Write,
  method: string,
  path: string,
  body?: Json,
) => Promise<{ status: number; body: Json }>;

/** Created with or without funds, then funded, edited, cancelled or left alone. */
async function onePayment({ random, onAnswer }: Target, externalId: string, send: Send): Promise<void> {
  const step = async (entry: Write, method: string, path: string, body?: Json): Promise<Json> => {
    const reply = await send(entry, method, path, body);
    entry.status = reply.status;
    onAnswer?.();
    return reply.body.object;
  };
  const one = (kind: Write['kind']): Write => ({ kind, externalId, status: 0 });
  const atOnce = random.next() < 0.4;
  const made = one(atOnce ? 'create_and_fund' : 'create');
  const path = `/transactions${atOnce ? '/create_and_fund' : ''}`;
  const transaction = await step(made, 'POST', path, { transaction: payment(externalId, random) });
  const transactionId: string = transaction.id;
  const recipientId: string = transaction.recipients[0].id;
  Object.assign(made, { transactionId, recipientId });
  if (!atOnce && random.next() < 0.6) {
    const debit = { to_id: transactionId, to_type: 'Transaction' };
    await step({ ...one('fund'), transactionId }, 'POST', '/accounts/debits', { debit });
  }
  if (random.next() < 0.4) {
    const number = `01234${Math.floor(random.next() * 1000)}`.padEnd(8, '0').concat('19');
    const edit = { ...one('edit'), recipientId, number };
    const details = { bank_account: number };
    await step(edit, 'PATCH', `/recipients/${recipientId}`, { recipient: { payout_method: { details } } });
  }
  if (random.next() < 0.4) {
    await step({ ...one('cancel'), transactionId, recipientId }, 'DELETE', `/recipients/${recipientId}`);
  }
}

/** Two recipients, so that half a transaction could be seen; the first fails and can be edited and cancelled. */
function payment(externalId: string, random: Random): Json {
  return {
    external_id: externalId,
    input_currency: 'EUR',
    sender: { external_id: `sender-${Math.floor(random.next() * 20)}`, ...person },
    recipients: ['0123456719', '0123456700'].map((number) => ({
      type: 'person',
      requested_amount: '1.00',
      requested_currency: 'EUR',
      payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', number) },
    })),
  };
}

interface Call {
  nonce: string;
  method: string;
  path: string;
  body: Json;
}

function call(
  { url, credentials }: Target,
  agent: Agent,
  { nonce, method, path, body }: Call,
): Promise<{ status: number; body: Json }> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const full = `${url}${path}`;
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...signedHeaders(credentials, { nonce, method, url: full, body: text }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(full, { method, headers, agent }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        answer += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.complete) resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer) });
        else reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' }));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
