/** Keys with which pay runs are approved: what everybody may see of them. */
import { shownDigest } from '../../desk/payruns/digest.ts';
import { fingerprintOf } from '../../profiles/approver-key.ts';
import type { OwnApprover } from '../../profiles/approver-store.ts';
import type { View } from '../terminal/view.ts';

export interface ShownApprover {
  name: string;
  algorithm: string;
  public_key: string;
  fingerprint: string;
  /** Where the private key is: `keychain`, or `file`, sealed with a passphrase. */
  kept_in: string;
}

export const shownFingerprint = (key: string): string => shownDigest(fingerprintOf(key));

export const shownApprover = ({ name, key, keptIn }: OwnApprover): ShownApprover => ({
  name,
  algorithm: 'ed25519',
  public_key: key,
  fingerprint: shownFingerprint(key),
  kept_in: keptIn,
});

export const approverView: View<ShownApprover> = {
  kind: 'approver',
  empty: 'no approver on this machine yet: remit approver create NAME',
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'fingerprint', get: ({ fingerprint }) => fingerprint },
    { name: 'kept_in', get: (row) => row.kept_in },
    { name: 'public_key', priority: 1, get: (row) => row.public_key },
    { name: 'algorithm', priority: 2, get: ({ algorithm }) => algorithm },
  ],
  details: (row) => [
    ['approver', row.name],
    ['fingerprint', row.fingerprint],
    ['public key', `${row.algorithm} ${row.public_key}`],
    ['kept in', row.kept_in === 'keychain' ? "the system's keychain" : 'a file, sealed with the passphrase'],
  ],
};
