/**
 * Scenarios as tables that anyone can read: one step a line. A name such as `a` is a transaction, `a/2` its second
 * recipient (`a` alone means the first). `name=value` gives or expects a value; a line ending in `-> 422 field=word` expects
 * that refusal.
 *
 *     create a to=NGN::Bank number=0123456719 amount=100 EUR      (number=…,… makes several recipients)
 *     fund a | fund a b | edit a number=… | cancel a/2 | force payout a | answer a code=416
 *     advance 61m | settle
 *     expect a state=received recipient=error code=416 editable=true
 *     balance EUR 249900.00
 *     events transaction.created recipient.error                  (all since the last such line)
 */
import { expect, test } from 'vitest';
import { eventNames } from '../../src/contract/events.ts';
import { parseDuration } from '../../src/core/clock.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { type Bench, HOOK, type Json, payoutDetails, person, type Reply, startBench } from './sandbox.ts';

interface Stage extends Bench {
  transactions: Map<string, Json>;
  eventsSeen: number;
}

interface Line {
  verb: string;
  names: string[];
  values: Record<string, string>;
}

export function scenario(title: string, table: string, options: Partial<SandboxOptions> = {}): void {
  test(title, async () => {
    const stage: Stage = { ...(await startBench(options)), transactions: new Map(), eventsSeen: 0 };
    await stage.call('POST', '/webhooks', { webhook: { url: HOOK, events: eventNames } });
    for (const text of table.split('\n').map((line) => line.replace(/#.*/, '').trim())) {
      if (text !== '') await runLine(stage, text);
    }
    stage.sandbox.audit();
    await stage.sandbox.close();
  });
}

async function runLine(stage: Stage, text: string): Promise<void> {
  const [what = '', refusal] = text.split('->').map((part) => part.trim());
  const reply = await STEPS[parse(what).verb]?.(stage, parse(what));
  if (reply === undefined && !STEPS[parse(what).verb]) throw new Error(`no such step: ${text}`);
  if (refusal) expectRefusal(reply as Reply, refusal, text);
  else if (reply) expectDone(reply as Reply, text);
}

function parse(text: string): Line {
  const [verb = '', ...words] = text.split(/\s+/);
  const pairs = words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]);
  return { verb, names: words.filter((word) => !word.includes('=')), values: Object.fromEntries(pairs) };
}

function expectDone(reply: Reply, text: string): void {
  expect(reply.status, `${text}\n${reply.text.slice(0, 2000)}`).toBeLessThan(300);
}

function expectRefusal(reply: Reply, expected: string, text: string): void {
  const [status, ...words] = expected.split(/\s+/);
  expect(String(reply.status), text).toBe(status);
  const object = Array.isArray(reply.body.object) ? reply.body.object.at(-1) : reply.body.object;
  for (const word of words) {
    const [field = '', error] = word.split('=');
    const found = (object.errors[field] ?? []).map((entry: Json) => entry.error);
    expect(found, text).toContain(error);
  }
}

type Step = (stage: Stage, line: Line) => Promise<unknown>;

const STEPS: Record<string, Step> = {
  create: (stage, line) => create(stage, line, '/transactions'),
  pay: (stage, line) => create(stage, line, '/transactions/create_and_fund'),
  fund: (stage, { names, values }) => {
    const debits = names.map((name) => ({
      to_id: transaction(stage, name).id,
      to_type: 'Transaction',
      ...values,
    }));
    return stage.call('POST', '/accounts/debits', { debit: debits.length > 1 ? debits : debits[0] });
  },
  edit: (stage, { names, values }) => {
    const recipient = recipientOf(stage, names[0] ?? '');
    const { number, ...rest } = values;
    const details = number === undefined ? rest : { ...rest, ...numberField(recipient, number) };
    return stage.call('PATCH', `/recipients/${recipient.id}`, { recipient: { payout_method: { details } } });
  },
  cancel: (stage, { names }) => stage.call('DELETE', `/recipients/${recipientOf(stage, names[0] ?? '').id}`),
  force: (stage, { names: [what, name = ''] }) => {
    const found = transaction(stage, name);
    const body = what === 'payin' ? { payin_method: { type: found.payin_methods[0]?.type } } : undefined;
    return stage.call('POST', `/transactions/${found.id}/${what}`, body);
  },
  answer: (stage, { names, values }) =>
    stage.call('POST', `/_sandbox/payouts/${recipientOf(stage, names[0] ?? '').id}`, values),
  advance: async (stage, { names }) => stage.sandbox.advance(parseDuration(names[0] ?? '') ?? Number.NaN),
  settle: (stage) => stage.sandbox.settle(),
  expect: expectStates,
  balance: async (stage, { names: [currency, amount] }) => {
    const { text } = await stage.call('GET', `/accounts/${currency}`);
    expect(text).toContain(`"amount":${amount},`);
  },
  events: async (stage, { names }) => {
    await stage.sandbox.settle();
    expect(stage.received.slice(stage.eventsSeen).map(({ event }) => event)).toEqual(names);
    stage.eventsSeen = stage.received.length;
  },
};

async function create(stage: Stage, { names, values }: Line, path: string): Promise<Reply> {
  const [name = '', currency = 'EUR'] = names;
  const { to = 'NGN::Bank', number = '', amount = '100', input = 'EUR', last, payin, ...rest } = values;
  const recipients = number.split(',').map((each) => ({
    type: 'person',
    requested_amount: amount,
    requested_currency: currency,
    payout_method: {
      type: to,
      details: { ...payoutDetails(to, each), ...(last ? { last_name: last } : {}) },
    },
  }));
  const traits = Object.entries(rest).filter(
    ([key]) => key === 'auto_refund' || key === 'account_validation',
  );
  const inDetails = { phone_number: '+233302123400', mobile_provider: 'mtn' };
  const reply = await stage.call('POST', path, {
    transaction: {
      input_currency: input,
      external_id: rest.external_id ?? name,
      sender: { external_id: 'sender-1', ...person },
      recipients,
      traits: Object.fromEntries(traits.map(([key, value]) => [key, value === 'true'])),
      ...(payin ? { payin_methods: [{ type: payin, ux_flow: 'ussd_popup', in_details: inDetails }] } : {}),
    },
  });
  if (reply.status === 201) stage.transactions.set(name, reply.body.object);
  return reply;
}

function transaction(stage: Stage, name: string): Json {
  const found = stage.transactions.get(name.split('/')[0] ?? '');
  if (!found) throw new Error(`no transaction called ${name}`);
  return found;
}

function recipientOf(stage: Stage, name: string): Json {
  return transaction(stage, name).recipients[Number(name.split('/')[1] ?? 1) - 1];
}

function numberField(recipient: Json, number: string): Record<string, string> {
  return 'bank_account' in recipient.payout_method.details
    ? { bank_account: number }
    : { phone_number: number };
}

async function expectStates(stage: Stage, { names, values }: Line): Promise<void> {
  const name = names[0] ?? '';
  const { body } = await stage.call('GET', `/transactions/${transaction(stage, name).id}`);
  const index = Number(name.split('/')[1] ?? 1) - 1;
  const recipient = body.object.recipients[index];
  const { state, recipient: recipientState, code, payin, ...others } = values;
  if (state) expect(body.object.state, name).toBe(state);
  if (recipientState) expect(recipient.state, name).toBe(recipientState);
  if (code) expect(recipient.state_reason_details.code).toBe(code);
  if (payin) expect(body.object.payin_methods[0].state).toBe(payin);
  for (const [member, value] of Object.entries(others)) {
    expect(String(recipient[member] ?? body.object[member]), `${name} ${member}`).toBe(value);
  }
}
