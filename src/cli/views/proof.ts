import type { ProofOfPayment } from '../../contract/resources/document.ts';
import { proofFileShape, proofShape } from '../../desk/shapes/payments.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { text, type View } from '../terminal/view.ts';

export const proofView: View<ProofOfPayment> = {
  shape: proofShape,
  empty: 'no proof of payment: there are files only once the payout is made, and not for every payout',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'file_name', least: 12, get: (row) => row.file_name },
    { name: 'url', least: 20, get: (row) => row.url },
    { name: 'thumbnail', priority: 1, least: 12, get: (row) => row.thumbnail },
  ],
};

/** The outcome of one file that was to be downloaded. */
export type ProofFile = DataOf<typeof proofFileShape>;

export const proofFileView: View<ProofFile> = {
  shape: proofFileShape,
  empty: proofView.empty ?? '',
  columns: [
    { name: 'path', get: (row) => row.path },
    { name: 'outcome', get: (row) => row.outcome },
    { name: 'bytes', right: true, priority: 1, get: (row) => text(row.bytes) },
    { name: 'id', priority: 2, get: (row) => row.id },
    { name: 'why', priority: 1, wrap: true, get: (row) => row.why },
  ],
};
