/**
 * Why a signature does not verify, as one cause: it changes one thing after the other back, and the one that makes the
 * signature fit is the cause. Pure. It never names a secret, a nonce or a signature whole, and what it finds lets nothing in.
 */
import { createHmac } from 'node:crypto';
import type { Credentials } from '../signed-text.ts';
import { equalInConstantTime } from '../signing.ts';
import { type Cause, causeIds, causeInfo } from './cause-table.ts';
import { absentHeader, finding, keyEnd, shapeOf } from './explain-headers.ts';
import { isJson } from './explain-json.ts';
import { trialsOf } from './explain-order.ts';
import { looksLikeText, packedAs } from './explain-packing.ts';
import {
  type Case,
  expected,
  fits,
  found,
  type LoggedDelivery,
  type Other,
  openCase,
  trialText,
} from './explain-trials.ts';
import { lostBody } from './explain-wrapping.ts';
import type { Finding, ReceivedRequest } from './finding.ts';

export interface Against {
  credentials: Credentials;
  /** Other keys and secrets of this machine, each used for hashing alone. */
  others?: readonly Other[];
  /** URLs that are registered with the service. */
  registered?: readonly string[];
  /** The delivery as the log of the service has it. */
  sent?: LoggedDelivery | undefined;
  /** Goes on after the one that fits, to say what else does; it is the first that is the cause. */
  all?: boolean;
  /** Tells who made the signature: the service, of a delivery (if you do not say), or a caller of ours, of a request. */
  sentBy?: Case['sentBy'];
}

/** The result for one cause; `not tried` where an earlier one fits, or there is nothing to try it with. */
export interface Tried {
  cause: Cause;
  result: 'fits' | 'does not fit' | 'not tried';
  /** How many ways to have it were tried. */
  ways: number;
}

/** Says why the signature of a request does not verify. */
export function diagnose(request: ReceivedRequest, against: Against): Finding {
  return explainSignature(request, against).finding;
}

/** The same, with the list of what was tried on the way. */
export function explainSignature(
  request: ReceivedRequest,
  { credentials, others = [], registered = [], sent, all = false, sentBy = 'service' }: Against,
): { finding: Finding; tried: Tried[] } {
  const notes = new Notes();
  const open = openCase(request, { credentials, others, registered, sent, sentBy });
  const named = findCause(open, notes, all);
  notes.fits(named.cause);
  return { finding: named, tried: notes.list() };
}

/** Notes the causes that were tried, and those that fitted. */
class Notes {
  readonly #ways = new Map<Cause, number>();
  readonly #fitting = new Set<Cause>();

  tries(...causes: Cause[]): void {
    for (const cause of causes) this.#ways.set(cause, (this.#ways.get(cause) ?? 0) + 1);
  }

  fits(cause: Cause): void {
    this.#fitting.add(cause);
  }

  list(): Tried[] {
    return causeIds.map((cause) => {
      const ways = this.#ways.get(cause) ?? 0;
      const result = this.#fitting.has(cause) ? 'fits' : ways > 0 ? 'does not fit' : 'not tried';
      return { cause, result, ways };
    });
  }
}

function findCause(open: Case, notes: Notes, all: boolean): Finding {
  notes.tries('missing_header', 'other_scheme');
  return (
    absentHeader(open.request.headers) ??
    anotherKey(open, notes) ??
    brokenSignature(open, notes) ??
    changedPart(open, notes, all) ??
    byShape(open, notes) ??
    nothingFits(open)
  );
}

/** The key decides which secret counts: where it is another, nothing else is looked at. */
function anotherKey(open: Case, notes: Notes): Finding | null {
  const { signed, credentials, others } = open;
  const { key, nonce, signature } = signed;
  if (key === credentials.key) return null;
  notes.tries('key_space', 'header_swapped', 'other_profile_key', 'key_header');
  const bare = (text: string): string => text.replace(/^["'\s]+|(?<!["'\s])["'\s]+$/g, '');
  if (bare(key) === bare(credentials.key))
    return finding('key_space', 'the key is the same but for white space or quotes around it');
  if (nonce === credentials.key || signature === credentials.key)
    return finding('header_swapped', 'the key does not stand in Authorization-Key, but in another header');
  const owner = others.find((other) => other.key === key);
  if (owner) return anotherProfile(open, owner);
  if (fits(open))
    return finding(
      'key_header',
      `the signature is right for key ${keyEnd(credentials.key)}, but Authorization-Key names ${keyEnd(key)}`,
    );
  return finding(
    'other_key',
    `the request is signed for key ${keyEnd(key)}, and key ${keyEnd(credentials.key)} is used here`,
  );
}

function anotherProfile(open: Case, { name, key, secret }: Other): Finding {
  const proof =
    secret !== undefined && fits(open, { secret }) ? ': with its secret the signature is right' : '';
  return finding(
    'other_profile_key',
    `the request is signed for key ${keyEnd(key)}, which is that of ${name}${proof}`,
  );
}

const DIGESTS = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384' } as const;
const ENOUGH = 16;

/** A beginning of the right signature, or the right text under another digest. */
function brokenSignature(open: Case, notes: Notes): Finding | null {
  const given = open.signed.signature.trim().toLowerCase();
  if (given.length >= 128 || !/^[0-9a-f]+$/.test(given)) return null;
  notes.tries('signature_cut');
  const right = expected(open).slice(0, given.length);
  if (given.length >= ENOUGH && equalInConstantTime(right, given))
    return finding(
      'signature_cut',
      `the signature is right as far as it goes: ${given.length} of 128 characters arrived`,
    );
  notes.tries('signature_digest');
  const digest = Object.entries(DIGESTS).find(([algorithm]) =>
    equalInConstantTime(
      createHmac(algorithm, open.credentials.secret).update(trialText(open)).digest('hex'),
      given,
    ),
  );
  return digest
    ? finding('signature_digest', `the signature was made with HMAC and ${digest[1]}, not SHA-512`)
    : null;
}

function changedPart(open: Case, notes: Notes, all: boolean): Finding | null {
  let first: Finding | null = null;
  for (const trial of trialsOf(open)) {
    notes.tries(trial.cause);
    if (!fits(open, trial)) continue;
    notes.fits(trial.cause);
    first ??= found(trial);
    if (!all) break;
  }
  return first;
}

/** Finds a cause that cannot be undone, and is known by its looks alone. */
function byShape(open: Case, notes: Notes): Finding | null {
  const { request, signed } = open;
  notes.tries('signature_shape');
  const shape = shapeOf(signed.signature);
  if (shape) return shape;
  notes.tries('body_lost');
  const lost = open.sentBy === 'service' ? lostBody(request.rawBody) : null;
  if (lost) return lost;
  notes.tries('nonce_cut');
  if (isCutUuid(signed.nonce))
    return finding(
      'nonce_cut',
      `the nonce looks cut off: ${signed.nonce.length} of the 36 characters of a UUID arrived`,
    );
  notes.tries('body_decompressed');
  const packed = packedAs(request.headers);
  if (packed !== undefined && looksLikeText(request.rawBody))
    return finding(
      'body_decompressed',
      `Content-Encoding says ${packed.slice(0, 20)}, and the body is not packed: something on the way unpacked it`,
    );
  return null;
}

/** A cut UUID has its first group and a dash at least: an ordinary number is none. */
function isCutUuid(nonce: string): boolean {
  const whole = '00000000-0000-0000-0000-000000000000';
  if (nonce.length < 9 || nonce.length >= whole.length) return false;
  return nonce.replace(/[0-9a-f]/gi, '0') === whole.slice(0, nonce.length);
}

const REPLACED = '\ufffd';

function nothingFits({ request }: Case): Finding {
  const text = Buffer.from(request.rawBody).toString('utf8');
  const message =
    'key and form are right, but the signature was made with another secret, or for another URL or body';
  const { hint } = causeInfo('secret');
  if (Buffer.from(request.rawBody).includes(REPLACED))
    return finding(
      'secret',
      message,
      'the body holds replacement characters (U+FFFD): it was read in a wrong charset, and what stood there is lost; verify the raw bytes',
    );
  const lost = isJson(text)
    ? '; if the body was parsed and written again, lost forms of numbers (12.50 written as 12.5) cannot be undone, so verify the raw bytes'
    : '';
  return finding('secret', message, `${hint}${lost}`);
}
