/** The console as it is built: what its page weighs, its first paint in a cold Chromium, and a search over the books of 100,000 recipients, and a list of them. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { headers, type QuestionOf, type RouteName, routes } from '../../src/console/wire.ts';
import { stopping } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place } from '../support/figure.ts';
import { fillBooks } from '../support/fill-books.ts';
import { isOurs } from '../support/processor.ts';
import { environmentFor, remitOf } from '../support/remit.ts';
import { type Sample, takeTurns } from '../support/turns.ts';
import { listFrames } from './console-list.ts';

const ROWS = 100_000;
/** Nobody answers there: a search asks the books alone. */
const NOWHERE = 'http://127.0.0.1:9/v1';
const MOST_KB = 80;
const MOST_PAINT_MS = 300;
const MOST_SEARCH_MS = 150;
/** A name that many have, the end of an account, an amount, a reference, and two words at once. */
const SEARCHES = ['okonkwo12', '4471', '25,000', 'wages-77777', 'zoe 2026-10-20'];

export async function consoleFigures({ root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 10 : ROWS;
  const env = environmentFor(NOWHERE);
  await fillBooks(env, NOWHERE, { rows, aMonth: rows });
  const child = spawn(process.execPath, [remitOf(root), 'console', '--no-browser'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  isOurs(child.pid);
  const url = await new Promise<string>((resolve) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString('utf8').trim()));
  });
  try {
    const { origin, hash } = new URL(url);
    const { ask, token } = await asker(origin, hash.split('/').at(-1) ?? '');
    const side = (words: string) => async (): Promise<Sample> => {
      const before = performance.now();
      await ask('search', { words });
      return { ms: performance.now() - before };
    };
    const sides = Object.fromEntries(SEARCHES.map((words) => [words, side(words)]));
    await takeTurns(sides, 1);
    const turns = await takeTurns(sides, quick ? 5 : 15);
    const medians = SEARCHES.map((words) => turns.median(words, 'ms'));
    return [
      weight(root),
      judged(
        `console: slowest search of ${rows} recipients / ${MOST_SEARCH_MS} ms`,
        turns,
        [Math.max(...medians) / MOST_SEARCH_MS],
        { most: 1 },
        SEARCHES.map((words, index) => `${words} ${medians[index]?.toFixed(0)} ms`).join(', '),
      ),
      await firstPaint(origin, quick ? 3 : 7),
      await listFrames(pathOfBrowser(), { origin, token, rows }),
    ];
  } finally {
    await stopping(child, () => child.kill('SIGTERM'));
  }
}

function weight(root: string): Figure {
  const [script, style] = ['page.js', 'page.css'].map(
    (name) => gzipSync(readFileSync(join(root, 'dist', 'console', name))).length / 1_024,
  ) as [number, number];
  const kb = script + style;
  return {
    name: `console: page and code, gzip / ${MOST_KB} kB`,
    value: (kb / MOST_KB).toFixed(2),
    asked: '<= 1',
    ok: kb <= MOST_KB,
    facts: `${script.toFixed(1)} kB of code, ${style.toFixed(1)} kB of styles`,
  };
}

/** From the request for the document to what the browser calls the first contentful paint, each time in a browser of its own. */
async function firstPaint(origin: string, rounds: number): Promise<Figure> {
  const name = `console: first paint, cold Chromium / ${MOST_PAINT_MS} ms`;
  const path = pathOfBrowser();
  if (path === undefined) return forComparison(name, 'not measured', 'there is no Chromium here');
  const { chromium } = await import('playwright-core');
  const paint = async (): Promise<Sample> => {
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const ms = await page.evaluate<number>(PAINTED);
      return { ms };
    } finally {
      await browser.close();
    }
  };
  // The browser's own processes take the machine: they are what is measured, and no other program.
  const turns = await takeTurns({ paint }, rounds);
  const ms = turns.median('paint', 'ms');
  return {
    name,
    value: (ms / MOST_PAINT_MS).toFixed(2),
    asked: '<= 1',
    ok: ms <= MOST_PAINT_MS,
    facts: `${ms.toFixed(0)} ms, median of ${rounds}`,
  };
}

const PAINTED = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (one.name === 'first-contentful-paint') resolve(one.startTime);
}).observe({ type: 'paint', buffered: true }))`;

function pathOfBrowser(): string | undefined {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Asks as the page does, with the session that the code gives. */
async function asker(origin: string, code: string) {
  let token = '';
  const ask = async <Name extends RouteName>(name: Name, question: QuestionOf<Name>): Promise<unknown> => {
    const answer = await posted(`${origin}${routes[name].path}`, JSON.stringify(question), {
      origin,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      [headers.nonce]: 'nonce-of-the-bench-1',
      ...(token === '' ? {} : { [headers.token]: token }),
    });
    return JSON.parse(answer);
  };
  ({ token } = (await ask('open', { code })) as { token: string });
  return { ask, token };
}

const posted = (url: string, body: string, given: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', headers: given }, (response) => {
      let all = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        all += part;
      });
      response.on('end', () => (response.statusCode === 200 ? resolve(all) : reject(new Error(all))));
    });
    asking.on('error', reject);
    asking.end(body);
  });
