import { expect, it } from 'vitest';
import { eventInfo, eventNames, isEventName } from '../../src/contract/events.ts';

/** As the service's own interface has them. */
const NAMES = `
  document.created document.disabled payin_method.canceled payin_method.error payin_method.exception
  payin_method.incomplete payin_method.mispaid payin_method.paid_in payin_method.pending
  payin_method.processing payin_method.refunded payout_method.created payout_method.disabled
  recipient.error recipient.paid_out recipient.pending recipient.refunded sender.approved
  sender.created sender.disabled sender.rejected transaction.approved transaction.canceled
  transaction.created transaction.exception transaction.mispaid transaction.paid_in
  transaction.paid_out transaction.refunded transaction_request.accepted
  transaction_request.canceled transaction_request.confirmed transaction_request.created
  transaction_request.expired transaction_request.modified transaction_request.refused
  transaction_request.rejected transaction_request.reset
`;

it('holds the names of the interface, each under the kind of object it concerns', () => {
  expect([...eventNames].sort()).toEqual(NAMES.trim().split(/\s+/));
  for (const name of eventNames) expect(name.startsWith(`${eventInfo(name).object}.`)).toBe(true);
});

it('says which the sandbox sends: all but requests for transactions', () => {
  const unsent = eventNames.filter((name) => !eventInfo(name).sandbox);
  const requests = eventNames.filter((name) => name.startsWith('transaction_request.'));
  expect(unsent).toEqual(requests);
});

it('knows a name from any other text', () => {
  expect(isEventName('recipient.error')).toBe(true);
  expect(isEventName('transaction.error')).toBe(false);
  expect(isEventName('toString')).toBe(false);
});
