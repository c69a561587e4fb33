/** Pages of `webhooks events` over an inbox: with a hundred times as many deliveries they take hardly longer. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryFilter } from '../../src/core/ports/inbox.ts';
import { type Child, startChild } from '../support/children.ts';
import { atMost, type Figure, forComparison, type Place } from '../support/figure.ts';
import { eventOf, receivedAt, transactionOf } from '../support/fill-inbox.ts';
import { credentials } from '../support/signed.ts';
import { median, medianRatio } from '../support/statistics.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const BASE_URL = 'http://127.0.0.1:9/v1';
const EVENT = 'recipient.error';
const SIZES = ['few', 'many'] as const;
type Size = (typeof SIZES)[number];

interface Answer {
  ms: number;
  rows: number;
  filledMs: number;
}

/** In the middle of them: neither the first nor the last that a scan would meet. */
const filters = (deliveries: number): Record<string, DeliveryFilter> => {
  const middle = Math.floor(deliveries / 2);
  const since = receivedAt(middle);
  const kept = middle % 17 === 0 ? middle + 1 : middle;
  return {
    nothing: {},
    event: { event: EVENT },
    state: { state: 'dead_letter' },
    'state handed_on': { state: 'handed_on' },
    'event and state': { event: EVENT, state: 'handed_on' },
    since: { since },
    'event and since': { event: EVENT, since },
    transaction: { transactionId: transactionOf(middle) },
    'all of them': {
      event: eventOf(kept),
      state: 'kept',
      since: receivedAt(kept - 10),
      transactionId: transactionOf(kept),
    },
  };
};

export async function received({ programs, root, quick }: Place): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  const counts: Record<Size, number> = { few: FEW, many: quick ? MANY / 10 : MANY };
  const path = (size: Size) => join(dir, `${size}.db`);
  const start = (size: Size): Child<object, Answer> =>
    startChild(programs, 'received-server', {
      path: path(size),
      baseUrl: BASE_URL,
      deliveries: counts[size],
    });
  const children = { few: start('few'), many: start('many') };
  const ask = (size: Size, name: string) =>
    children[size].ask({ filter: filters(counts[size])[name], count: 30 });
  const asked: Asked[] = [];
  let filledMs = 0;
  for (const name of Object.keys(filters(FEW))) {
    const times: Record<Size, number[]> = { few: [], many: [] };
    for (let round = -5; round < 15; round++) {
      for (const size of round % 2 === 0 ? SIZES : [...SIZES].reverse()) {
        const answer = await ask(size, name);
        if (round >= 0) times[size].push(answer.ms);
        if (answer.rows === 0) throw new Error(`nothing fits ${name}`);
        if (size === 'many') filledMs = answer.filledMs;
      }
    }
    asked.push({ name, ratio: medianRatio(times.many, times.few), times });
  }
  const figures = [...pageFigures(asked, counts), wholeProcess(root, dir, path, quick ? 5 : 15)];
  await Promise.all([children.few.stop(), children.many.stop()]);
  rmSync(dir, { recursive: true, force: true });
  return [
    ...figures,
    forComparison('filling it', `${(filledMs / 1000).toFixed(0)} s`, `${counts.many} deliveries`),
  ];
}

interface Asked {
  name: string;
  ratio: number;
  times: Record<Size, number[]>;
}

/** What is asked for is asked of the worst one. */
function pageFigures(asked: readonly Asked[], { few, many }: Record<Size, number>): Figure[] {
  const facts = ({ times }: Asked): string =>
    `median ${(median(times.many) * 1000).toFixed(0)} us against ${(median(times.few) * 1000).toFixed(0)} us`;
  const [worst, ...others] = [...asked].sort((a, b) => b.ratio - a.ratio) as [Asked, ...Asked[]];
  return [
    atMost(`a page by ${worst.name}, the worst, ${many} deliveries / ${few}`, worst.ratio, 2, facts(worst)),
    ...others.map((one) =>
      forComparison(`a page by ${one.name}, the same`, `${one.ratio.toFixed(2)}x`, facts(one)),
    ),
  ];
}

/** From the start of the program until its end. */
function wholeProcess(root: string, dir: string, path: (size: Size) => string, rounds: number): Figure {
  const run = (size: Size): number => {
    const before = performance.now();
    const args = ['webhooks', 'events', '--event', EVENT, '--state', 'handed_on', '--store', path(size)];
    const done = spawnSync(process.execPath, [join(root, 'bin', 'remit.js'), ...args, '-o', 'json'], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        REMIT_CONFIG_DIR: dir,
        REMIT_BASE_URL: BASE_URL,
        REMIT_API_KEY: credentials.key,
        REMIT_API_SECRET: credentials.secret,
      },
    });
    if (done.status !== 0 || JSON.parse(done.stdout).data.length === 0)
      throw new Error(`webhooks events: ${done.stderr || 'no rows'}`);
    return performance.now() - before;
  };
  const times: Record<Size, number[]> = { few: [], many: [] };
  for (let round = -1; round < rounds; round++) {
    for (const size of SIZES) {
      const ms = run(size);
      if (round >= 0) times[size].push(ms);
    }
  }
  const facts = `median ${median(times.many).toFixed(0)} ms against ${median(times.few).toFixed(0)} ms`;
  return atMost('remit webhooks events, from its start', medianRatio(times.many, times.few), 2, facts);
}
