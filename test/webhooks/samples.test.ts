/** Samples of events are what a sandbox sends: inside the contract, in the state that the event tells, with ids and times of their own. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventInfo, eventNames } from '../../src/contract/events.ts';
import { document } from '../../src/contract/resources/document.ts';
import { payinMethod, payoutMethod } from '../../src/contract/resources/payment-method.ts';
import { sender } from '../../src/contract/resources/sender.ts';
import { recipient, transaction } from '../../src/contract/resources/transaction.ts';
import { payinMethodStates } from '../../src/contract/states/payin-method.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';
import { senderStates } from '../../src/contract/states/sender.ts';
import { transactionStates } from '../../src/contract/states/transaction.ts';
import { isUuid } from '../../src/core/ids.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sampleJson } from '../../src/sandbox/sample-events.ts';
import { readDelivery } from '../../src/webhooks/intake/verify.ts';
import { deliveryBody, sampleId, withNewIds } from '../../src/webhooks/sample.ts';

const NOW = Date.UTC(2027, 2, 5, 9);
const HOUR = 3_600_000;
const sampled = eventNames.filter((name) => eventInfo(name).sandbox);
const sent = new Map<string, string>();
beforeAll(async () => {
  for (const event of sampled) sent.set(event, (await sampleJson(event, NOW)) ?? '');
});
const sample = (event: string, seed = 1): string => {
  const random = seededRandom(seed);
  return withNewIds(sent.get(event) ?? '', () => sampleId(random));
};

const schemas = {
  transaction,
  recipient,
  payin_method: payinMethod,
  payout_method: payoutMethod,
  sender,
  document,
};
const states: Record<string, object> = {
  transaction: transactionStates,
  recipient: recipientStates,
  payin_method: payinMethodStates,
  sender: senderStates,
  payout_method: { enabled: 1, disabled: 1 },
};

/** The state in which each event finds its object, where its name does not say it. */
const TOLD: Record<string, string> = {
  'payin_method.paid_in': 'success',
  'payout_method.created': 'enabled',
  'recipient.paid_out': 'success',
  'sender.created': 'initial',
  'transaction.created': 'initial',
  'transaction.paid_in': 'received',
  'transaction.paid_out': 'paid',
};

describe.each(sampled)('%s', (event) => {
  it('is inside the contract, in the state that it tells', () => {
    const kind = eventInfo(event).object as keyof typeof schemas;
    const text = sample(event);
    const object = JSON.parse(text);
    expect(schemas[kind].safeParse(object).error).toBeUndefined();
    if (kind !== 'document') {
      expect(Object.keys(states[kind] ?? {})).toContain(object.state);
      expect(object.state).toBe(TOLD[event] ?? event.split('.')[1]);
    }
    expect(readDelivery(Buffer.from(deliveryBody('w', event, text)))).toMatchObject({ event });
  });

  it('has ids that nobody else can have', () => {
    const ids = idsIn(JSON.parse(sample(event)));
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      expect(isUuid(id)).toBe(true);
      expect(id).toMatch(/^7e57da7a-[0-9a-f]{4}-8/);
    }
    expect(sample(event)).not.toMatch(/"[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(sample(event)).toEqual(sample(event));
    expect(idsIn(JSON.parse(sample(event, 2)))).not.toEqual(ids);
  });

  it('is of now, and the same each time', async () => {
    expect(await sampleJson(event, NOW)).toBe(sent.get(event));
    const times = [...sample(event).matchAll(/"(\d{4}-\d\d-\d\dT[^"]+)"/g)].map(([, at = '']) =>
      Date.parse(at),
    );
    for (const at of times) expect(Math.abs(at - NOW)).toBeLessThanOrEqual(HOUR);
  });
});

it('an id that stands twice stays one, and amounts keep their digits', () => {
  const { id, recipients } = JSON.parse(sample('transaction.paid_out'));
  expect(recipients[0].transaction_id).toBe(id);
  expect(sample('transaction.paid_out')).toContain('"requested_amount":25.50,');
});

it('what no sandbox sends has no sample', async () => {
  expect(await sampleJson('transaction_request.created', NOW)).toBeUndefined();
  expect(await sampleJson('nothing.known', NOW)).toBeUndefined();
});

/** Every id: those of the transaction stand in its recipients too. */
function idsIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => idsIn(each));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, each]) => idsIn(each, member));
  return /^(?:transaction_)?id$/.test(name) ? [String(value)] : [];
}
