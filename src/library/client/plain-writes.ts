/** Writes that move no money, as methods. Their plans are the client's. What is edited is read first. */

import { planForcedPayin, planForcedPayout, planValidation } from '../../client/check-plans.ts';
import type { Client } from '../../client/client.ts';
import {
  carryOutPlain,
  type PlainPlan,
  planDocumentCreate,
  planPayoutMethodCreate,
  planPayoutMethodDisable,
  planSenderCreate,
  planSenderDisable,
  planSenderEdit,
} from '../../client/directory-plans.ts';
import { planWebhookCreate, planWebhookDelete } from '../../client/endpoint-plans.ts';
import { noted } from '../../client/intents.ts';
import type { Outcome } from '../../client/outcome.ts';
import { getSender } from '../../contract/operations/senders.ts';
import { getWebhook } from '../../contract/operations/webhooks.ts';
import { payoutMethodWrite } from '../../contract/resources/payment-method.ts';
import type * as Public from '../client-types.ts';
import { checkStoringOptions, currentValues, refuseEmptyEdit } from './check-options.ts';
import { refuseWrongPayout } from './details.ts';
import { outcomeOf, unknown, validationOf } from './outcome.ts';
import { readRecord, type Scope } from './scope.ts';

export interface PlainWrites {
  createDocument: Public.PartnerClient['documents']['create'];
  createPayoutMethod: Public.PartnerClient['payoutMethods']['create'];
  disablePayoutMethod: Public.PartnerClient['payoutMethods']['disable'];
  createSender: Public.PartnerClient['senders']['create'];
  editSender: Public.PartnerClient['senders']['edit'];
  disableSender: Public.PartnerClient['senders']['disable'];
  createWebhook: Public.PartnerClient['webhooks']['create'];
  deleteWebhook: Public.PartnerClient['webhooks']['delete'];
  validateTransaction: Public.PartnerClient['transactions']['validate'];
  forcePayin: Public.PartnerClient['transactions']['payin'];
  forcePayout: Public.PartnerClient['transactions']['payout'];
}

interface Carried<T, Told> {
  options: Public.CallOptions | undefined;
  plan(client: Client): PlainPlan<T>;
  told(outcome: Outcome<T>): Told;
}

async function carried<T, Told>(
  scope: Scope,
  { options, plan, told }: Carried<T, Told>,
): Promise<Told | Public.Unknown> {
  const once = scope.once(options);
  const { repeatable, ...made } = plan(scope.client(options));
  const { plan: watched, isBegun } = noted<T>(made);
  try {
    return told(await carryOutPlain({ ...watched, repeatable }, { once }));
  } catch (error) {
    if (!isBegun()) throw error;
    return unknown(`it broke off, and may have been applied: ${(error as Error).message}`);
  }
}

export function plainWrites(scope: Scope): PlainWrites {
  const carry = <T extends { id?: string | null | undefined }>(
    options: Public.CallOptions | undefined,
    plan: (client: Client) => PlainPlan<T>,
  ): Promise<Public.PlainOutcome<T>> => carried(scope, { options, plan, told: outcomeOf });
  return {
    createDocument: (document, options) => carry(options, (client) => planDocumentCreate(client, document)),
    async createPayoutMethod(method, options = {}) {
      checkStoringOptions(options);
      const { accountsAsWritten, ...terms } = options;
      if (payoutMethodWrite.safeParse(method).success) {
        const stored = { type: method.type, details: method.details ?? {}, at: 'details' };
        await refuseWrongPayout('payout_methods.create', stored, { accountsAsWritten, ...scope.account });
      }
      return carry(terms, (client) => planPayoutMethodCreate(client, method));
    },
    disablePayoutMethod: (id, options) => carry(options, (client) => planPayoutMethodDisable(client, id)),
    createSender: (sender, options) => carry(options, (client) => planSenderCreate(client, sender)),
    async editSender(id, changes, options) {
      refuseEmptyEdit('senders.edit', changes);
      const before = currentValues(await readRecord(scope, getSender, { sender_id: id }, options), changes);
      return carry(options, (client) => planSenderEdit(client, { senderId: id, changes, before }));
    },
    disableSender: (id, options) => carry(options, (client) => planSenderDisable(client, id)),
    createWebhook: (webhook, options) => carry(options, (client) => planWebhookCreate(client, webhook)),
    async deleteWebhook(id, options) {
      const endpoint = await readRecord(scope, getWebhook, { webhook_id: id }, options);
      return carry(options, (client) => planWebhookDelete(client, { ...endpoint, id }));
    },
    validateTransaction: (transaction, options) =>
      carried(scope, {
        options,
        plan: (client) => planValidation(client, transaction),
        told: validationOf,
      }),
    forcePayin: (id, method, options) => carry(options, (client) => planForcedPayin(client, id, method)),
    forcePayout: (id, options) => carry(options, (client) => planForcedPayout(client, id)),
  };
}
