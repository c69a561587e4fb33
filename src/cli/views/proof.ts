import type { ProofOfPayment } from '../../contract/resources/document.ts';
import type { View } from '../terminal/view.ts';

export const proofView: View<ProofOfPayment> = {
  kind: 'proof_of_payment',
  empty: 'no proof of payment: there are files only once the payout is made, and not for every payout',
  columns: [
    { name: 'id', get: (row) => row.id },
    { name: 'file_name', get: (row) => row.file_name },
    { name: 'url', get: (row) => row.url },
    { name: 'thumbnail', priority: 1, get: (row) => row.thumbnail },
  ],
};
