import type { ProofOfPayment } from '../../contract/resources/document.ts';
import type { View } from '../terminal/view.ts';

export const proofView: View<ProofOfPayment> = {
  kind: 'proof_of_payment',
  empty: 'no proof of payment: there are files only once the payout is made, and not for every payout',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'file_name', least: 12, get: (row) => row.file_name },
    { name: 'url', least: 20, get: (row) => row.url },
    { name: 'thumbnail', priority: 1, least: 12, get: (row) => row.thumbnail },
  ],
};
