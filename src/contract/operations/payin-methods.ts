import { single } from '../resources/common.ts';
import { payinMethod, payinMethodWrite } from '../resources/payment-method.ts';
import { operation, read } from './operation.ts';

const answer = single(payinMethod);

export const getPayinMethod = read({
  id: 'payin_methods.get',
  wireId: 'get-payin-method',
  path: '/payin_methods/{payin_method_id}',
  summary: 'One payin method of a collection',
  answer,
  failures: [404],
});

export const cancelPayinMethod = operation({
  id: 'payin_methods.cancel',
  wireId: 'delete-payin-method',
  method: 'DELETE',
  path: '/payin_methods/{payin_method_id}',
  summary: 'Ask for the cancellation of a collection',
  query: [],
  answer,
  status: 200,
  failures: [404, 422],
  effect: 'destructive',
  settle: 'resource',
  paging: 'none',
});

/** The body is the bare payin method, without a wrapper. */
export const editPayinMethod = operation({
  id: 'payin_methods.edit',
  wireId: 'patch-payin-method',
  method: 'PATCH',
  path: '/payin_methods/{payin_method_id}',
  summary: 'Change details of a collection, or give its one-time code',
  query: [],
  body: payinMethodWrite,
  answer,
  status: 200,
  failures: [404, 422],
  effect: 'money',
  settle: 'resource',
  paging: 'none',
});

export const retryPayinMethod = operation({
  id: 'payin_methods.retry',
  wireId: 'retry-payin-method',
  method: 'POST',
  path: '/payin_methods/{payin_method_id}/retry',
  summary: 'Try a failed collection again',
  query: [],
  answer,
  status: 200,
  failures: [404, 422],
  effect: 'money',
  settle: 'resource',
  paging: 'none',
});
