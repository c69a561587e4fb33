import type { View } from '../../../frame/terminal/view.ts';
import { signedRequestShape } from '../../../payments/shapes/machine.ts';
import type { SignedRequest } from '../../signed-request.ts';

export const signedRequestView: View<SignedRequest> = {
  shape: signedRequestShape,
  columns: [
    { name: 'method', get: (row) => row.method },
    { name: 'url', get: (row) => row.url },
    { name: 'body_digest', get: (row) => row.body_digest },
    { name: 'string_to_sign', get: (row) => row.string_to_sign },
    { name: 'signature', get: (row) => row.signature },
    { name: 'matches', get: (row) => (row.matches === null ? null : row.matches ? 'yes' : 'no') },
  ],
  details: (row) => [
    ['1. nonce', row.nonce ?? 'any text that was never used before; --nonce gives yours'],
    ['2. method', row.method],
    ['3. URL', row.url],
    ['4. body', `SHA-512 of ${row.body_bytes === 1 ? '1 byte' : `${row.body_bytes} bytes`}, in small hex`],
    ['', row.body_digest],
    ['text to sign', row.string_to_sign],
    ['key', row.key],
    ['signature', row.signature],
    ['matches', row.matches === null ? null : row.matches ? 'yes' : 'no'],
    ['why', row.why, { wrap: true }],
    ['next', row.next, { wrap: true }],
  ],
};
