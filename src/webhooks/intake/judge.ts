/** One delivery, judged for people. Only VALID lets anything in. */
import type { Delivery } from '../../contract/resources/webhook.ts';
import { type Against, explainSignature, type Tried } from '../../contract/signatures/diagnose.ts';
import { absentHeader, finding, keyEnd, signedHeadersOf } from '../../contract/signatures/explain-headers.ts';
import type { Finding, ReceivedRequest } from '../../contract/signatures/finding.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import { readDelivery, remarkOn, verifySignature } from './verify.ts';

/**
 * MALFORMED: it cannot be a signed delivery as it stands. UNCHECKED: there is no secret here to check it with. INVALID: the
 * signature is not the one that this secret gives.
 */
export type JudgedAs = 'VALID' | 'INVALID' | 'MALFORMED' | 'UNCHECKED';

export interface Classified {
  verdict: JudgedAs;
  finding?: Finding;
  delivery?: Delivery;
  /** The delivery is VALID, but has something that stricter code would refuse. */
  remark?: string;
  tried?: Tried[];
}

export type JudgedAgainst = Omit<Against, 'credentials'> & { credentials?: Credentials | undefined };

export function classifyDelivery(request: ReceivedRequest, against: JudgedAgainst): Classified {
  const { credentials } = against;
  const delivery = readDelivery(request.rawBody) ?? undefined;
  const known = delivery ? { delivery } : {};
  const absent = absentHeader(request.headers);
  if (absent) return { verdict: 'MALFORMED', finding: absent, ...known };
  if (!credentials) return { verdict: 'UNCHECKED', finding: noSecret(request), ...known };
  if (verifySignature(request, [credentials])) return genuine(request, delivery);
  const explained = explainSignature(request, { ...against, credentials });
  return { verdict: verdictOf(request, explained.finding), ...explained, ...known };
}

/** Signed, and yet nothing that the service sends. */
export const NOT_A_DELIVERY: Finding = finding(
  'not_a_delivery',
  'the signature is right, but the body is not {"webhook", "event", "object"}',
);

function genuine(request: ReceivedRequest, delivery: Delivery | undefined): Classified {
  if (!delivery) return { verdict: 'MALFORMED', finding: NOT_A_DELIVERY };
  const remark = remarkOn(request.headers);
  return { verdict: 'VALID', delivery, ...(remark ? { remark } : {}) };
}

/** A signature that is not even 128 hex digits is no signature, whatever made it so. */
function verdictOf({ headers }: ReceivedRequest, { cause }: Finding): JudgedAs {
  if (!/^[0-9a-f]{128}$/.test(signedHeadersOf(headers).signature)) return 'MALFORMED';
  return cause === 'other_key' ? 'UNCHECKED' : 'INVALID';
}

const noSecret = ({ headers }: ReceivedRequest): Finding =>
  finding(
    'other_key',
    `there is no secret here to check with: the request is signed for key ${keyEnd(signedHeadersOf(headers).key)}`,
    'name the profile of that key, or give --key and the secret',
  );
