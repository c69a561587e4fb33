/** The words for a call that got no answer: what that means for a write, and what to do. */
import type { NetworkError } from '../client/errors.ts';
import { type Hint, hint } from '../core/next.ts';
import { Problem, refuse } from '../core/problem.ts';

export const STOPPED = { category: 'interrupted', code: 'interrupted', message: 'stopped' } as const;

/** A read that was broken off says nothing about what a command sent before it. */
const interrupted = (cause: Error): Problem => new Problem(STOPPED, { cause });

/** The service, or what stands in its place, answered without end. */
const isGivenUp = ({ code }: NetworkError): boolean => code.startsWith('ANSWER_TOO_');
const RUN_AGAIN = 'nothing was changed; run it again when the connection is back';
export const NOT_THE_SERVICE = hint`nothing was changed; look what answers at that address: ${{ do: 'examine_set_up' }}`;

const NOT_REACHED = 'the service was not reached';
/** It may have been reached. */
const NO_ANSWER = 'no answer came from the service';

export function networkProblem(error: NetworkError): Problem {
  const { effect } = error.call;
  if (error.code === 'AbortError' && effect === 'read') return interrupted(error);
  const sent = error.reach !== 'not_sent';
  const unknown = effect !== 'read' && sent;
  const certificate = sent ? undefined : certificateHint(error.code);
  if (certificate !== undefined) return untrusted(error, certificate);
  return refuse(
    unknown ? 'unknown' : 'network',
    error.code.toLowerCase(),
    isGivenUp(error) ? error.message : `${sent ? NO_ANSWER : NOT_REACHED}: ${error.message}`,
    {
      hint: unknown ? undefined : isGivenUp(error) ? NOT_THE_SERVICE : RUN_AGAIN,
      requestId: error.call.nonce,
      retryable: !unknown,
      cause: error,
      note: unknown ? undefined : 'nothing was sent',
      outcome: effect === 'read' ? undefined : unknown ? 'unknown' : 'not applied',
    },
  );
}

/** A problem until a setting is changed: running it again does not help. */
function untrusted(error: NetworkError, hint: Hint): Problem {
  return refuse(
    'config',
    error.code.toLowerCase(),
    `${NOT_REACHED}, since its certificate is not accepted: ${error.message}`,
    {
      hint,
      requestId: error.call.nonce,
      cause: error,
      note: 'nothing was sent',
      outcome: error.call.effect === 'read' ? undefined : 'not applied',
    },
  );
}

const UNSIGNED =
  /^(?:UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|CERT_UNTRUSTED)/;
const OF_TIME = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;
const OF_ANOTHER = 'ERR_TLS_CERT_ALTNAME_INVALID';

/**
 * The advice about a certificate that is not accepted, by the codes of OpenSSL and Node. Undefined where the code
 * is of something else.
 */
function certificateHint(code: string): Hint | undefined {
  if (UNSIGNED.test(code))
    return hint`set NODE_EXTRA_CA_CERTS=FILE to the authority that signed it, in PEM; a profile keeps one if you name the file when you sign in: ${{ do: 'sign_in' }}`;
  if (OF_TIME.test(code))
    return 'look at the clock of this machine first; then ask the operator of that host';
  if (code === OF_ANOTHER)
    return hint`the address is that of another host than the certificate is for: look at REMIT_BASE_URL, or at the profile with ${'`'}${{ do: 'who_am_i' }}${'`'}`;
  return undefined;
}
