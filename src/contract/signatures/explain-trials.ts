/** Each trial changes one part back, as something on the way may have changed it; the engine sees whether the signature fits. */
import { type BinaryLike, createHmac } from 'node:crypto';
import type { Credentials } from '../signed-text.ts';
import { bodyDigest, equalInConstantTime, sign } from '../signing.ts';
import { bodyDigests } from './body-variants.ts';
import { causeInfo } from './cause-table.ts';
import { finding, type SignedHeaders, signedHeadersOf } from './explain-headers.ts';
import type { Cause, Finding, ReceivedRequest, Variant } from './finding.ts';

/** Another pair of this machine: of another profile, or an earlier secret. */
export interface Other {
  /** For people: `profile live`. */
  name: string;
  key: string;
  /** Absent where only the key is known. */
  secret?: string | undefined;
}

/** A delivery as the log of the service has it. */
export interface LoggedDelivery {
  url: string;
  body: string;
}

export interface Case {
  request: ReceivedRequest;
  signed: SignedHeaders;
  credentials: Credentials;
  others: readonly Other[];
  registered: readonly string[];
  /** The delivery as the log of the service has it, where that was read. */
  sent: LoggedDelivery | undefined;
  /** Tells whose signature it is: of a delivery of the service, or of a request of ours. */
  sentBy: 'service' | 'caller';
  method: string;
  /** The digest of the body as it was received. */
  digest: string;
  sign: (text: string) => string;
  bodies: Variant<string>[];
}

const MOST_REGISTERED = 20;

export function openCase(
  request: ReceivedRequest,
  against: Pick<Case, 'credentials' | 'others' | 'registered' | 'sent' | 'sentBy'>,
): Case {
  const { credentials, registered, sent } = against;
  let bodies: Variant<string>[] | undefined;
  return {
    request,
    signed: signedHeadersOf(request.headers),
    ...against,
    registered: [...(sent ? [sent.url] : []), ...registered].slice(0, MOST_REGISTERED),
    method: (request.method ?? 'POST').toUpperCase(),
    digest: bodyDigest(request.rawBody),
    sign: (text) => sign(credentials.secret, text),
    get bodies() {
      bodies ??= bodyDigests(request.rawBody, request.headers, sent?.body);
      return bodies;
    },
  };
}

/** The parts of a signed text that a trial puts in place of what was received. */
export interface Trial {
  cause: Cause;
  say: string;
  hint?: string;
  nonce?: string;
  method?: string;
  url?: string;
  digest?: string;
  /** Tried in place of the signature that was received. */
  signature?: string;
  secret?: string | Buffer;
  /** The whole text, in place of its four parts. */
  text?: string;
  /** The whole signature as the mistake makes it, in hex. */
  mac?: string;
}

export function trialText({ signed, request, method, digest }: Case, trial: Partial<Trial> = {}): string {
  return `${trial.nonce ?? signed.nonce}&${trial.method ?? method}&${trial.url ?? request.url}&${trial.digest ?? digest}`;
}

export function expected(open: Case, trial: Partial<Trial> = {}): string {
  if (trial.mac !== undefined) return trial.mac;
  const text = trial.text ?? trialText(open, trial);
  return trial.secret === undefined ? open.sign(text) : hmac(trial.secret, text);
}

const hmac = (secret: BinaryLike, text: string): string =>
  createHmac('sha512', secret).update(text).digest('hex');

export function fits(open: Case, trial: Partial<Trial> = {}): boolean {
  return equalInConstantTime(expected(open, trial), trial.signature ?? open.signed.signature);
}

export function found({ cause, say, hint }: Trial): Finding {
  return finding(cause, say, hint ?? causeInfo(cause).hint);
}
