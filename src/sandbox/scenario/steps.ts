/** The verbs of a scenario (decision 0027). Each makes calls as a partner would, or says what the operator, a provider or time does. */

import { byWord } from '../../core/by-word.ts';
import { parseDuration } from '../../core/clock.ts';
import { editDetails, transactionBody } from './bodies.ts';
import type { ScenarioStep } from './parse.ts';
import { type AnyJson, expectEqual, type Reply, type Stage, Unmet } from './stage.ts';

/** Resolves to the reply where it made a call that may be refused. */
export type Verb = (stage: Stage, step: ScenarioStep) => Promise<unknown>;

export const verbs: Readonly<Record<string, Verb>> = byWord({
  create: (stage, step) => create(stage, step, '/transactions'),
  pay: (stage, step) => create(stage, step, '/transactions/create_and_fund'),
  validate: (stage, step) => stage.call('POST', '/transactions/validate', transactionBody(stage, step)),
  calculate: (stage, step) => stage.call('POST', '/transactions/calculate', transactionBody(stage, step)),
  fund,
  edit: (stage, { names, values }) => {
    const recipient = recipientOf(stage, names[0]);
    const details = editDetails(recipient.payout_method.details, values);
    return stage.call('PATCH', `/recipients/${recipient.id}`, { recipient: { payout_method: { details } } });
  },
  cancel: (stage, { names }) => stage.call('DELETE', `/recipients/${recipientOf(stage, names[0]).id}`),
  force: (stage, { names: [what, name] }) => {
    const found = namedTransaction(stage, name);
    const body = what === 'payin' ? { payin_method: { type: found.payin_methods[0]?.type } } : undefined;
    return stage.call('POST', `/transactions/${found.id}/${what}`, body);
  },
  proofs: (stage, { names }) =>
    stage.call('GET', `/recipients/${recipientOf(stage, names[0]).id}/proof_of_payments`),
  /* Collections, by the transaction's name. */
  code: (stage, { names: [name, otp = ''] }) =>
    stage.call('PATCH', `/payin_methods/${payinOf(stage, name).id}`, { in_details: { otp } }),
  complete: (stage, { names, values }) =>
    stage.call('PATCH', `/payin_methods/${payinOf(stage, names[0]).id}`, { in_details: values }),
  retry: (stage, { names }) => stage.call('POST', `/payin_methods/${payinOf(stage, names[0]).id}/retry`),
  'cancel-payin': (stage, { names }) => stage.call('DELETE', `/payin_methods/${payinOf(stage, names[0]).id}`),
  /* Actions of others than the client. */
  answer: (stage, { names, values }) =>
    stage.control('sandbox.payouts.answer', { id: recipientOf(stage, names[0]).id, body: values }),
  payin: (stage, { names, values }) =>
    stage.control('sandbox.payins.receive', { id: namedTransaction(stage, names[0]).id, body: values }),
  review: (stage, { names: [name, decision] }) =>
    stage.control('sandbox.reviews.decide', { id: namedTransaction(stage, name).id, body: { decision } }),
  refund: (stage, { names }) =>
    stage.control('sandbox.refunds.post', { id: namedTransaction(stage, names[0]).id }),
  sign: (stage, { names: [name, status = 'signed'] }) =>
    stage.control('sandbox.mandates.decide', { id: recipientOf(stage, name).mandate_id, body: { status } }),
  approve: (stage, step) => decide(stage, step, 'approve'),
  reject: (stage, step) => decide(stage, step, 'reject'),
  ban: (stage, step) => decide(stage, step, 'ban'),
  unban: (stage, step) => decide(stage, step, 'unban'),
  setting: (stage, { values }) =>
    stage.control('sandbox.settings.change', { body: mapValues(values, (text) => typed(text)) }),
  fail: (stage, { names: [fault], values: { times, delay, status, ...rest } }) =>
    stage.control('sandbox.faults.arm', {
      body: {
        fault,
        ...rest,
        ...(times === 'always' ? {} : { times: Number(times ?? 1) }),
        ...(delay === undefined ? {} : { delay_ms: parseDuration(delay) ?? -1 }),
        ...(status === undefined ? {} : { status: Number(status) }),
      },
    }),
  advance: async (stage, { names: [text = ''] }) => {
    const ms = parseDuration(text);
    if (ms === null) throw new Unmet('a duration such as 61m', text);
    await stage.advance(ms);
  },
  drain: (stage) => stage.drain(),
  receiver: async (stage, { names: [status = ''] }) => {
    stage.receiver.answer = () => Number(status);
  },
  /* Calls of any kind, to be looked into with `answer-has`. */
  call: (stage, { names: [method = '', path = ''], values }) =>
    stage.call(method, fill(stage, path), Object.keys(values).length > 0 ? nested(values) : undefined),
  'answer-has': async (stage, { values }) => {
    for (const [path, value] of Object.entries(values))
      expectEqual(at(stage.known.last?.body, path), value, path);
  },
  expect: expectState,
  sender: async (stage, { names: [name], values: { state } }) => {
    const { id } = namedTransaction(stage, name).sender;
    const { body } = await stage.call('GET', `/senders/${id}`);
    expectEqual(body.object.state, state ?? '', 'sender state');
  },
  balance: async (stage, { names: [currency, amount] }) => {
    const { text } = await stage.call('GET', `/accounts/${currency}`);
    const found = /"amount":([0-9.]+)/.exec(text)?.[1];
    expectEqual(found, amount ?? '', `${currency} balance`);
  },
  events: async (stage, { names }) => {
    await stage.drain();
    const { received, known } = stage;
    const found = received.slice(known.eventsSeen).map(({ event }) => event);
    known.eventsSeen = received.length;
    expectEqual(found.join(' '), names.join(' '), 'events');
  },
  /** Some of what came since the last such line, in this order, others between them. */
  'events-include': async (stage, { names }) => {
    await stage.drain();
    const { received, known } = stage;
    const found = received.slice(known.eventsSeen).map(({ event }) => event);
    known.eventsSeen = received.length;
    let from = 0;
    for (const name of names) {
      const index = found.indexOf(name, from);
      if (index < 0) throw new Unmet(`event ${name}`, found.join(' ') || 'no events');
      from = index + 1;
    }
  },
});

async function create(stage: Stage, step: ScenarioStep, path: string): Promise<Reply> {
  const reply = await stage.call('POST', path, transactionBody(stage, step));
  const [name = ''] = step.names;
  if (reply.status === 201) stage.known.transactions.set(name, reply.body.object);
  return reply;
}

function fund(stage: Stage, { names, values }: ScenarioStep): Promise<Reply> {
  const debits = names.map((name) => ({
    to_id: namedTransaction(stage, name).id,
    to_type: 'Transaction',
    ...values,
  }));
  return stage.call('POST', '/accounts/debits', { debit: debits.length > 1 ? debits : debits[0] });
}

function decide(stage: Stage, { names: [name] }: ScenarioStep, decision: string): Promise<Reply> {
  const { id } = namedTransaction(stage, name).sender;
  return stage.control('sandbox.senders.decide', { id, body: { decision } });
}

export function namedTransaction(stage: Stage, name = ''): AnyJson {
  const found = stage.known.transactions.get(name.split('/')[0] ?? '');
  if (!found) throw new Unmet(`a transaction called ${name}`, 'none');
  return found;
}

function indexOf(name = ''): number {
  return Number(name.split('/')[1] ?? 1) - 1;
}

function recipientOf(stage: Stage, name = ''): AnyJson {
  const found = namedTransaction(stage, name).recipients[indexOf(name)];
  if (!found) throw new Unmet(`recipient ${name}`, 'none');
  return found;
}

function payinOf(stage: Stage, name = ''): AnyJson {
  const found = namedTransaction(stage, name).payin_methods[indexOf(name)];
  if (!found) throw new Unmet(`a payin of ${name}`, 'none');
  return found;
}

/** `state` is the transaction's, `recipient` and `payin` theirs, `code` the recipient's; any other member is looked for. */
async function expectState(stage: Stage, { names: [name = ''], values }: ScenarioStep): Promise<void> {
  const { body } = await stage.call('GET', `/transactions/${namedTransaction(stage, name).id}`);
  const transaction = body.object;
  stage.known.transactions.set(name.split('/')[0] ?? '', transaction);
  const recipient = transaction.recipients[indexOf(name)];
  const payin = transaction.payin_methods?.[0];
  for (const [member, value] of Object.entries(values)) {
    const found =
      member === 'state'
        ? transaction.state
        : member === 'recipient'
          ? recipient.state
          : member === 'code'
            ? recipient.state_reason_details?.code
            : member === 'payin'
              ? payin?.state
              : member === 'payin_code'
                ? payin?.state_reason_details?.code
                : (at(recipient, member) ?? at(transaction, member));
    expectEqual(found, value, `${name} ${member}`);
  }
}

/** `{a}`, `{a/2}` and `{a.sender}` in a path are the ids of what the scenario made. */
function fill(stage: Stage, path: string): string {
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    if (name.endsWith('.sender')) return namedTransaction(stage, name.slice(0, -'.sender'.length)).sender.id;
    if (name.endsWith('.payin')) return payinOf(stage, name.slice(0, -'.payin'.length)).id;
    if (name === 'last') return stage.known.last?.body.object.id;
    return name.includes('/') ? recipientOf(stage, name).id : namedTransaction(stage, name).id;
  });
}

function at(value: AnyJson, path: string): AnyJson {
  return path.split('.').reduce((found, member) => found?.[member], value);
}

/** `document.upload=x` is `{document: {upload: 'x'}}`, and a number names the place in a list. */
function nested(values: Readonly<Record<string, string>>): AnyJson {
  const body: AnyJson = {};
  for (const [path, value] of Object.entries(values)) {
    const members = path.split('.');
    const last = members.pop() ?? '';
    let place = body;
    for (const [index, member] of members.entries()) {
      const next = members[index + 1] ?? last;
      place[member] ??= /^\d+$/.test(next) ? [] : {};
      place = place[member];
    }
    place[last] = typed(value);
  }
  return body;
}

function typed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '[]') return [];
  return text === '{}' ? {} : text;
}

function mapValues<A, B>(values: Record<string, A>, make: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}
