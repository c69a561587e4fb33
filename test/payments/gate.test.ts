/** No write without a pass, and no pass in production without somebody's yes. */

import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { planSenderDisable } from '../../src/client/directory-plans.ts';
import type { Transport } from '../../src/core/transport.ts';
import { byName } from '../../src/payments/confirmation.ts';
import type { Desk } from '../../src/payments/desk.ts';
import {
  disablingStep,
  planRedirection,
  planStore,
  redirectPayoutMethod,
  storePayoutMethod,
  switchOffPayoutMethod,
} from '../../src/payments/directory/payout-method.ts';
import {
  changeSender,
  planChange,
  planDisabling,
  planSender,
  saveSender,
  switchOffSender,
} from '../../src/payments/directory/sender.ts';
import { authorizeWrite, type Confirmer, noConfirmer, type WritePermit } from '../../src/payments/gate.ts';
import { plainWrite } from '../../src/payments/plain-write.ts';
import { createPayment, paymentStep, planPayment } from '../../src/payments/plan.ts';
import { settleIt } from '../../src/payments/settle.ts';
import { write } from '../../src/payments/write.ts';
import type { Connection } from '../../src/profiles/connection.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import {
  findWebhook,
  register,
  registrationStep,
  removalStep,
  removeWebhook,
} from '../../src/webhooks/definitions.ts';
import { DESK_BASE_URL, deskOver } from '../support/desk.ts';
import { memoryTransport } from '../support/memory-transport.ts';
import { credentials } from '../support/sandbox.ts';

/** A face of its own: no terminal, no flags, and nobody to ask. */
async function deskOn(
  environment: 'sandbox' | 'production',
  limits: Connection['limits'] = {},
): Promise<{ desk: Desk; sent: string[] }> {
  const sandbox = await createSandbox({ credentials, clock: { mode: 'standing', start: 0 } });
  const sent: string[] = [];
  const served = memoryTransport((request) => sandbox.fetch(request));
  const transport: Transport = async (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return served(request);
  };
  const desk = deskOver({ transport, clock: { now: () => 0 }, environment, limits });
  return { desk, sent };
}

const payment = planPayment({
  body: {
    input_currency: 'EUR',
    metadata: {},
    sender: { external_id: 'nobody-yet' },
    recipients: [
      {
        type: 'person',
        requested_amount: '5000',
        requested_currency: 'NGN',
        payout_method: {
          type: 'NGN::Bank',
          details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456789' },
        },
      },
    ],
  },
  fund: false,
  maxInput: undefined,
});

const unguarded = { confirmer: noConfirmer, asWritten: false };

describe('a face that never asks', () => {
  it('writes on a sandbox', async () => {
    const { desk, sent } = await deskOn('sandbox');
    const permit = await authorizeWrite(desk, paymentStep(desk, payment, undefined), noConfirmer);
    await expect(createPayment(desk, permit, payment, { newPayment: false })).rejects.toMatchObject({
      facts: { category: 'validation', outcome: 'not applied' },
    });
    expect(sent).toContain('POST /v1/transactions');
  });

  it('writes nothing in production', async () => {
    const { desk, sent } = await deskOn('production');
    await expect(
      authorizeWrite(desk, paymentStep(desk, payment, undefined), noConfirmer),
    ).rejects.toMatchObject({
      facts: { category: 'usage', outcome: 'not applied' },
    });
    expect(sent).toEqual([]);
  });

  it('keeps senders, payout methods and endpoints on a sandbox, each by its plan', async () => {
    const { desk } = await deskOn('sandbox');
    const made = planSender(desk, { ...samplePerson, type: 'person', external_id: 'customer-1' });
    const { value: sender } = await saveSender(
      desk,
      await authorizeWrite(desk, made.step, noConfirmer),
      made,
    );
    const change = planChange(desk, sender, { city: 'Porto' });
    const changed = await changeSender(desk, await authorizeWrite(desk, change.step, noConfirmer), change);
    const off = planDisabling(desk, changed.value, true);
    expect(
      (await switchOffSender(desk, await authorizeWrite(desk, off.step, noConfirmer), off)).value,
    ).toMatchObject({
      state: 'disabled',
      city: 'Porto',
    });

    const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456789' };
    const plan = await planStore(desk, { type: 'NGN::Bank', details, metadata: {} }, unguarded);
    const { value: method } = await storePayoutMethod(
      desk,
      await authorizeWrite(desk, plan.step, noConfirmer),
      plan,
    );
    const redirection = await planRedirection(
      desk,
      method,
      { ...details, bank_account: '0123456780' },
      unguarded,
    );
    expect(redirection).toMatchObject({ changes: { bank_account: '0123456780' }, step: { effect: 'money' } });
    const permit = await authorizeWrite(desk, redirection.step, noConfirmer);
    const redirected = await redirectPayoutMethod(desk, permit, redirection, { newPayment: false });
    expect((await planRedirection(desk, redirected, redirection.changes, unguarded)).changes).toEqual({});
    const disabled = await switchOffPayoutMethod(
      desk,
      await authorizeWrite(desk, disablingStep(desk, redirected), noConfirmer),
      redirected,
    );
    await expect(planRedirection(desk, disabled.value, details, unguarded)).rejects.toMatchObject({
      facts: { code: 'not_editable', outcome: 'not applied' },
    });

    const webhook = { url: 'http://127.0.0.1:9/hooks', events: ['recipient.error'], metadata: {} };
    const endpoint = await register(
      desk,
      await authorizeWrite(desk, registrationStep(webhook), noConfirmer),
      webhook,
    );
    await removeWebhook(desk, await authorizeWrite(desk, removalStep(endpoint), noConfirmer), endpoint);
    await expect(findWebhook(desk, endpoint.id ?? '', 'read')).rejects.toMatchObject({
      facts: { category: 'not_found' },
    });
  });

  it('and a yes of somebody opens production, a no does not', async () => {
    const { desk } = await deskOn('production');
    const asked: string[] = [];
    const person = (yes: boolean): Confirmer => ({
      isAttended: true,
      stance: () => ({ kind: 'asks' }),
      confirm: async ({ about }) => {
        asked.push(about);
        return yes;
      },
    });
    const step = paymentStep(desk, payment, undefined);
    await expect(authorizeWrite(desk, step, person(false))).rejects.toMatchObject({
      facts: { category: 'interrupted' },
    });
    expect(await authorizeWrite(desk, step, person(true))).toMatchObject({ effect: 'money' });
    expect(asked).toEqual(['proceed', 'proceed']);
  });
});

describe('a profile with limits', () => {
  it('gets no pass for a payment whose cost nobody looked at', async () => {
    const { desk, sent } = await deskOn('sandbox', { max_amount: { EUR: '1000000' } });
    await expect(
      authorizeWrite(desk, paymentStep(desk, payment, undefined), noConfirmer),
    ).rejects.toMatchObject({
      facts: { category: 'usage', outcome: 'not applied' },
      message: expect.stringContaining('cannot be read before it is sent'),
    });
    expect(sent).toEqual([]);
  });
});

describe('a pass', () => {
  it('for less does not cover more, and one for another account does not count', async () => {
    const { desk, sent } = await deskOn('sandbox');
    const less = await authorizeWrite(
      desk,
      { effect: 'write', what: [], confirm: byName('it') },
      noConfirmer,
    );
    await expect(createPayment(desk, less, payment, { newPayment: false })).rejects.toThrow(
      /does not cover money/,
    );
    const permit = await authorizeWrite(
      desk,
      { effect: 'money', what: [], confirm: byName('it') },
      noConfirmer,
    );
    const elsewhere: Desk = {
      ...desk,
      connection: async () => ({ ...(await desk.connection()), baseUrl: 'https://api.example.com/v1' }),
    };
    await expect(createPayment(elsewhere, permit, payment, { newPayment: false })).rejects.toThrow(
      /for the account that it was made for/,
    );
    expect(sent).toEqual([]);
  });

  it('cannot be made by hand', async () => {
    const { desk, sent } = await deskOn('sandbox');
    const forged = {
      account: { baseUrl: DESK_BASE_URL, name: 'own' },
      effect: 'money',
      confirmer: noConfirmer,
    };
    await expect(
      createPayment(desk, forged as unknown as WritePermit, payment, { newPayment: false }),
    ).rejects.toThrow(/with a pass of the gate/);
    expect(sent).toEqual([]);
  });

  it('is what every write takes: without one it does not compile (npm run types), and does not run', async () => {
    const { desk, sent } = await deskOn('sandbox');
    const asked = { plan: 'cancel' as const, recipientId: 'r', transactionId: 't' };
    const lookAlike = {
      account: { baseUrl: DESK_BASE_URL, name: 'own' },
      effect: 'money' as const,
      confirmer: noConfirmer,
    };
    const request = { asked, summary: 'cancel' };
    const plain = { plan: (client: Client) => planSenderDisable(client, 'an id'), next: '' };
    const unguarded = [
      // @ts-expect-error a write takes a pass
      () => write(desk, request),
      // @ts-expect-error what looks like a pass is none: only the gate makes one
      () => write(desk, lookAlike, request),
      // @ts-expect-error a payment is created with a pass
      () => createPayment(desk, payment, { newPayment: false }),
      // @ts-expect-error a write that moves no money takes one too
      () => plainWrite(desk, plain),
      // @ts-expect-error settling sends again only with one
      () => settleIt(desk, {} as never, 'send'),
    ];
    for (const call of unguarded) await expect(call()).rejects.toThrow();
    expect(sent).toEqual([]);
  });
});
