import { single } from '../resources/common.ts';
import { payinMethod, payinMethodWrite } from '../resources/payment-method.ts';
import { operation, readOperation } from './operation.ts';

const answer = single(payinMethod);

export const getPayinMethod = readOperation({
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
  answer,
  effect: 'destructive',
  settle: 'resource',
});

/** The body is the bare payin method, without a wrapper. */
export const editPayinMethod = operation({
  id: 'payin_methods.edit',
  wireId: 'patch-payin-method',
  method: 'PATCH',
  path: '/payin_methods/{payin_method_id}',
  summary: 'Change details of a collection, or give its one-time code',
  body: payinMethodWrite,
  answer,
  effect: 'money',
  settle: 'resource',
});

export const retryPayinMethod = operation({
  id: 'payin_methods.retry',
  wireId: 'retry-payin-method',
  method: 'POST',
  path: '/payin_methods/{payin_method_id}/retry',
  summary: 'Try a failed collection again',
  answer,
  effect: 'money',
  settle: 'resource',
});
