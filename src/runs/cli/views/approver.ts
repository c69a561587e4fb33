/** Keys with which pay runs are approved: what everybody may see of them. */

import type { DataOf } from '../../../frame/shape.ts';
import type { View } from '../../../frame/terminal/view.ts';
import type { OwnApprover } from '../../../profiles/approver-store.ts';
import { shownFingerprint } from '../../../profiles/digest.ts';
import { approverShape } from '../../shapes.ts';

export type ShownApprover = DataOf<typeof approverShape>;

export const shownApprover = ({ name, key, keptIn }: OwnApprover): ShownApprover => ({
  name,
  algorithm: 'ed25519',
  public_key: key,
  fingerprint: shownFingerprint(key),
  kept_in: keptIn,
});

export const approverView: View<ShownApprover> = {
  shape: approverShape,
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
