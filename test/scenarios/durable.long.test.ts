/**
 * Every scenario once more, over a store on disk: nothing of the service may depend on where its records lie. Since all of
 * them run in this one file, it also asks at the end whether a state or an event was never reached.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventInfo, eventNames } from '../../src/contract/events.ts';
import { payinMethodStates } from '../../src/contract/states/payin-method.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';
import { senderStates } from '../../src/contract/states/sender.ts';
import { transactionStates } from '../../src/contract/states/transaction.ts';
import { eventsReached, statesReached } from '../support/scenario.ts';

process.env.REMIT_TEST_STORE = 'durable';

for (const name of readdirSync(import.meta.dirname)) {
  if (!name.endsWith('.test.ts') || name === basename(import.meta.filename)) continue;
  describe(name, async () => {
    await import(join(import.meta.dirname, name));
  });
}

describe('what no scenario reaches', () => {
  const states = {
    transaction: transactionStates,
    recipient: recipientStates,
    payin_method: payinMethodStates,
    sender: senderStates,
  };
  test.each(Object.entries(states))('is no state of a %s', (resource, all) => {
    expect(Object.keys(all).filter((state) => !statesReached[resource]?.has(state))).toEqual([]);
  });

  test('is no event that the sandbox sends', () => {
    const sent = eventNames.filter((name) => eventInfo(name).sandbox);
    expect(sent.filter((name) => !eventsReached.has(name))).toEqual([]);
  });
});
