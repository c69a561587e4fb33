/** What happens to a fleet within a day, and everything that was seen of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../src/core/clock.ts';
import { real } from './clock.ts';
import { Fleet, isReady, type Restarted } from './fleet.ts';
import { everyKept, type Kept, TriesRead, type Try } from './fleet-audit.ts';
import { type HandedOn, type Look, type Outage, startNotes, watchReadiness } from './fleet-watch.ts';
import { type Audit, auditRun, fileOfRows } from './payrun-audit.ts';

export const RUNS = 3;
/** CI takes fewer: `REMIT_FLEET_ROWS` says how many. */
export const ROWS_OF_A_RUN = Number(process.env.REMIT_FLEET_ROWS ?? 2_000);
const ROWS = RUNS * ROWS_OF_A_RUN;
/** Of each worker: so the rows last until everything has happened. */
const PER_SECOND = 14;
const DOWN_MS = 6_000;
const LOOK_MS = 1_000;
/** So long that the service sends none of them before its clock is moved. */
const DELAY = '2m';
const QUIET_MS = 3_000;
const STILL_MS = 20_000;
/** How long before PostgreSQL is back one that stood still wakes. */
const AWAKE_MS = 4_000;

export interface Day {
  /** `fleet.members`, by name. */
  members: string[];
  tries: Try[];
  kept: Kept[];
  handed: HandedOn[];
  looks: Look[];
  outages: Outage[];
  restarted: Restarted[];
  /** From the end of an outage until all are ready again. */
  backInMs: number[];
  paidInMs: number;
  /** The books of the service against the files, and against what remit says of each row. */
  audit: Audit;
  /** Lines of the log of haproxy with an answer of 5xx. */
  refusals: string[];
  said: number;
  /** Of each run, by `remit batch status`. */
  agrees: boolean[];
  codes: (number | null)[];
}

export async function liveThroughADay(): Promise<Day> {
  const notes = await startNotes();
  try {
    const fleet = await Fleet.start({ handler: notes.url, perSecond: PER_SECOND });
    try {
      return await live(fleet, notes.handed);
    } finally {
      await fleet.stop();
    }
  } finally {
    await notes.close();
  }
}

async function live(fleet: Fleet, handed: HandedOn[]): Promise<Day> {
  const opening = (await fleet.state()).balances.EUR;
  const files: string[] = [];
  for (let run = 0; run < RUNS - 1; run++) files.push(await approveRun(fleet, run));
  const read = new TriesRead(fleet.call);
  const watch = watchReadiness(fleet.members);
  try {
    const from = real.now();
    const met = await goThroughTrouble(fleet, read, async () => {
      files.push(await approveRun(fleet, RUNS - 1));
    });
    await paid(fleet, ROWS, read);
    const paidInMs = real.now() - from;
    await settle(fleet, read);
    const { said, agrees } = await whatIsSaid(fleet);
    await watch.stop();
    const service = await fleet.service();
    const tries = await read.read();
    const codes = await fleet.end();
    const kept = await everyKept(fleet.postgres);
    const audit = await auditRun({ bench: service, file: files.join(''), opening, said, isUpToDate: true });
    const members = fleet.members.map(({ name }) => name);
    const seen = { members, tries, kept, handed, looks: watch.looks, codes, refusals: fleet.refusals };
    return { ...met, ...seen, paidInMs, audit, said: said.size, agrees };
  } finally {
    await watch.stop();
  }
}

async function goThroughTrouble(
  fleet: Fleet,
  read: TriesRead,
  approveLast: () => Promise<void>,
): Promise<Pick<Day, 'outages' | 'restarted' | 'backInMs'>> {
  await paid(fleet, ROWS / 20, read);
  await delayDeliveries(fleet);
  const stopped = await withoutPostgres(fleet, 'stopped', {
    stop: () => fleet.postgres.halt(),
    async meanwhile() {
      await deliverDelayed(fleet);
      await sleep(DOWN_MS);
    },
  });
  const restarted: Restarted[] = [];
  for (const member of fleet.members) restarted.push(await fleet.restart(member));
  const [sleeper] = fleet.listeners;
  sleeper?.program.signal('SIGSTOP');
  await sleep(STILL_MS);
  // However long all that took, there are rows to pay yet.
  await approveLast();
  await delayDeliveries(fleet);
  const killed = await withoutPostgres(fleet, 'killed', {
    stop: () => fleet.postgres.kill(),
    async meanwhile() {
      await deliverDelayed(fleet);
      await sleep(DOWN_MS - AWAKE_MS);
      sleeper?.program.signal('SIGCONT');
      await sleep(AWAKE_MS);
    },
  });
  return {
    outages: [stopped.outage, killed.outage],
    backInMs: [stopped.backInMs, killed.backInMs],
    restarted,
  };
}

/**
 * Workers pay their share of a second at once and then wait, and in an outage they pay nothing: it may begin when no webhook is on its
 * way. So the service has some to send that are due in the outage, whenever that is.
 */
async function delayDeliveries(fleet: Fleet): Promise<void> {
  const some = ['--event', 'recipient.paid_out', '--next', '3', '--delay', DELAY];
  await fleet.remit('sandbox', 'fail', 'webhook-delayed', ...some);
  while ((await fleet.state()).faults_armed > 0) await sleep(LOOK_MS);
}

async function deliverDelayed(fleet: Fleet): Promise<void> {
  await fleet.remit('sandbox', 'clock', 'advance', DELAY);
}

interface Without {
  stop(): Promise<void>;
  meanwhile(): Promise<void>;
}

async function withoutPostgres(
  fleet: Fleet,
  name: string,
  { stop, meanwhile }: Without,
): Promise<{ outage: Outage; backInMs: number }> {
  const began = await serviceTime(fleet);
  await stop();
  const from = real.now();
  await meanwhile();
  const to = real.now();
  await fleet.postgres.start();
  for (const member of fleet.members) await isReady(member);
  const backInMs = real.now() - to;
  return { outage: { name, began, from, to, over: await serviceTime(fleet) }, backInMs };
}

const serviceTime = async (fleet: Fleet): Promise<number> => Date.parse((await fleet.state()).clock.now);

const nameOf = (run: number): string => `wages-${run + 1}`;

/** Returns its file; all files but the first come without the line of titles. */
async function approveRun(fleet: Fleet, run: number): Promise<string> {
  const file = fileOfRows(ROWS_OF_A_RUN, { from: run * ROWS_OF_A_RUN });
  const path = join(fleet.home.dir, `${nameOf(run)}.csv`);
  writeFileSync(path, file);
  const most = ['--max-input', 'EUR=100000'];
  const { digest } = await fleet.remit('batch', 'plan', path, '--name', nameOf(run), ...most);
  await fleet.remit('batch', 'approve', nameOf(run), '--digest', digest, '--yes');
  return run === 0 ? file : file.slice(file.indexOf('\n') + 1);
}

/** Resolves when the service has so many transactions. */
async function paid(fleet: Fleet, rows: number, read: TriesRead): Promise<void> {
  while ((await fleet.state()).counts.transactions < rows) {
    await read.read();
    await sleep(LOOK_MS);
  }
}

/**
 * Resolves when the service has nothing left to do and tried nothing for a while, and the inbox has nothing to hand on. What the service
 * would try again later, it tries now.
 */
async function settle(fleet: Fleet, read: TriesRead): Promise<void> {
  for (let tries = -1; ; ) {
    const { length } = await read.read();
    const { counts } = await fleet.state();
    const waiting = await fleet.remit('webhooks', 'events', '--state', 'waiting', '--all');
    if (counts.scheduled === 0 && length === tries && waiting.length === 0) return;
    tries = length;
    if (counts.scheduled > 0) await fleet.remit('sandbox', 'clock', 'advance', '1m');
    await sleep(QUIET_MS);
  }
}

async function whatIsSaid(fleet: Fleet): Promise<{ said: Map<string, string>; agrees: boolean[] }> {
  const said = new Map<string, string>();
  const agrees: boolean[] = [];
  for (let run = 0; run < RUNS; run++) {
    agrees.push((await fleet.remit('batch', 'status', nameOf(run), '--update')).agrees);
    for (const { key, state } of await fleet.remit('batch', 'rows', nameOf(run), '--all'))
      said.set(key, state);
  }
  return { said, agrees };
}
