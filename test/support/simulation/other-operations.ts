/** What moves no money by itself: reads, senders, settings, the operator, the providers, and time. */
import { listAccounts } from '../../../src/contract/operations/accounts.ts';
import { listCurrencies, listPayoutPaymentMethods } from '../../../src/contract/operations/info.ts';
import { listWebhookLogs } from '../../../src/contract/operations/logs.ts';
import { createPayoutMethod, disablePayoutMethod } from '../../../src/contract/operations/payout-methods.ts';
import { listRecipients } from '../../../src/contract/operations/recipients.ts';
import {
  createSender,
  disableSender,
  editSender,
  listSenders,
} from '../../../src/contract/operations/senders.ts';
import { getTransaction, listTransactions } from '../../../src/contract/operations/transactions.ts';
import { listWebhooks } from '../../../src/contract/operations/webhooks.ts';
import { person } from '../sandbox.ts';
import { senderOf } from './book.ts';
import type { Kind } from './operations.ts';
import type { Do, Doing } from './workload.ts';

const readings: Readonly<Record<string, Do>> = {
  transactions: ({ client }) => client.call(listTransactions, { query: { per: 20 } }),
  async one({ client, book, operation }) {
    const id = book.choose(operation)?.id;
    if (id) await client.call(getTransaction, { path: { transaction_id: id } });
  },
  recipients: ({ client }) => client.call(listRecipients, { query: { page: 2, currency: ['EUR'] } }),
  failed: ({ client }) => client.call(listRecipients, { query: { state: ['error', 'manual'] } }),
  senders: ({ client, operation }) =>
    client.call(listSenders, { query: { external_id: senderOf(operation) } }),
  accounts: ({ client }) => client.call(listAccounts),
  currencies: ({ client }) => client.call(listCurrencies),
  methods: ({ client }) => client.call(listPayoutPaymentMethods),
  logs: ({ client }) => client.call(listWebhookLogs),
  webhooks: ({ client }) => client.call(listWebhooks),
};

/** What a check of papers makes of them is in the name of the file. */
const PAPERS = ['passport.png', 'incomplete.png', 'reject.png'];

/** By the account's operator, or by the partner itself. */
async function changeSender({ client, operation, stage, book }: Doing): Promise<void> {
  const isNew = operation.word === 'create' && operation.pick > 0.2;
  const external_id = isNew ? book.nextExternalId(`customer of ${operation.partner}`) : senderOf(operation);
  if (operation.word === 'create') {
    const upload_file_name = PAPERS[Math.floor(operation.pick * 100) % PAPERS.length];
    const documents = [{ upload: 'data:image/png;base64,aGVsbG8=', upload_file_name }];
    const sender = { ...person, type: 'person' as const, external_id, documents };
    await client.call(createSender, { body: { sender } });
    return;
  }
  const { object } = await client.call(listSenders, { query: { external_id } });
  const id = object[0]?.id;
  if (!id) return;
  const path = { sender_id: id };
  if (operation.word === 'edit')
    await client.call(editSender, { path, body: { sender: { city: 'Hamburg' } } });
  else if (operation.word !== 'disable') {
    await stage.control('sandbox.senders.decide', id, { decision: operation.word });
  } else if (operation.pick < 0.02) await client.call(disableSender, { path });
}

/** Switched on for a while now and then; most of the time all is as it opens. */
async function changeSettings({ operation: { word, fund: on }, stage }: Doing): Promise<void> {
  const changes: Readonly<Record<string, object>> = {
    review: { review: on },
    names: { account_validation: on },
    strict: { strict_names: on },
    wtr2: { wtr2: on },
    kyc: { kyc: on ? 'operator' : 'waived' },
    papers: { kyc: on ? 'documents' : 'waived' },
  };
  await stage.control('sandbox.settings.change', '', changes[word]);
}

/** A stored method that is used once, and switched off again. */
async function payoutMethod({ client, operation: { payees } }: Doing): Promise<void> {
  const [payee] = payees;
  if (!payee) return;
  const body = { payout_method: { type: payee.type, details: payee.details } };
  const { object } = await client.call(createPayoutMethod, { body });
  await client.call(disablePayoutMethod, { path: { payout_method_id: object.id ?? '' } });
}

/** What the customer pays of a collection, or what happens instead. */
async function payinWord({ operation, book, stage }: Doing): Promise<void> {
  const entry = book.choose(operation, ({ payins }) => payins.length > 0);
  if (!entry) return;
  const { word } = operation;
  const amount = { right: entry.inputAmount, less: '60', more: '7000' }[word];
  const body = amount ? { amount } : /^\d/.test(word) ? { code: word } : { outcome: word };
  await stage.control('sandbox.payins.receive', entry.id, body);
}

async function payoutWord({ operation, book, stage }: Doing): Promise<void> {
  const entry = book.choose(operation);
  const { word } = operation;
  const body = /^\d/.test(word) ? { code: word } : { outcome: word };
  const whole = operation.pick > 0.3;
  if (entry)
    await stage.control('sandbox.payouts.answer', whole ? entry.id : (entry.recipients[0]?.id ?? ''), body);
}

export const others: Partial<Record<Kind, Do>> = {
  payin_word: payinWord,
  payout_word: payoutWord,
  async review({ operation, book, stage }) {
    const entry = book.choose(operation);
    if (entry) await stage.control('sandbox.reviews.decide', entry.id, { decision: operation.word });
  },
  async refund_by_hand({ operation, book, stage }) {
    const entry = book.choose(operation, ({ payins }) => payins.length > 0);
    if (entry) await stage.control('sandbox.refunds.post', entry.id, {});
  },
  async mandate({ operation, book, stage }) {
    const entry = book.choose(operation, ({ recipients }) => recipients.some(({ mandateId }) => mandateId));
    const id = entry?.recipients.find(({ mandateId }) => mandateId)?.mandateId;
    if (id) await stage.control('sandbox.mandates.decide', id, { status: operation.word });
  },
  sender: changeSender,
  settings: changeSettings,
  payout_method: payoutMethod,
  read: (doing) => readings[doing.operation.word]?.(doing) ?? Promise.resolve(),
  advance: ({ operation, stage }) => stage.sandbox.advance(operation.ms),
};
