/** Differences are planted in the logs of a sandbox one at a time, and `remit drift` names each; what it says holds nothing of a person. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiLog, WebhookLog } from '../../src/contract/resources/log.ts';
import type { Difference } from '../../src/desk/drift/differences.ts';
import { useBench } from '../support/cli.ts';
import {
  type Altered,
  differencesOf,
  drift,
  type LivedWorld,
  liveScenario,
} from '../support/drift-worlds.ts';
import { some } from '../support/long.ts';

const bench = useBench({ once: true });

const worlds = new Map<string, Promise<LivedWorld>>();
function worldOf(name: string): Promise<LivedWorld> {
  const [scenario = '', refuse = '0'] = name.split('+');
  const world = worlds.get(name) ?? liveScenario(scenario, Number(refuse));
  worlds.set(name, world);
  return world;
}
afterAll(async () => {
  for (const world of worlds.values()) await (await world).close();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are altered freely by tests
type Json = any;

/** Alters the answers of one operation, by method and the end of the path. */
const answers = (method: string, path: RegExp, alter: (body: Json, log: ApiLog) => void): Altered => ({
  answers(logs) {
    for (const log of logs) {
      if (log.request_method !== method || !path.test(log.request_url ?? '')) continue;
      const body = JSON.parse(log.response_body ?? '');
      alter(body, log);
      log.response_body = JSON.stringify(body);
    }
  },
});
const created = (alter: (transaction: Json, log: ApiLog) => void): Altered =>
  answers('POST', /\/transactions(?:\/create_and_fund)?$/, ({ object }, log) => alter(object, log));

const delivered = (event: string, alter: (body: Json, log: WebhookLog) => void): Altered => ({
  deliveries(logs) {
    for (const log of logs) {
      if (log.metadata?.event !== event) continue;
      const body = JSON.parse(log.metadata.request?.body ?? '');
      alter(body, log);
      if (log.metadata.request) log.metadata.request.body = JSON.stringify(body);
    }
  },
});
const later = (time: string | null | undefined, ms: number): string =>
  new Date(Date.parse(time ?? '') + ms).toISOString();
const MINUTE = 60_000;

interface Planted {
  what: string;
  world?: string;
  altered: Altered;
  named: Partial<Difference>;
}

const planted: Planted[] = [
  {
    what: 'a state of transactions',
    altered: created((object) => {
      object.state = 'on_hold';
    }),
    named: { difference: 'state', where: 'transaction.state', seen: 'on_hold' },
  },
  {
    what: 'a state of recipients',
    altered: delivered('recipient.paid_out', ({ object }) => {
      object.state = 'settled';
    }),
    named: { difference: 'state', where: 'recipient.state', seen: 'settled' },
  },
  {
    what: 'a state of senders',
    altered: created(({ sender }) => {
      sender.state = 'under_review';
    }),
    named: { difference: 'state', where: 'sender.state', seen: 'under_review' },
  },
  {
    what: 'a state of collections',
    world: 'collection-fails',
    altered: delivered('payin_method.error', ({ object }) => {
      object.state = 'bounced';
    }),
    named: { difference: 'state', where: 'payin_method.state', seen: 'bounced' },
  },
  {
    what: 'a state of the transaction of a recipient',
    altered: delivered('recipient.paid_out', ({ object }) => {
      object.transaction_state = 'half_paid';
    }),
    named: { difference: 'state', where: 'recipient.transaction_state', seen: 'half_paid' },
  },
  {
    what: 'a state after a final one, in answers',
    world: 'wrong-account',
    altered: {
      answers(logs) {
        const [newest] = logs.filter(({ request_url }) =>
          /\/transactions(?:\/create_and_fund)?$/.test(request_url ?? ''),
        );
        if (newest === undefined) return;
        const body = JSON.parse(newest.response_body ?? '');
        body.object.recipients[0].state = 'success';
        newest.response_body = JSON.stringify(body);
        const again = structuredClone(newest);
        body.object.recipients[0].state = 'canceled';
        again.response_body = JSON.stringify(body);
        again.id = '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';
        again.created_at = later(newest.created_at, 1_000);
        logs.unshift(again);
      },
    },
    named: { difference: 'order', where: 'recipient.state', seen: 'success, then canceled' },
  },
  {
    what: 'two ends of one recipient, in webhooks',
    world: 'wrong-account',
    altered: delivered('recipient.error', ({ object }) => {
      object.state = 'overpaid';
    }),
    named: { difference: 'order', where: 'recipient.state', seen: 'overpaid and success' },
  },
  {
    what: 'an event in another state',
    altered: delivered('recipient.paid_out', ({ object }) => {
      object.state = 'pending';
    }),
    named: { difference: 'order', where: 'recipient.paid_out recipient.state', seen: 'pending' },
  },
  {
    what: 'an event',
    altered: delivered('recipient.paid_out', (_, log) => {
      if (log.metadata) log.metadata.event = 'recipient.returned';
    }),
    named: { difference: 'event', where: 'delivery.event', seen: 'recipient.returned' },
  },
  {
    what: 'an event that is known and that the sandbox never sends',
    altered: delivered('recipient.paid_out', (_, log) => {
      if (log.metadata) log.metadata.event = 'transaction_request.created';
    }),
    named: { difference: 'event', where: 'delivery.event', seen: 'transaction_request.created' },
  },
  ...(['transaction', 'recipient', 'sender'] as const).map(
    (record): Planted => ({
      what: `a member of a ${record}`,
      altered: created((object) => {
        const one = { transaction: object, recipient: object.recipients[0], sender: object.sender }[record];
        one.risk_score = 12;
      }),
      named: { difference: 'member', where: record, seen: 'risk_score: number' },
    }),
  ),
  {
    what: 'a member of a collection',
    world: 'collection-fails',
    altered: delivered('payin_method.error', ({ object }) => {
      object.attempts = [1];
    }),
    named: { difference: 'member', where: 'payin_method', seen: 'attempts: list' },
  },
  {
    what: 'a member of the body of a webhook',
    altered: delivered('recipient.paid_out', (body) => {
      body.sent_by = 'dispatcher';
    }),
    named: { difference: 'member', where: 'delivery', seen: 'sent_by: text(10)' },
  },
  {
    what: 'a member of a record of the log of requests',
    altered: {
      answers(logs) {
        for (const log of logs) Object.assign(log, { duration: 12 });
      },
    },
    named: { difference: 'member', where: 'api_log', seen: 'duration: number' },
  },
  {
    what: 'a member of a record of the log of deliveries',
    altered: {
      deliveries(logs) {
        for (const log of logs) Object.assign(log, { region: 'eu' });
      },
    },
    named: { difference: 'member', where: 'webhook_log', seen: 'region: text(2)' },
  },
  {
    what: 'a detail of a payout method',
    altered: created(({ recipients: [one] }) => {
      one.payout_method.details.purpose_code = 'P1';
    }),
    named: { difference: 'member', where: 'payout_method.details', seen: 'purpose_code' },
  },
  {
    what: 'a trait',
    altered: created((object) => {
      object.traits.instant = true;
    }),
    named: { difference: 'member', where: 'transaction.traits', seen: 'instant' },
  },
  {
    what: 'another form of a value',
    altered: created((object) => {
      object.payin_reference = 17;
    }),
    named: { difference: 'form', where: 'transaction.payin_reference', seen: 'number', ours: 'text' },
  },
  {
    what: 'a reason code',
    world: 'wrong-account',
    altered: delivered('recipient.error', ({ object }) => {
      object.state_reason_details.code = '477';
    }),
    named: { difference: 'code', where: 'recipient.state_reason_details.code', seen: '477' },
  },
  {
    what: 'a known code with another category',
    world: 'wrong-account',
    altered: delivered('recipient.error', ({ object }) => {
      object.state_reason_details.category = 'sender_error';
    }),
    named: { difference: 'code', where: 'recipient.state_reason_details.category' },
  },
  {
    what: 'a payout type',
    altered: created(({ recipients: [one] }) => {
      one.payout_method.type = 'RWF::Mobile';
    }),
    named: { difference: 'type', where: 'payout_method.type', seen: 'RWF::Mobile' },
  },
  {
    what: 'a payin type',
    world: 'collection-fails',
    altered: delivered('payin_method.error', ({ object }) => {
      object.type = 'RWF::Mobile';
    }),
    named: { difference: 'type', where: 'payin_method.type', seen: 'RWF::Mobile' },
  },
  {
    what: 'a status of an answer',
    altered: created((_, log) => {
      log.response_status = '409';
    }),
    named: { difference: 'status', seen: '409' },
  },
  {
    what: 'an operation',
    world: 'demo',
    altered: answers('POST', /\/calculate$/, (_, log) => {
      log.request_url = 'https://api.example.com/v1/quotes/77';
    }),
    named: { difference: 'operation', where: 'POST /{…}/{…}/{…}', seen: '200' },
  },
  {
    what: 'a word of a refusal',
    world: 'too-little-balance',
    altered: answers('POST', /\/transactions/, (body, log) => {
      log.response_status = '422';
      body.object.errors = { input_amount: [{ error: 'too_volatile' }] };
    }),
    named: { difference: 'refusal', seen: 'input_amount: too_volatile' },
  },
  {
    what: 'a field of a refusal',
    world: 'too-little-balance',
    altered: answers('POST', /\/transactions/, (body, log) => {
      log.response_status = '422';
      body.object.errors = { 'sender.tax_residence': [{ error: 'blank' }] };
    }),
    named: { difference: 'refusal', seen: 'sender.tax_residence' },
  },
  {
    what: 'less time to fund',
    altered: created((object) => {
      object.expires_at = later(object.created_at, 20 * MINUTE);
    }),
    named: { difference: 'delay', where: 'transaction.expires_at', seen: '20 min after created_at' },
  },
  {
    what: 'a transaction that outlives its hour',
    altered: created((object, log) => {
      object.state = 'approved';
      log.created_at = later(object.created_at, 120 * MINUTE);
    }),
    named: { difference: 'delay', where: 'transaction.state', seen: 'approved after expires_at' },
  },
  {
    what: 'no refund after a day',
    altered: created((object, log) => {
      object.state = 'received';
      object.recipients[0].state = 'error';
      object.traits.auto_refund = true;
      object.payin_methods = [];
      log.created_at = later(object.created_at, 30 * 60 * MINUTE);
    }),
    named: {
      difference: 'delay',
      where: 'transaction.state',
      seen: 'received with auto_refund, a day after its funding',
    },
  },
  {
    what: 'a late webhook',
    altered: delivered('transaction.paid_out', ({ object }, log) => {
      log.created_at = later(object.updated_at, 40 * MINUTE);
    }),
    named: { difference: 'delay', where: 'delivery of an event', seen: 'over 15 min after updated_at' },
  },
  {
    what: 'a retry at another time',
    world: 'wrong-account+2',
    altered: delivered('recipient.error', (_, log) => {
      if (log.metadata?.tries === 2) log.created_at = later(log.created_at, 29 * MINUTE);
      if (log.metadata?.tries === 3) log.created_at = later(log.created_at, 29 * MINUTE);
    }),
    named: { difference: 'delay', where: 'delivery.tries', seen: 'try 2 after 30 min' },
  },
  {
    what: 'a try after one that was accepted',
    world: 'wrong-account+2',
    altered: delivered('recipient.error', (_, log) => {
      if (log.metadata?.response) log.metadata.response.status = '200';
    }),
    named: { difference: 'delay', where: 'delivery.tries', seen: 'try 2 after one that was accepted' },
  },
  {
    what: 'a seventh try',
    world: 'wrong-account+2',
    altered: delivered('recipient.error', (_, log) => {
      if (log.metadata?.tries === 2) log.metadata.tries = 7;
    }),
    named: { difference: 'delay', where: 'delivery.tries', seen: 'try 7' },
  },
];

describe('a planted difference is named', () => {
  it.each(some(planted, 12))('$what', async ({ world = 'wrong-account', altered, named }) => {
    const run = await drift(bench, await worldOf(world), { altered, argv: ['-o', 'json'] });
    expect(differencesOf(run)).toContainEqual(expect.objectContaining(named));
    expect(run.code).toBe(10);
    for (const { ours, first, last, times } of differencesOf(run))
      expect([ours === '', first <= last, times > 0]).toEqual([false, true, true]);
  });

  it('once, with how often and from when to when', async () => {
    const altered = created((object) => {
      object.state = 'on_hold';
    });
    const twice: Altered = {
      answers(logs) {
        const made = logs.filter(
          (log) => log.request_method === 'POST' && /\/transactions/.test(log.request_url ?? ''),
        );
        for (const log of made) {
          const earlier = later(log.created_at, -3 * 24 * 60 * MINUTE);
          logs.push({ ...log, id: '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11', created_at: earlier });
        }
        altered.answers?.(logs);
      },
    };
    const run = await drift(bench, await worldOf('wrong-account'), { altered: twice, argv: ['-o', 'json'] });
    const [state] = differencesOf(run).filter(({ difference }) => difference === 'state');
    expect(state).toMatchObject({ times: 2, first: '2026-01-02', last: '2026-01-05' });
    expect(state?.ours).toContain('approved');
  });

  it(`and the list has 25 and more (${planted.length})`, () => {
    expect(planted.length).toBeGreaterThanOrEqual(25);
  });
});

const PERSONAL = [
  'Amina Diallo',
  'amina@example.com',
  '0123456719',
  '+233241234567',
  'GB29NWBK60161331926819',
  '12 Long Street, Accra',
  'made-up-secret-for-tests',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
];

/** The text in place of each text, and as a member's name in each record. */
function filled(value: Json, text: string): Json {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((item) => filled(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [name, filled(item, text)]);
  return Object.fromEntries([...members, [text, text]]);
}
/** A body that is cut short becomes one text. */
function inBody(body: string | null | undefined, text: string): string {
  try {
    return JSON.stringify(filled(JSON.parse(body || '{}'), text));
  } catch {
    return text;
  }
}

/** Everything but what says when, and which operation it was. */
const everywhere = (text: string): Altered => ({
  answers(logs) {
    for (const [index, log] of logs.entries()) {
      const { id, created_at, request_url, request_method, response_status, response_body } = log;
      const strange = {
        request_url: `https://api.example.com/v1/${text}`,
        request_method: index % 6 === 0 ? text : 'GET',
      };
      Object.assign(log, filled(log, text), { id, created_at, request_method, request_url });
      log.response_body = inBody(response_body, text);
      if (index % 5 !== 0) log.response_status = response_status;
      if (index % 3 === 0) Object.assign(log, strange, { response_status: '200' });
    }
  },
  deliveries(logs) {
    for (const [index, log] of logs.entries()) {
      const { id, created_at, metadata } = log;
      Object.assign(log, filled(log, text), { id, created_at });
      if (!log.metadata?.request) continue;
      log.metadata.request.body = inBody(metadata?.request?.body, text);
      if (index % 2 === 0) log.metadata.event = metadata?.event;
    }
  },
});

describe('what it prints and writes', () => {
  it.each(some(PERSONAL, 4))('holds nothing of a person: %s', async (text) => {
    for (const format of ['json', 'ndjson', 'csv', 'table', 'yaml']) {
      const file = `report-${PERSONAL.indexOf(text)}-${format}.json`;
      const argv = ['-o', format, '--report', file];
      const run = await drift(bench, await worldOf('demo'), { altered: everywhere(text), argv });
      expect([format, run.code, run.stderr]).toEqual([format, 10, run.stderr]);
      const report = readFileSync(join(bench.dir, file), 'utf8');
      expect(JSON.parse(report).differences.length).toBeGreaterThan(10);
      for (const said of [run.stdout, run.stderr, report])
        expect(said.toLowerCase()).not.toContain(text.toLowerCase());
    }
  });

  it('shows no word that a personal member of the same body has', async () => {
    const altered = created((object) => {
      object.sender.first_name = 'Amina';
      object.state = 'amina';
      object.recipients[0].state = 'on_hold';
    });
    const run = await drift(bench, await worldOf('wrong-account'), { altered, argv: ['-o', 'json'] });
    const states = differencesOf(run).filter(({ difference }) => difference === 'state');
    expect(states.map(({ seen }) => seen).sort()).toEqual(['on_hold', 'text(5)']);
  });

  it('says what was compared in a report, and writes over no file', async () => {
    const world = await worldOf('demo');
    const first = await drift(bench, world, { argv: ['--report', 'once.json'] });
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining('the log of requests reaches back to 2026-01-05'),
    ]);
    const report = JSON.parse(readFileSync(join(bench.dir, 'once.json'), 'utf8'));
    expect(report).toMatchObject({
      report: 'drift',
      version: 1,
      differences: [],
      unread_bodies: 0,
      left_out: 0,
    });
    expect(report.read.map(({ log, records }: Json) => [log, records > 5])).toEqual([
      ['requests', true],
      ['deliveries', true],
    ]);
    const second = await drift(bench, world, { argv: ['--report', 'once.json'] });
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('once.json is there already')]);
  });

  it('claims nothing where both logs are empty', async () => {
    const altered: Altered = { answers: (logs) => logs.splice(0), deliveries: (logs) => logs.splice(0) };
    const run = await drift(bench, await worldOf('demo'), { altered });
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringContaining('nothing to compare: both logs are empty'),
    ]);
  });

  it('says how many bodies were cut short', async () => {
    const altered: Altered = {
      deliveries(logs) {
        for (const log of logs.slice(0, 2))
          if (log.metadata?.request) log.metadata.request.body = log.metadata.request.body?.slice(0, 40);
      },
    };
    const run = await drift(bench, await worldOf('demo'), { altered });
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('2 bodies could not be read')]);
  });
});

describe('its calls', () => {
  it('only read, and come no faster than --per-minute', async () => {
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      slept.push(ms);
    };
    const run = await drift(bench, await worldOf('demo'), {
      argv: ['--per-minute', '30'],
      options: { sleep },
    });
    expect(run.code).toBe(0);
    expect(new Set(run.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(slept.filter((ms) => ms > 1_000 && ms < 20_000).length).toBeGreaterThan(1);
  });

  it('are not made where --per-minute is no number', async () => {
    const run = await drift(bench, await worldOf('demo'), { argv: ['--per-minute', 'few'] });
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });
});
