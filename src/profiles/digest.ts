/**
 * The digest of a run as people read it, compare it and type it: 128 bits, in four groups of eight, which paste as one word. A shorter
 * one can be met by another file: two files with the same 48 bits were found in three minutes.
 */
import { usage } from '../core/problem.ts';
import { fingerprintOf } from './approver-key.ts';

const DIGITS = 32;
const bare = (digest: string): string => digest.replaceAll('-', '').toLowerCase();

export const shownDigest = (digest: string): string =>
  (bare(digest).slice(0, DIGITS).match(/.{8}/g) ?? []).join('-');

export const shownFingerprint = (key: string): string => shownDigest(fingerprintOf(key));

const OF_A_RUN = {
  is: 'a digest',
  from: 'take the whole of it from whoever planned the run, not from this screen',
};
/** A fingerprint of an approver's key is read and typed in the same way. */
export const OF_A_KEY = {
  is: 'a fingerprint',
  from: 'take the whole of it from the approver, by another way than the file came',
};

/** True where a person named this digest. @throws Problem (usage) for one that is not whole */
export function isNamed(digest: string, given: string, { is, from } = OF_A_RUN): boolean {
  const named = bare(given);
  if (!/^[0-9a-f]*$/.test(named) || named.length < DIGITS)
    throw usage(
      `${is} has ${DIGITS} hexadecimal digits, in groups of eight, and this has ${named.length} characters`,
      from,
    );
  return bare(digest).startsWith(named);
}
