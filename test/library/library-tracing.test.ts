/** The client's spans, taken by OpenTelemetry's own SDK: a write with its outcome, each attempt below it, and nothing personal in either. */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPartnerClient, memoryIntents } from '../../src/library/client.ts';
import type { PartnerClientOptions, Tracer } from '../../src/library/client-types.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { paymentBody } from '../support/sandbox.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let sandbox: Sandbox;

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
});
afterAll(() => {
  trace.disable();
  context.disable();
});
beforeEach(async () => {
  exporter.reset();
  sandbox = await startSandbox({ port: 0 });
});
afterEach(() => sandbox.close());

const clientWith = (more: Partial<PartnerClientOptions>) => {
  const { url: baseUrl, key, secret } = sandbox;
  return createPartnerClient({ baseUrl, key, secret, intents: memoryIntents(), ...more });
};
const payment = (externalId: string) =>
  paymentBody(externalId, '0123456700', { sender: samplePerson }).transaction;
const traced = (more: Partial<PartnerClientOptions> = {}) =>
  clientWith({ tracer: trace.getTracer('wages'), ...more });

it('a payment is a span with its outcome, and each attempt a client span below it', async () => {
  const client = traced();
  await client.transactions.createAndFund(payment('wages-1'));
  await client.close();
  const spans = exporter.getFinishedSpans();
  const whole = spans.find(({ name }) => name === 'remit.createAndFundTransaction');
  expect(whole?.attributes).toMatchObject({ 'remit.outcome': 'applied', 'remit.how': 'answered' });
  const sent = spans.find(({ name }) => name === 'POST transactions.create_and_fund');
  expect(sent?.kind).toBe(2);
  expect(sent?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId);
  expect(sent?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'server.address': '127.0.0.1',
    'url.full': `${sandbox.url}/transactions/create_and_fund`,
  });
  expect(sent?.status.code).toBe(0);
});

it('an answer that is lost is an attempt that failed and an outcome that is told; a refusal has its status', async () => {
  await sandbox.control('sandbox.faults.arm', {
    body: {
      fault: 'response-lost',
      operation: 'transactions.create_and_fund',
      times: 1,
    },
  });
  const client = traced();
  await client.transactions.createAndFund(payment('wages-2'));
  const refused = await client.transactions.createAndFund({ ...payment('wages-3'), input_currency: 'XXX' });
  await client.close();
  expect(refused.outcome).toBe('not_applied');
  const spans = exporter.getFinishedSpans();
  const [lost, ...others] = spans.filter(({ name }) => name === 'POST transactions.create_and_fund');
  expect(lost?.status.code).toBe(2);
  expect(lost?.attributes['error.type']).toMatch(/^[A-Z_]+$/);
  expect(others.at(-1)?.attributes).toMatchObject({ 'http.response.status_code': 422, 'error.type': '422' });
  const outcomes = spans.flatMap(({ attributes }) => attributes['remit.outcome'] ?? []);
  expect(outcomes).toEqual(['applied', 'not_applied']);
});

it('nothing personal and no secret is in a span', async () => {
  const client = traced();
  await client.transactions.createAndFund(payment('wages-4'));
  for await (const _ of client.senders.list({ external_id: 'Okafor-17' })) break;
  await client.close();
  const told = JSON.stringify(
    exporter
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => [name, attributes, status, events]),
  );
  expect(told).toContain('GET senders.list');
  for (const word of [
    sandbox.secret,
    sandbox.key,
    '0123456700',
    samplePerson.last_name,
    'wages-4',
    'Okafor-17',
  ])
    expect(told).not.toContain(word);
});

it('traceparent goes out where it is asked for, and is that of the attempt', async () => {
  const heard: (string | null)[] = [];
  const fetch: PartnerClientOptions['fetch'] = async (request) => {
    heard.push(request.headers.get('traceparent'));
    return globalThis.fetch(request as Request);
  };
  await traced({ fetch }).accounts.list();
  await traced({ fetch, traceparent: true }).accounts.list();
  const last = exporter.getFinishedSpans().at(-1)?.spanContext();
  expect(heard).toEqual([null, `00-${last?.traceId}-${last?.spanId}-01`]);
});

const failing = (): never => {
  throw new Error('the tracer broke');
};
type Run = (span: never) => unknown;
const BROKEN: [string, (run: Run) => unknown][] = [
  ['throws at once', failing],
  [
    'throws after it ran',
    (run) => {
      run({} as never);
      return failing();
    },
  ],
  [
    'runs twice',
    (run) => {
      run({} as never);
      return run({} as never);
    },
  ],
  ['never runs', () => undefined],
  ['hands on a promise of its own', async (run) => await run({} as never)],
];

it.each(BROKEN)('a tracer that %s changes no outcome: one payment is sent', async (_, running) => {
  const startActiveSpan = (_name: string, _options: object, run: Run) => running(run);
  const tracer = { startSpan: failing, startActiveSpan } as unknown as Tracer;
  const errors: unknown[] = [];
  const client = clientWith({ tracer, onError: (error) => errors.push(error) });
  const made = await client.transactions.createAndFund(payment('wages-5'));
  expect(made.outcome).toBe('applied');
  const all = [];
  for await (const one of client.transactions.list()) all.push(one);
  expect(all).toHaveLength(1);
  expect(errors.length).toBeGreaterThan(0);
  await client.close();
});
