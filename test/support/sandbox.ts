/** A sandbox in memory with a client that signs, and a receiver that verifies every webhook it gets. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { CONTROL_PATH, CONTROL_TOKEN_HEADER } from '../../src/contract/controls/index.ts';
import { headerValue } from '../../src/contract/signed-text.ts';
import { signedHeaders, verify } from '../../src/contract/signing.ts';
import type { Transport, WireRequest } from '../../src/core/transport.ts';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import type { RawAnswer } from '../../src/sandbox/http/answer.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const credentials = { key: 'key_test_51ab', secret: 'secret-of-the-tests' };
export const HOST = '127.0.0.1:4010';
export const HOOK = 'http://127.0.0.1:4011/hook';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Json = any;

export interface Reply {
  status: number;
  body: Json;
  text: string;
}

interface Received {
  event: string;
  object: Json;
  request: WireRequest;
}

export interface Bench {
  sandbox: Sandbox;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Webhooks that arrived, in order. */
  received: Received[];
  /** How the receiver answers; 200 unless a test says otherwise. */
  receiver: { answer: () => Promise<number> | number };
}

let nonces = 0;

export async function startBench(options: Partial<SandboxOptions> = {}): Promise<Bench> {
  const received: Received[] = [];
  const receiver: Bench['receiver'] = { answer: () => 200 };
  const transport: Transport = async (request) => {
    const nonce = headerValue(request.headers, 'authorization-nonce') ?? '';
    const signature = headerValue(request.headers, 'authorization-signature') ?? '';
    const { method, url, body } = request;
    expect(verify(credentials.secret, { nonce, method, url, body }, signature)).toBe(true);
    const status = await receiver.answer();
    const { event, object } = JSON.parse(body ?? '{}');
    received.push({ event, object, request });
    return { status, headers: {}, body: '' };
  };
  const data = await testData();
  const sandbox = await createSandbox({
    credentials,
    transport,
    controlToken: CONTROL_TOKEN,
    data,
    ...options,
  });
  return { sandbox, received, receiver, call: caller(sandbox) };
}

/** Undefined for a sandbox in memory; on disk where the suite says so. */
export async function testData() {
  return process.env.REMIT_TEST_STORE === 'durable' ? temporaryData() : undefined;
}

/** A data file of its own, for the suites that run over a store on disk too. */
function temporaryData(): Promise<RecordDatabase> {
  return openRecords(join(temporaryFolder(), 'sandbox.db'));
}

function caller(sandbox: Sandbox): Bench['call'] {
  return async (method, path, body, extra = {}) => {
    nonces += 1;
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    if (path.startsWith(CONTROL_PATH)) return control(sandbox, method, path, text, extra);
    const url = `/v1${path}`;
    const signed = signedHeaders(credentials, {
      nonce: `n-${nonces}`,
      method,
      url: `http://${HOST}${url}`,
      body: text,
    });
    const headers = { host: HOST, ...signed, ...extra };
    const answer = await sandbox.handle({ method, url, headers, body: text });
    return replyOf(answer);
  };
}

export const CONTROL_TOKEN = 'token-of-the-tests';

async function control(
  sandbox: Sandbox,
  method: string,
  url: string,
  body: string | undefined,
  extra: Record<string, string>,
): Promise<Reply> {
  const headers = {
    host: HOST,
    [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN,
    'content-type': 'application/json',
    ...extra,
  };
  return replyOf(await sandbox.handle({ method, url, headers, body }));
}

function replyOf({ status, body }: RawAnswer): Reply {
  const text = String(body);
  return { status, body: JSON.parse(text), text };
}

export { samplePerson as person };

/** Details that each payout type needs, the number that decides left to the caller. */
export function payoutDetails(type: string, number: string): Record<string, string> {
  const name = { first_name: 'Chidi', last_name: 'Eze' };
  const reason = { transfer_reason: 'personal_account' };
  const known: Record<string, Record<string, string>> = {
    'NGN::Bank': { ...name, bank_code: '044', bank_account: number },
    'GHS::Bank': { ...name, ...reason, gender: 'F', bank_code: '030100', bank_account: number },
    'GHS::Mobile': { ...name, ...reason, gender: 'F', mobile_provider: 'mtn', phone_number: number },
    'UGX::Mobile': { ...name, ...reason, mobile_provider: 'mtn', phone_number: number },
    'XAF::Mobile': { ...name, country: 'CM', mobile_provider: 'mtn', phone_number: number },
    'XOF::Mobile': { ...name, country: 'SN', mobile_provider: 'orange', phone_number: number },
    'ZAR::Bank': {
      ...name,
      email: 'thandi@example.com',
      phone_number: '+27821234567',
      bank_code: '198765',
      bank_account: number,
    },
    'MAD::Cash': { ...name, phone_number: number },
  };
  return known[type] ?? { reference: number };
}

export const recipientBody = (number = '0123456700', type = 'NGN::Bank', more: Json = {}) => ({
  requested_amount: '10',
  requested_currency: 'EUR',
  payout_method: { type, details: payoutDetails(type, number) },
  ...more,
});

/** The problems that a refusal names at a field. */
export const problemsAt = (errors: Json, field: string): string[] =>
  (errors?.[field] ?? []).map((entry: Json) => entry.error);

/** A request that pays 10 EUR to a Nigerian account, from the one sender of the tests. */
export const paymentBody = (externalId: string, number?: string, more: Json = {}) => ({
  transaction: {
    input_currency: 'EUR',
    external_id: externalId,
    sender: { external_id: 'sender-1', ...samplePerson },
    recipients: [recipientBody(number)],
    ...more,
  },
});
