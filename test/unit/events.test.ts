import { expect, it } from 'vitest';
import { eventInfo, eventNames, isEventName } from '../../src/contract/events.ts';

it('holds the 38 names, each under the kind of object it concerns', () => {
  expect(eventNames).toHaveLength(38);
  for (const name of eventNames) expect(name.startsWith(`${eventInfo(name).object}.`)).toBe(true);
});

it('says which the sandbox sends: all but requests for transactions', () => {
  const unsent = eventNames.filter((name) => !eventInfo(name).sandbox);
  expect(unsent).toHaveLength(9);
  expect(unsent.every((name) => name.startsWith('transaction_request.'))).toBe(true);
});

it('knows a name from any other text', () => {
  expect(isEventName('recipient.error')).toBe(true);
  expect(isEventName('transaction.error')).toBe(false);
  expect(isEventName('toString')).toBe(false);
});
