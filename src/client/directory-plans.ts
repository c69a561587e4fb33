/**
 * Writes that move no money, as plans: senders, stored payout methods, documents; others are in `endpoint-plans.ts` and
 * `check-plans.ts`. No intent is kept of them. `repeatable` says whether sending one twice does no more than sending it once; one that is not is only looked for
 * after its answer was lost.
 */

import { createDocument } from '../contract/operations/documents.ts';
import type { Operation } from '../contract/operations/operation.ts';
import {
  createPayoutMethod,
  disablePayoutMethod,
  getPayoutMethod,
  listPayoutMethods,
} from '../contract/operations/payout-methods.ts';
import {
  createSender,
  disableSender,
  editSender,
  getSender,
  listSenders,
} from '../contract/operations/senders.ts';
import type { Document, DocumentWrite } from '../contract/resources/document.ts';
import type { PayoutMethod, PayoutMethodWrite } from '../contract/resources/payment-method.ts';
import type { Sender, SenderWrite } from '../contract/resources/sender.ts';
import type { Client } from './client.ts';
import { detailDifferences } from './compare.ts';
import { carryOut, carryOutOnce, type Outcome, type WritePlan } from './outcome.ts';
import { pages } from './pages.ts';
import { judgeEdit, readsOtherwise } from './resource-plans.ts';
import { sending } from './sending.ts';

export interface PlainPlan<T> extends WritePlan<T> {
  repeatable: boolean;
}

/** `once`: not sent again even where that would do no harm. */
export const carryOutPlain = <T>(plan: PlainPlan<T>, { once = false } = {}): Promise<Outcome<T>> =>
  plan.repeatable && !once ? carryOut(plan) : carryOutOnce(plan);

/** The look of a write that leaves no record: any read of the same key shows that the service itself answers. */
export const nothingToSee = (client: Client) => async (): Promise<{ kind: 'absent' }> => {
  await client.prove();
  return { kind: 'absent' };
};

/** Without an external id it cannot be looked for: a lost answer to its creation stays unknown. */
export function planSenderCreate(client: Client, sender: SenderWrite): PlainPlan<Sender> {
  const body = { sender };
  const expect = ({ object }: { object: Sender }): string | undefined => {
    if (!object.id) return 'the answer is not the sender that was asked for: it has no id';
    return isSameSender(sender, object) ? undefined : 'the answer is not the sender that was asked for';
  };
  return {
    repeatable: true,
    ...sending(client, createSender, { body, expect }),
    async look() {
      if (!sender.external_id) return nothingToSee(client)();
      const query = { external_id: sender.external_id as string };
      const { object } = await client.call(listSenders, { query });
      const found = object.find((candidate) => candidate.external_id === sender.external_id);
      return found?.id && isSameSender(sender, found)
        ? { kind: 'applied', value: found }
        : { kind: 'absent' };
    },
  };
}

/** Documents come back otherwise than they were sent. */
const isSameSender = ({ documents: _, metadata: __, ...asked }: SenderWrite, found: Sender): boolean =>
  detailDifferences(asked, found).length === 0;

export interface SenderEditAsked {
  senderId: string;
  changes: SenderWrite;
  /** The same members as they read before. */
  before: Record<string, unknown>;
}

export function planSenderEdit(
  client: Client,
  { senderId, changes, before }: SenderEditAsked,
): PlainPlan<Sender> {
  const path = { sender_id: senderId };
  const body = { sender: changes };
  const expect = ({ object }: { object: Sender }) => readsOtherwise(detailDifferences(changes, object));
  return {
    repeatable: true,
    ...sending(client, editSender, { path, body, expect }),
    async look() {
      const { object } = await client.call(getSender, { path });
      return judgeEdit(object, object, changes as Record<string, unknown>, before);
    },
  };
}

interface Disabling<T> {
  path: Readonly<Record<string, string>>;
  disable: Operation<unknown, { object: T }>;
  get: Operation<never, { object: T }>;
}

/** Switches off what can be switched off and not on again: it can be asked for again. */
function planDisable<T extends { state?: string | null | undefined }>(
  client: Client,
  { path, disable, get }: Disabling<T>,
): PlainPlan<T> {
  const isDisabled = ({ object: { state } }: { object: T }): string | undefined =>
    state === 'disabled' ? undefined : `the answer does not say that it is disabled: ${state}`;
  return {
    repeatable: true,
    ...sending(client, disable, { path, expect: isDisabled }),
    async look() {
      const { object } = await client.call(get, { path });
      return object.state === 'disabled' ? { kind: 'applied', value: object } : { kind: 'absent' };
    },
  };
}

export const planSenderDisable = (client: Client, id: string): PlainPlan<Sender> =>
  planDisable<Sender>(client, { path: { sender_id: id }, disable: disableSender, get: getSender });

export const planPayoutMethodDisable = (client: Client, id: string): PlainPlan<PayoutMethod> =>
  planDisable<PayoutMethod>(client, {
    path: { payout_method_id: id },
    disable: disablePayoutMethod,
    get: getPayoutMethod,
  });

export function planPayoutMethodCreate(client: Client, method: PayoutMethodWrite): PlainPlan<PayoutMethod> {
  const body = { payout_method: method };
  const expect = ({ object }: { object: PayoutMethod }) =>
    object.id && object.type === method.type
      ? readsOtherwise(detailDifferences(method.details ?? {}, object.details ?? {}))
      : 'the answer is not the payout method that was asked for';
  return {
    // It could be stored twice.
    repeatable: false,
    ...sending(client, createPayoutMethod, { body, expect }),
    async look() {
      const value = await findStored(client, method);
      return value === undefined ? { kind: 'absent' } : { kind: 'applied', value };
    },
  };
}

const PAGES = 10;

async function findStored(client: Client, method: PayoutMethodWrite): Promise<PayoutMethod | undefined> {
  const query = { type: [method.type ?? ''], state: ['enabled'], per: 100 };
  let looked = 0;
  for await (const page of pages(client, listPayoutMethods, { query })) {
    const found = page.find(
      ({ id, details }) => id && detailDifferences(method.details ?? {}, details ?? {}).length === 0,
    );
    if (found !== undefined || ++looked >= PAGES) return found;
  }
  return undefined;
}

/** A document has no id of ours: one whose answer was lost is not sent again, since it would stand twice. */
export function planDocumentCreate(client: Client, document: DocumentWrite): PlainPlan<Document> {
  const body = { document };
  // The file comes back otherwise than it was sent: its id shows whose answer it is.
  const expect = ({ object }: { object: Document }): string | undefined =>
    object.id ? undefined : 'the answer is not the document that was asked for: it has no id';
  return {
    repeatable: false,
    ...sending(client, createDocument, { body, expect }),
    look: nothingToSee(client),
  };
}
