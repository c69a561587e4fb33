/** The service's demands before production, judged from made-up logs: each in each of its three verdicts. */
import { describe, expect, it } from 'vitest';
import { reachNotes } from '../../src/integration/cli/check.ts';
import { callOf, type LoggedCall, type Try, tryOf } from '../../src/integration/evidence.ts';
import type { CheckResult, Evidence } from '../../src/integration/judged.ts';
import { judgeOnboarding } from '../../src/integration/onboarding.ts';
import { judgePolling } from '../../src/integration/polling.ts';
import { readsPerTransaction } from '../../src/integration/reads.ts';

const BASE = 'https://api.example.com/v1';
const START = Date.parse('2026-11-21T09:00:00Z');
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

let logs = 0;
interface Request {
  minutes?: number;
  status?: string;
  body?: unknown;
  answer?: unknown;
}
const record = (
  method: string,
  path: string,
  { minutes = 0, status = '200', body, answer }: Request = {},
) => ({
  id: `log-${++logs}`,
  request_method: method,
  request_url: BASE + path,
  request_body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  response_status: status,
  response_body: JSON.stringify({ object: answer ?? {} }),
  created_at: at(minutes),
});

function call(method: string, path: string, request: Request = {}): LoggedCall {
  const read = callOf(record(method, path, request));
  if (read === undefined) throw new Error('the record says too little');
  return read;
}

const ada = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com' };
const bo = { first_name: 'Bo', last_name: 'Ng', email: 'bo@example.com' };

/** A payment of this sender, answered with the sender that the service has for it. */
const payment = (id: string, sender: object, answered: object = {}, minutes = 0): LoggedCall =>
  call('POST', '/transactions', {
    minutes,
    status: '201',
    body: { transaction: { sender } },
    answer: { id, created_at: at(minutes), sender: answered },
  });
const get = (id: string, minutes = 0, answer: object = {}): LoggedCall =>
  call('GET', `/transactions/${id}`, { minutes, answer: { id, ...answer } });
const cancel = (id: string, status = '200'): LoggedCall => call('DELETE', `/recipients/${id}`, { status });

interface Sent {
  minutes?: number;
  status?: string | null;
  tries?: number;
  object?: object;
}
function delivery(event: string, id: string, { minutes = 0, status = '200', object = {} }: Sent = {}): Try {
  const read = tryOf({
    id: `log-${++logs}`,
    created_at: at(minutes),
    metadata: {
      params: { id: 'hook-1' },
      event,
      instance_id: id,
      request: { body: JSON.stringify({ event, object: { id, ...object } }) },
      response: { status },
    },
  });
  if (read === undefined) throw new Error('the record says too little');
  return read;
}

/** Its examples as ids. */
function judge(check: CheckResult['check'], evidence: Partial<Evidence>) {
  const all = judgeOnboarding({ calls: [], tries: [], endpoints: [], ...evidence });
  const found = all.find((one) => one.check === check);
  if (found === undefined) throw new Error(`nothing is judged of ${check}`);
  return { ...found, examples: found.examples.map(({ id }) => id) };
}

it('where nothing was logged there is no evidence of anything, and each says how to get it', () => {
  const all = judgeOnboarding({ calls: [], tries: [], endpoints: [] });
  expect(all.map(({ verdict }) => verdict)).toEqual(Array(4).fill('no_evidence'));
  expect(all.every(({ next }) => next !== null)).toBe(true);
});

describe('senders', () => {
  const of = (...calls: LoggedCall[]) => judge('senders', { calls });

  it.each([
    ['by id', [payment('t1', { id: 's1' }, { id: 's1' })]],
    [
      'by an external id that was there',
      [payment('t0', { external_id: 'c-1', ...ada }, { id: 's1' }), payment('t1', { external_id: 'c-1' })],
    ],
    [
      'by what the answer says of an older sender',
      [payment('t1', { external_id: 'c-1' }, { id: 's1', created_at: at(-9_000) })],
    ],
    [
      'made first on its own',
      [
        call('POST', '/senders', { status: '201', body: { sender: ada }, answer: { id: 's1' } }),
        payment('t1', { id: 's1' }, { id: 's1' }),
      ],
    ],
    [
      'a person who is two customers, each with a sender that is used again',
      [
        payment('t0', { external_id: 'c-1', ...ada }, { id: 's1' }),
        payment('t00', { external_id: 'c-2', ...ada }, { id: 's2' }),
        payment('t1', { external_id: 'c-2' }, { id: 's2' }),
      ],
    ],
    [
      'made without an external id, and used by its id later',
      [payment('t0', ada, { id: 's1' }), payment('t1', { id: 's1' }, { id: 's1' })],
    ],
  ])('pass: %s', (_, calls) => {
    expect(of(...calls)).toMatchObject({ verdict: 'pass', counts: { referred: 1 }, examples: ['t1'] });
  });

  it.each([
    [
      'the same person under another external id each time',
      [
        payment('t1', { external_id: 'p-1', ...ada }, { id: 's1' }),
        payment('t2', { external_id: 'p-2', ...ada }, { id: 's2' }),
      ],
      ['t2'],
    ],
    [
      'the same person made on its own before each payment',
      ['s1', 's2'].flatMap((id) => [
        call('POST', '/senders', { status: '201', body: { sender: ada }, answer: { id } }),
        payment(`t-${id}`, { id }, { id }),
      ]),
      ['s2'],
    ],
    [
      'no sender can be referred to',
      [payment('t1', ada, { id: 's1' }), payment('t2', bo, { id: 's2' })],
      ['t1', 't2'],
    ],
  ])('fail: %s', (_, calls, examples) => {
    expect(of(...calls)).toMatchObject({ verdict: 'fail', examples });
  });

  it.each([
    [
      'first payments of customers, with external ids',
      [payment('t1', { external_id: 'c-1', ...ada }), payment('t2', { external_id: 'c-2', ...bo })],
    ],
    [
      'two customers who are one person, and have not paid yet',
      ['s1', 's2'].map((id) =>
        call('POST', '/senders', { status: '201', body: { sender: ada }, answer: { id } }),
      ),
    ],
    ['one customer who came once', [payment('t1', ada, { id: 's1' })]],
    [
      'a payment that was refused',
      [call('POST', '/transactions', { status: '422', body: { transaction: { sender: { id: 's1' } } } })],
    ],
    [
      'a body that was cut short',
      [call('POST', '/transactions', { body: '{"transaction":{"sender":{"id"' })],
    ],
  ])('no evidence: %s', (_, calls) => {
    expect(of(...calls)).toMatchObject({ verdict: 'no_evidence', examples: [] });
  });

  it('says how many it could not read', () => {
    const judged = of(payment('t1', { id: 's1' }), call('POST', '/transactions', { body: '{"transa' }));
    expect(judged).toMatchObject({ verdict: 'pass', counts: { transactions: 2, not_read: 1 } });
    expect(judged.says).toBe(
      '1 of 2 transactions used a sender that was there; the sender of 1 could not be read in the log',
    );
  });
});

describe('webhooks', () => {
  const endpoints = [['transaction.paid_out', 'recipient.error']];
  const of = (evidence: Partial<Evidence>) => judge('webhooks', { endpoints, ...evidence });
  const calls = [payment('t1', { id: 's1' }), get('t1', 5)];
  const paid = delivery('transaction.paid_out', 't1');

  it('pass: answered, and read as seldom as is asked for', () => {
    const judged = of({ calls, tries: [paid] });
    expect(judged).toMatchObject({ verdict: 'pass', examples: ['t1'] });
    expect(judged.says).toBe(
      '1 delivery answered with success; 1 read of 1 transaction, none more often than is asked for',
    );
  });

  it('pass: a delivery that was answered at the second try', () => {
    const tries = [
      delivery('transaction.paid_out', 't1', { status: '500' }),
      delivery('transaction.paid_out', 't1', { minutes: 1 }),
    ];
    expect(of({ calls, tries })).toMatchObject({ verdict: 'pass', counts: { deliveries: 1, answered: 1 } });
  });

  it.each([
    ['no endpoint', { calls, endpoints: [], tries: [paid] }, /no endpoint is registered/],
    ['an endpoint for other things', { calls, endpoints: [['sender.approved']], tries: [] }, /no endpoint/],
    [
      'a delivery that timed out',
      { calls, tries: [delivery('transaction.paid_out', 't1', { status: null })] },
      /1 of 1 delivery got no answer/,
    ],
    [
      'seven reads in the first hour',
      {
        calls: [payment('t1', { id: 's1' }), ...Array.from({ length: 7 }, (_, n) => get('t1', n))],
        tries: [paid],
      },
      /1 of 1 transaction was read more often than 6 times/,
    ],
    [
      'more than 2,500 reads in one day',
      { calls: Array.from({ length: 2_501 }, (_, n) => get(`t${n}`)), tries: [paid] },
      /2501 times on 2026-11-21/,
    ],
  ])('fail: %s', (_, evidence, words) => {
    const judged = of(evidence);
    expect(judged).toMatchObject({ verdict: 'fail' });
    expect(judged.says).toMatch(words);
  });

  it.each([
    ['no endpoint, and nothing paid', { endpoints: [] }],
    ['nothing delivered', { calls }],
    ['deliveries about something else', { calls, tries: [delivery('sender.approved', 's1')] }],
  ])('no evidence: %s', (_, evidence) => {
    expect(of(evidence).verdict).toBe('no_evidence');
  });
});

describe('errors', () => {
  const of = (evidence: Partial<Evidence>) =>
    judge('errors', { endpoints: [['recipient.error']], ...evidence });
  const object = { transaction_id: 't1' };

  it.each([
    [
      'with a reason',
      [],
      { ...object, state_reason: 'Invalid account' },
      { with_reason: 1, fetched_after: 0 },
    ],
    ['fetched after it', [get('t1', 2)], object, { with_reason: 0, fetched_after: 1 }],
  ])('pass: answered, %s', (_, calls, body, counts) => {
    const tries = [delivery('recipient.error', 'r1', { minutes: 1, object: body })];
    expect(of({ calls, tries })).toMatchObject({ verdict: 'pass', counts, examples: ['r1'] });
  });

  it('fail: it was not answered', () => {
    const tries = [delivery('recipient.error', 'r1', { status: '500', object })];
    expect(of({ tries })).toMatchObject({ verdict: 'fail', examples: ['r1'] });
  });

  it('fail: errors were read, and none was delivered', () => {
    const calls = [get('t1', 2, { recipients: [{ id: 'r1', state: 'error' }] })];
    expect(of({ calls })).toMatchObject({ verdict: 'fail', examples: ['t1'] });
  });

  it.each([
    ['nothing went wrong', [get('t1')], []],
    [
      'no reason came, and the read was before it',
      [get('t1', 0)],
      [delivery('recipient.error', 'r1', { minutes: 1, object })],
    ],
  ])('no evidence: %s', (_, calls, tries) => {
    expect(of({ calls, tries }).verdict).toBe('no_evidence');
  });
});

describe('cancels', () => {
  it.each([
    ['pass', [cancel('r1'), cancel('r2', '422')], ['r1']],
    ['fail', [cancel('r1', '422'), cancel('r2', '404')], ['r1', 'r2']],
    ['no_evidence', [call('GET', '/recipients')], []],
  ])('%s', (verdict, calls, examples) => {
    expect(judge('cancels', { calls })).toMatchObject({ verdict, examples });
  });
});

describe('polling', () => {
  it('allows six reads in the first hour, then one in each', () => {
    const times = [0, 1, 2, 3, 4, 5, 60, 120, 239];
    const calls = [payment('t1', { id: 's1' }), ...times.map((minutes) => get('t1', minutes))];
    expect(readsPerTransaction(calls)).toEqual([{ id: 't1', reads: 9, beyond: 0 }]);
    expect(readsPerTransaction([...calls, get('t1', 59), get('t1', 121)])[0]?.beyond).toBe(2);
  });

  it('an older transaction is known by what its answer says', () => {
    const calls = [1, 2].map((minutes) => get('t1', minutes, { created_at: at(-600) }));
    expect(readsPerTransaction(calls)).toEqual([{ id: 't1', reads: 2, beyond: 1 }]);
  });

  it('counts by day and kind, and names the three transactions that were read most', () => {
    const calls = [
      call('GET', '/accounts'),
      call('GET', '/accounts/EUR', { minutes: 20 * 60 }),
      call('POST', '/accounts/debits'),
      call('GET', '/info/currencies/in'),
      call('GET', '/senders'),
      ...['a', 'b', 'b', 'c', 'c', 'c', 'd'].map((id) => get(id)),
    ];
    expect(judgePolling(calls).map(({ what, day, id, reads }) => [what, day ?? id, reads])).toEqual([
      ['transactions', '2026-11-21', 7],
      ['balances', '2026-11-21', 1],
      ['currencies and rates', '2026-11-21', 1],
      ['balances', '2026-11-22', 1],
      ['/accounts', null, 1],
      ['/accounts/EUR', null, 1],
      ['/info/currencies/in', null, 1],
      ['one transaction', 'c', 3],
      ['one transaction', 'b', 2],
      ['one transaction', 'a', 1],
    ]);
  });

  it('says how many are beyond a limit', () => {
    const calls = Array.from({ length: 301 }, () => call('GET', '/accounts/EUR'));
    expect(judgePolling(calls)).toMatchObject([
      { what: 'balances', reads: 301, at_most: 300, beyond: 1 },
      { what: '/accounts/EUR', reads: 301, at_most: null, beyond: 300 },
    ]);
  });

  it('the same balance or rates once in five minutes; others are others; the three worst are named', () => {
    const read = (path: string, ...times: number[]) => times.map((minutes) => call('GET', path, { minutes }));
    const calls = [
      // One that is too soon does not begin the five minutes anew.
      ...read('/accounts/EUR', 0, 4, 5, 9.5, 10, 10.1),
      ...read('/accounts/NGN', 1, 6, 11),
      ...read('/info/currencies/in?sender_id=s-1', 2, 3),
      ...read('/info/currencies/in', 2),
      ...read('/info/currencies', 2),
    ].sort((a, b) => a.at - b.at);
    const things = judgePolling(calls).filter(({ what }) => what.startsWith('/'));
    expect(things.map(({ what, reads, beyond }) => [what, reads, beyond])).toEqual([
      ['/accounts/EUR', 6, 3],
      ['/info/currencies/in?sender_id=s-1', 2, 1],
      ['/accounts/NGN', 3, 0],
    ]);
  });

  it('what remit reads on a sandbox alone counts nowhere', () => {
    const often = { request_headers: { HTTP_X_REMIT_READ: 'often' } };
    const calls = ['/accounts/EUR', '/transactions/t1'].flatMap((path) =>
      Array.from({ length: 9 }, () => callOf({ ...record('GET', path), ...often }) as LoggedCall),
    );
    expect(calls.every(({ isOften }) => isOften)).toBe(true);
    expect(judgePolling(calls)).toEqual([]);
  });
});

it('nothing but ids goes on from a log, and what is no id does not', () => {
  const hostile = 'x\u001b[31m/../ada@example.com';
  expect(call('GET', `/transactions/${hostile}`)).toMatchObject({ does: 'other', id: '' });
  expect(payment(hostile, { id: 's1' })).toMatchObject({ id: '' });
  expect(delivery('recipient.error', hostile)).toMatchObject({ id: '' });
  expect(JSON.stringify(payment('t1', ada))).not.toMatch(/Ada|Obi|ada@/);
  expect(callOf({ id: 'x' })).toBeUndefined();
  expect(tryOf({ id: 'x', created_at: at(0) })).toBeUndefined();
});

describe('how far back a log was read', () => {
  const since = START - 7 * 24 * 60 * MINUTE;
  const reach = { log: 'requests', records: 20_000, from: at(0), whole: false, isCut: false } as const;

  it.each([
    [{ whole: true }, 'was read since 2026-11-14 09:00 UTC: 20,000 records'],
    [
      {},
      'reaches back to 2026-11-21 09:00 UTC, and was asked for since 2026-11-14 09:00 UTC: 20,000 records',
    ],
    [
      { isCut: true },
      'has more than is read at once: the newest 20,000 records, back to 2026-11-21 09:00 UTC; a later --since reads it whole',
    ],
    [{ from: null, records: 0 }, 'has nothing since 2026-11-14 09:00 UTC'],
  ])('%j', (more, words) => {
    expect(reachNotes([{ ...reach, ...more }], since)).toEqual([`the log of requests ${words}`]);
  });
});
