/** Those who watch a fleet: the handler behind it, and somebody who asks each `/readyz` ten times a second. */
import { createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { sleep } from '../../src/core/clock.ts';
import { real } from './clock.ts';
import { portOf, shut } from './servers.ts';

export interface HandedOn {
  id: string;
  objectId: string;
  event: string;
  attempt: number;
  late: boolean;
  at: number;
}

/** The partner's own server: it notes each delivery when it has come whole, and accepts it. */
export async function startNotes() {
  const handed: HandedOn[] = [];
  const server = createServer(async (request, response) => {
    const { event, object } = JSON.parse(await text(request));
    const { headers } = request;
    handed.push({
      id: String(headers['remit-delivery-id']),
      objectId: object.id,
      event,
      attempt: Number(headers['remit-attempt']),
      late: headers['remit-late'] !== undefined,
      at: real.now(),
    });
    response.writeHead(204).end();
  });
  const url = `http://127.0.0.1:${await portOf(server)}/hooks`;
  return { handed, url, close: () => shut(server) };
}

/** One look at a `/readyz`; `status` is 0 where there was no answer within a second. */
export interface Look {
  name: string;
  began: number;
  ended: number;
  status: number;
}

const EVERY_MS = 100;
const PATIENCE_MS = 1_000;

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const asked = get(url, { agent: false, signal: AbortSignal.timeout(PATIENCE_MS) }, (response) => {
      response.resume().on('error', () => resolve(0));
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', () => resolve(0));
  });

/** Looks at each of them until it is stopped. */
export function watchReadiness(members: readonly { name: string; admin: string }[]) {
  const looks: Look[] = [];
  let isOver = false;
  const watching = members.map(async ({ name, admin }) => {
    while (!isOver) {
      const began = real.now();
      const status = await statusOf(`${admin}/readyz`);
      looks.push({ name, began, ended: real.now(), status });
      await sleep(Math.max(1, began + EVERY_MS - real.now()));
    }
  });
  return {
    looks,
    async stop() {
      isOver = true;
      await Promise.all(watching);
    },
  };
}

export interface Outage {
  name: string;
  /** It was told to stop; by the clock of the service, which its tries bear. */
  began: number;
  /** From then on nothing of the database ran. */
  from: number;
  /** It was started. */
  to: number;
  /** All were ready again; by the clock of the service. */
  over: number;
}

/** Who asks within a second of another shares that commit (docs/watching.md). */
const SHARED_MS = 1_000;

/** Those that were asked and answered while nothing can have been committed, and not for as long as a commit is shared. */
export const looksIn = (looks: readonly Look[], { from, to }: Outage): Look[] =>
  looks.filter(({ began, ended }) => began > from + SHARED_MS && ended < to);
