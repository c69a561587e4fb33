/**
 * The sandbox against the contract as the interface describes it (test/fixtures/contract.json, facts only): every operation
 * with every status that is documented for it, every member of the type that it declares, no value outside an enum, and no
 * member that neither the interface nor the service's own prose knows.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type OperationId, operationIds } from '../../src/contract/operations/index.ts';
import { type Json, type Reply, startBench } from '../support/sandbox.ts';
import { type Answered, path, row, UNKNOWN, visitAll } from '../support/visits.ts';

interface Shape {
  type?: string;
  ref?: string;
  enum?: string[];
  items?: Shape;
  members?: Record<string, Shape>;
  each?: Shape;
}

const contract: {
  operations: Record<string, { responses?: never } & Record<string, string | null>>;
  schemas: Record<string, Shape>;
} = JSON.parse(readFileSync(new URL('../fixtures/contract.json', import.meta.url), 'utf8'));

/** Members that the service's own prose and printed samples have, and the interface leaves out. */
const beyond: Record<string, string[]> = {
  Transaction: ['state_reason', 'traits', 'updated_at', 'metadata'],
  TransactionTraits: ['account_validation', 'auto_refund'],
  Recipient: ['type', 'external_id'],
  PayoutMethod: ['provider', 'state'],
  PayinMethod: ['payin_reference', 'external_id', 'fields', 'transaction_id', 'transaction_external_id'],
  Sender: ['providers', 'external_id', 'state_reason'],
  WebhookDefinition: ['state'],
  Document: ['source'],
  FieldDescription: ['options'],
};

/** Declared as an object, printed as a text: the sandbox prints it. */
const PRINTED_AS_TEXT = ['.validations.format'];

/** The interface declares these, and no source says what would cause them: the sandbox never answers so. */
const NO_KNOWN_CAUSE: Partial<Record<OperationId, string>> = {
  'recipients.proofs': '422',
  'senders.disable': '422',
  'webhooks.delete': '422',
};

/** Refusals that the interface forgets: a forced payout of what is not funded, or is paid already. */
const FORGOTTEN: Partial<Record<OperationId, string>> = { 'transactions.payout': '422' };

/** Its description lists 200 and 422 only; an id that does not exist is a 404 everywhere (service, "Errors"). */
const UNDOCUMENTED_404 = ['recipients.proofs'];

let answers: Answered[] = [];

/** What `visitAll` does not provoke: no authentication, no JSON, nothing with that id, and a defect. */
async function visitFailures(): Promise<Answered[]> {
  const { sandbox, call } = await startBench();
  const failures: Answered[] = [];
  for (const id of operationIds) {
    const { method, body } = row(id);
    const target = path(id, id === 'accounts.get' ? 'XXX' : UNKNOWN);
    const send = async (sent?: unknown, headers?: Record<string, string>) =>
      failures.push({ id, reply: await call(method, target, sent, headers) });
    await send(body ? {} : undefined, { 'authorization-signature': 'ab', 'Authorization-Signature': 'ab' });
    if (body) await send('{"not json');
    if (target.includes(UNKNOWN) || id === 'accounts.get') await send(body ? {} : undefined);
    await sandbox.control.ask('sandbox.faults.arm', {
      body: { fault: '5xx', status: 500, times: 1, operation: id },
    });
    await send(body ? {} : undefined);
  }
  await failures.push(...(await malformed(call)));
  await sandbox.close();
  return failures;
}

async function malformed(call: (method: string, path: string) => Promise<Reply>): Promise<Answered[]> {
  const targets: [OperationId, string][] = [
    ['transactions.list', '/transactions?sender_id=x'],
    ['transactions.get', '/transactions/no-id'],
  ];
  return Promise.all(targets.map(async ([id, target]) => ({ id, reply: await call('GET', target) })));
}

beforeAll(async () => {
  answers = [...(await visitAll(await startBench())), ...(await visitFailures())];
});

const statusesOf = (id: OperationId) =>
  new Set(answers.filter((each) => each.id === id).map(({ reply }) => String(reply.status)));

describe('every operation', () => {
  test.each(operationIds)('%s answers with every status that is documented for it', (id) => {
    const documented = Object.keys(contract.operations[row(id).wireId] ?? {});
    expect(documented.length).toBeGreaterThan(0);
    const seen = statusesOf(id);
    const missing = documented.filter((status) => !seen.has(status) && status !== NO_KNOWN_CAUSE[id]);
    expect(missing).toEqual([]);
  });

  test.each(operationIds)('%s answers with no other', (id) => {
    const documented = [...Object.keys(contract.operations[row(id).wireId] ?? {}), '400', '401', '500'];
    if (FORGOTTEN[id]) documented.push(FORGOTTEN[id]);
    if (row(id).path.includes('{') || UNDOCUMENTED_404.includes(id)) documented.push('404');
    expect([...statusesOf(id)].filter((status) => !documented.includes(status))).toEqual([]);
  });

  test.each(operationIds)('%s keeps to the schemas and enums of its answers', (id) => {
    const problems = answers
      .filter((each) => each.id === id)
      .flatMap(({ reply }) => {
        const schema = contract.operations[row(id).wireId]?.[String(reply.status)];
        return schema ? problemsWith(reply.body, { ref: schema }, '', reply.status === 422) : [];
      });
    expect([...new Set(problems)]).toEqual([]);
  });
});

/**
 * Where and how a value leaves its shape. A refusal repeats what was sent, which may be of any type and lack anything: there
 * only `errors` and what the service adds is looked at.
 */
function problemsWith(value: Json, shape: Shape, at: string, refused: boolean, name = ''): string[] {
  if (shape.ref) return problemsWith(value, contract.schemas[shape.ref] ?? {}, at, refused, shape.ref);
  if (value === null || value === undefined) return [];
  if (PRINTED_AS_TEXT.some((end) => at.endsWith(end)) && typeof value === 'string') return [];
  if (shape.enum && !shape.enum.includes(value) && !refused) return [`${at} ${JSON.stringify(value)}`];
  if (shape.type && !isOf(value, shape.type))
    return refused && !at.includes('errors') ? [] : [`${at} is no ${shape.type}`];
  if (shape.type === 'array' && shape.items) {
    return (value as Json[]).flatMap((each) => problemsWith(each, shape.items as Shape, `${at}[]`, refused));
  }
  if (shape.each) {
    return Object.values(value).flatMap((each) =>
      problemsWith(each, shape.each as Shape, `${at}.*`, refused),
    );
  }
  if (!shape.members || typeof value !== 'object') return [];
  return membersOf(value, shape.members, at, refused, name);
}

function membersOf(
  value: Json,
  members: Record<string, Shape>,
  at: string,
  refused: boolean,
  name: string,
): string[] {
  return Object.entries(value).flatMap(([member, found]) => {
    const shape = members[member];
    if (shape) return problemsWith(found, shape, `${at}.${member}`, refused);
    const known = beyond[name]?.includes(member) || name === 'AccountValidationResult';
    return known || refused || name === '' ? [] : [`${at}.${member} is in no description of ${name}`];
  });
}

function isOf(value: Json, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === typeof value;
}
