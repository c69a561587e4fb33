import { listOf, single } from '../resources/common.ts';
import { payoutMethod, payoutMethodRequest, payoutMethodWrite } from '../resources/payment-method.ts';
import { dates, operation, page, readOperation } from './operation.ts';

const answer = single(payoutMethod);

export const listPayoutMethods = readOperation({
  id: 'payout_methods.list',
  wireId: 'get-payout-methods',
  path: '/payout_methods',
  summary: 'Stored payout methods',
  query: [
    { name: 'state', kind: 'list', values: ['enabled', 'disabled'] },
    { name: 'type', kind: 'list' },
    { name: 'sender_id', kind: 'uuid' },
    ...page,
    ...dates,
  ],
  answer: listOf(payoutMethod),
  paging: 'envelope',
});

export const createPayoutMethod = operation({
  id: 'payout_methods.create',
  wireId: 'post-payout-methods',
  method: 'POST',
  path: '/payout_methods',
  summary: 'Store a payout method',
  body: payoutMethodRequest,
  answer,
  status: 201,
  failures: [422],
  effect: 'write',
  settle: 'list',
});

export const getPayoutMethod = readOperation({
  id: 'payout_methods.get',
  wireId: 'get-payout-method',
  path: '/payout_methods/{payout_method_id}',
  summary: 'One stored payout method',
  answer,
  failures: [404],
});

export const disablePayoutMethod = operation({
  id: 'payout_methods.disable',
  wireId: 'delete-payout-method',
  method: 'DELETE',
  path: '/payout_methods/{payout_method_id}',
  summary: 'Disable a stored payout method',
  answer,
  effect: 'destructive',
  settle: 'resource',
});

/** The body is the bare payout method, without a wrapper. It redirects money. */
export const editPayoutMethod = operation({
  id: 'payout_methods.edit',
  wireId: 'patch-payout-method',
  method: 'PATCH',
  path: '/payout_methods/{payout_method_id}',
  summary: 'Change a stored payout method',
  body: payoutMethodWrite,
  answer,
  effect: 'money',
  settle: 'resource',
});
