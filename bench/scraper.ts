/** Asks for `/metrics` again and again over one connection, as a Prometheus does, until it is told to stop. */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { serveParent } from './support/children.ts';

interface Argument {
  url: string;
  /** The process that answers. */
  pid: number;
}

type Question = { everyMs: number } | { stop: true };

export interface Scrape {
  /** In milliseconds since 1970. */
  at: number;
  /** Until its last byte. */
  ms: number;
  /** What the thread that answers did meanwhile, in milliseconds of the processor: what others do to the machine is not in it. */
  busyMs: number;
}

export interface Scraped {
  scrapes: readonly Scrape[];
}

serveParent<Argument, Question>(async ({ url, pid }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let scrapes: Scrape[] = [];
  const busy = (): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  let timer: NodeJS.Timeout | undefined;
  const scrape = (): void => {
    const [from, before] = [performance.now(), busy()];
    get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => {
        const ms = performance.now() - from;
        scrapes.push({ at: performance.timeOrigin + from, ms, busyMs: busy() - before });
      });
    });
  };
  return async (question): Promise<Scraped> => {
    clearInterval(timer);
    const made = scrapes;
    scrapes = [];
    if ('everyMs' in question) timer = setInterval(scrape, question.everyMs);
    return { scrapes: made };
  };
});
