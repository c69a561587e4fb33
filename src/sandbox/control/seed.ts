/** Fills the account with a little of everything that support, developers and finance meet: the same every time. */
import type { Answer, Handler } from '../handlers/handler.ts';
import { cancelRecipient } from '../handlers/recipients.ts';
import { createAndFund, createTransaction } from '../handlers/transactions.ts';
import { samplePerson } from '../sample-person.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';

const name = { first_name: 'Chidi', last_name: 'Eze' };
const naira = (bank_account: string): Plain => ({
  type: 'NGN::Bank',
  details: { ...name, bank_code: '044', bank_account },
});
const cedi = (phone_number: string): Plain => ({
  type: 'GHS::Mobile',
  details: {
    ...name,
    mobile_provider: 'mtn',
    phone_number,
    transfer_reason: 'personal_account',
    gender: 'F',
  },
});
const cash: Plain = {
  type: 'XOF::Cash',
  details: { ...name, country: 'SN', cash_provider: 'wizall', phone_number: '+221774044400' },
};

interface Sample {
  name: string;
  amount: string;
  to: Plain;
  /** Left unfunded; cancelled after it was created; else it runs its course. */
  ends?: 'unfunded' | 'cancel';
}

const samples: readonly Sample[] = [
  { name: 'paid', amount: '120.00', to: naira('0123456700') },
  { name: 'paid-mobile', amount: '75.50', to: cedi('+233302123400') },
  { name: 'pending', amount: '310.00', to: naira('0123456701') },
  { name: 'temporary-error', amount: '48.20', to: naira('0123456708') },
  { name: 'wrong-account', amount: '260.00', to: naira('0123456719') },
  { name: 'limit', amount: '99.99', to: cedi('+233302123439') },
  { name: 'sender-error', amount: '1500.00', to: naira('0123456771') },
  { name: 'cash', amount: '80.00', to: cash },
  { name: 'unfunded', amount: '42.00', to: naira('0123456700'), ends: 'unfunded' },
  { name: 'cancelled', amount: '66.60', to: naira('0123456708'), ends: 'cancel' },
];

/** @throws when a sample is refused, such as for want of balance: the sentence says which */
export function seed(sandbox: SandboxState, rounds: number, runDue: () => void): Plain[] {
  const made: Plain[] = [];
  for (let round = 0; round < rounds; round++) {
    const mark = newId(sandbox).slice(0, 8);
    for (const sample of samples) made.push(make(sandbox, sample, mark, runDue));
  }
  return made;
}

function make(
  sandbox: SandboxState,
  { name: label, amount, to, ends }: Sample,
  mark: string,
  runDue: () => void,
): Plain {
  const external_id = `seed-${mark}-${label}`;
  const recipient = {
    type: 'person',
    requested_amount: amount,
    requested_currency: 'EUR',
    payout_method: to,
  };
  const body = {
    transaction: {
      external_id,
      input_currency: 'EUR',
      sender: { external_id: 'seed-sender', ...samplePerson },
      recipients: [recipient],
      metadata: { seed: true },
    },
  };
  const transaction = objectOf(
    ask(sandbox, ends === 'unfunded' ? createTransaction : createAndFund, '', body),
  );
  runDue();
  if (ends === 'cancel') {
    for (const each of transaction.recipients as Plain[]) ask(sandbox, cancelRecipient, String(each.id), {});
    runDue();
  }
  return {
    id: transaction.id,
    external_id,
    state: sandbox.store.transactions.byExternalId(external_id)?.state,
  };
}

function ask(sandbox: SandboxState, handler: Handler, id: string, body: Plain): Answer {
  return handler(sandbox, { id, query: new URLSearchParams(), body });
}

function objectOf({ status, body }: Answer): Plain {
  const { object } = body as { object: Plain };
  if (status === 201) return object;
  throw new SeedRefused(JSON.stringify(object.errors));
}

export class SeedRefused extends Error {
  override readonly name = 'SeedRefused';
}
