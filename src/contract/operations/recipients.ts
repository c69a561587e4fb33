import { listOf, single } from '../resources/common.ts';
import { proofOfPayment } from '../resources/document.ts';
import { recipient, recipientEditRequest } from '../resources/transaction.ts';
import { dates, operation, page, readOperation } from './operation.ts';

const answer = single(recipient);

export const listRecipients = readOperation({
  id: 'recipients.list',
  wireId: 'get-recipients',
  path: '/recipients',
  summary: 'Recipients of all transactions',
  query: [
    ...page,
    ...dates,
    { name: 'amount_from', kind: 'decimal' },
    { name: 'amount_to', kind: 'decimal' },
    { name: 'state', kind: 'list' },
    { name: 'currency', kind: 'list' },
  ],
  answer: listOf(recipient),
  paging: 'envelope',
});

export const cancelRecipient = operation({
  id: 'recipients.cancel',
  wireId: 'delete-recipient',
  method: 'DELETE',
  path: '/recipients/{recipient_id}',
  summary: 'Cancel the payout to one recipient',
  answer,
  effect: 'destructive',
  settle: 'recipient',
});

/** Editing a recipient redirects money: it counts as money. */
export const editRecipient = operation({
  id: 'recipients.edit',
  wireId: 'patch-recipient',
  method: 'PATCH',
  path: '/recipients/{recipient_id}',
  summary: 'Correct the details of one recipient',
  body: recipientEditRequest,
  answer,
  effect: 'money',
  settle: 'recipient',
});

export const listProofsOfPayment = readOperation({
  id: 'recipients.proofs',
  wireId: 'proof-of-payments',
  path: '/recipients/{recipient_id}/proof_of_payments',
  summary: 'Proofs that a payout arrived',
  answer: listOf(proofOfPayment),
  failures: [404, 422],
});
