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
import { noted } from '../../client/outcome.ts';
import { getSender } from '../../contract/operations/senders.ts';
import { getWebhook } from '../../contract/operations/webhooks.ts';
import type * as Public from '../client-types.ts';
import { outcomeOf, unknown } from './outcome.ts';
import { read, type Scope } from './scope.ts';
import { refuseEmptyEdit, standing } from './standing.ts';

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

export function plainWrites(scope: Scope): PlainWrites {
  async function carry<T>(
    options: Public.CallOptions | undefined,
    plan: (client: Client) => PlainPlan<T>,
  ): Promise<Public.PlainOutcome<T>> {
    const once = scope.once(options);
    const { repeatable, ...made } = plan(scope.client(options));
    const { plan: watched, isBegun } = noted<T>(made);
    try {
      return outcomeOf(await carryOutPlain({ ...watched, repeatable }, { once }));
    } catch (error) {
      if (!isBegun()) throw error;
      return unknown(`it broke off, and may have been applied: ${(error as Error).message}`);
    }
  }
  return {
    createDocument: (document, options) => carry(options, (client) => planDocumentCreate(client, document)),
    createPayoutMethod: (method, options) =>
      carry(options, (client) => planPayoutMethodCreate(client, method)),
    disablePayoutMethod: (id, options) => carry(options, (client) => planPayoutMethodDisable(client, id)),
    createSender: (sender, options) => carry(options, (client) => planSenderCreate(client, sender)),
    async editSender(id, changes, options) {
      refuseEmptyEdit('senders.edit', changes);
      const before = standing(await read(scope, getSender, { sender_id: id }, options), changes);
      return carry(options, (client) => planSenderEdit(client, { senderId: id, changes, before }));
    },
    disableSender: (id, options) => carry(options, (client) => planSenderDisable(client, id)),
    createWebhook: (webhook, options) => carry(options, (client) => planWebhookCreate(client, webhook)),
    async deleteWebhook(id, options) {
      const endpoint = await read(scope, getWebhook, { webhook_id: id }, options);
      return carry(options, (client) => planWebhookDelete(client, { ...endpoint, id }));
    },
    validateTransaction: (transaction, options) =>
      carry(options, (client) => planValidation(client, transaction)),
    forcePayin: (id, method, options) => carry(options, (client) => planForcedPayin(client, id, method)),
    forcePayout: (id, options) => carry(options, (client) => planForcedPayout(client, id)),
  };
}
