/** Generated deliveries: inside the contract, and member for member what the sandbox sends for the same event. */
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
import { runScenario } from '../../src/sandbox/scenario/run.ts';
import { openTheatre } from '../../src/sandbox/scenario/theatre.ts';
import { readDelivery } from '../../src/webhooks/intake/verify.ts';
import { deliveryBody, isSampled, sampleId, sampleObject } from '../../src/webhooks/samples/sample.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const sampled = eventNames.filter(isSampled);
const making = (seed: number) => {
  const random = seededRandom(seed);
  return { id: () => sampleId(random), now: NOW };
};
const sample = (event: (typeof sampled)[number], seed = 1) => sampleObject(event, making(seed));

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

describe.each(sampled)('%s', (event) => {
  it('is inside the contract, in a state of its resource', () => {
    const kind = eventInfo(event).object as keyof typeof schemas;
    const object = sample(event);
    expect(schemas[kind].safeParse(object).error).toBeUndefined();
    if (kind !== 'document') expect(Object.keys(states[kind] ?? {})).toContain(object.state);
    expect(readDelivery(Buffer.from(deliveryBody('w', event, JSON.stringify(object))))).toMatchObject({
      event,
    });
  });

  it('has ids that nobody else can have', () => {
    const ids = idsIn(sample(event));
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      expect(isUuid(id)).toBe(true);
      expect(id).toMatch(/^7e57da7a-[0-9a-f]{4}-8/);
    }
    expect(sample(event)).toEqual(sample(event));
    expect(idsIn(sample(event, 2))).not.toEqual(ids);
  });
});

/** Every id: those of the transaction stand in its recipients too. */
function idsIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => idsIn(each));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, each]) => idsIn(each, member));
  return /^(?:transaction_)?id$/.test(name) ? [String(value)] : [];
}

/** Between them they make the sandbox send every event it ever sends. */
const tables = [
  `setting kyc=operator
   create a number=0123456700 amount=10 EUR
   approve a
   fund a
   expect a state=paid
   call DELETE /senders/{a.sender}`,
  `setting kyc=operator
   create a number=0123456700 amount=10 EUR
   reject a`,
  `setting review=true
   pay b number=0123456700 amount=10 EUR
   review b exception`,
  `pay a number=0123456719 amount=10 EUR
   cancel a
   drain`,
  `create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile flow=otp_verified_ussd_popup
   drain
   code a 424242
   drain
   payin a outcome=processing
   payin a`,
  `create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
   drain
   payin a code=412`,
  `create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
   drain
   payin a outcome=exception
   cancel-payin a`,
  `create a to=NGN::Bank number=0123456719 amount=100 GHS input=GHS payin=GHS::Mobile
   drain
   payin a amount=60
   cancel-payin a
   refund a`,
  `create a number=0123456700 amount=10 EUR file=passport.png
   call DELETE /senders/{a.sender}`,
];

const FREE = new Set(['details', 'in_details', 'out_details', 'instructions', 'metadata', 'providers']);

/** Names, what kind of value each has, and those below; free maps are left out. */
function shapeOf(value: unknown, name = ''): unknown {
  if (FREE.has(name)) return 'free';
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => shapeOf(each));
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, shapeOf(each, member)]));
}

describe('what the sandbox sends', () => {
  const sent = new Map<string, Record<string, unknown>>();

  beforeAll(async () => {
    for (const table of tables) {
      const { stage, sandbox, close } = await openTheatre();
      expect((await runScenario(stage, table)).failed).toBeNull();
      const details = { first_name: 'A', last_name: 'B', bank_code: '044', bank_account: '0123456700' };
      const made = await stage.call('POST', '/payout_methods', {
        payout_method: { type: 'NGN::Bank', details },
      });
      await stage.call('DELETE', `/payout_methods/${made.body.object.id}`);
      await sandbox.drain();
      for (const { event, object } of stage.received) if (!sent.has(event)) sent.set(event, object);
      await close();
    }
  });

  it.each(sampled)('%s: the same members, of the same kinds, in the same state', (event) => {
    const real = sent.get(event);
    const made = sample(event);
    expect(real, `${event} was sent`).toBeDefined();
    expect(shapeOf(made)).toEqual(shapeOf(real));
    expect(Object.keys(made)).toEqual(Object.keys(real ?? {}));
    for (const member of ['state', 'state_reason_details', 'editable', 'retriable', 'may_cancel'])
      expect(made[member], member).toEqual(real?.[member]);
  });
});
