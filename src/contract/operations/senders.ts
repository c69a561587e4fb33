import { listOf, single } from '../resources/common.ts';
import { sender, senderAnswer, senderRequest } from '../resources/sender.ts';
import { dates, operation, page, readOperation } from './operation.ts';

const answer = single(sender);

export const listSenders = readOperation({
  id: 'senders.list',
  wireId: 'get-senders',
  path: '/senders',
  summary: 'Senders, or the one with an external id',
  query: [...page, ...dates, { name: 'external_id', kind: 'text' }],
  answer: listOf(sender),
  paging: 'envelope',
});

export const createSender = operation({
  id: 'senders.create',
  wireId: 'post-senders',
  method: 'POST',
  path: '/senders',
  summary: 'Create a sender',
  body: senderRequest,
  answer: senderAnswer,
  status: 201,
  failures: [422],
  effect: 'write',
  settle: 'external_id',
});

export const getSender = readOperation({
  id: 'senders.get',
  wireId: 'get-sender',
  path: '/senders/{sender_id}',
  summary: 'One sender',
  answer,
  failures: [404],
});

export const disableSender = operation({
  id: 'senders.disable',
  wireId: 'delete-sender',
  method: 'DELETE',
  path: '/senders/{sender_id}',
  summary: 'Disable a sender',
  answer,
  effect: 'destructive',
  settle: 'resource',
});

export const editSender = operation({
  id: 'senders.edit',
  wireId: 'patch-sender',
  method: 'PATCH',
  path: '/senders/{sender_id}',
  summary: 'Change details of a sender',
  body: senderRequest,
  answer,
  effect: 'write',
  settle: 'resource',
});
