/**
 * The advice about a certificate that is not accepted, by the codes of OpenSSL and Node. Nothing was sent: it
 * is a matter of settings.
 */
import { type Said, said } from '../../core/next.ts';

const UNSIGNED =
  /^(?:UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|CERT_UNTRUSTED)/;
const OF_TIME = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;
const OF_ANOTHER = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** Undefined where the code is of something else. */
export function certificateHint(code: string): Said | undefined {
  if (UNSIGNED.test(code))
    return said`set NODE_EXTRA_CA_CERTS=FILE to the authority that signed it, in PEM; a profile keeps one if you name the file when you sign in: ${{ do: 'sign_in' }}`;
  if (OF_TIME.test(code))
    return 'look at the clock of this machine first; then ask the operator of that host';
  if (code === OF_ANOTHER)
    return said`the address is that of another host than the certificate is for: look at REMIT_BASE_URL, or at the profile with ${'`'}${{ do: 'who_am_i' }}${'`'}`;
  return undefined;
}
