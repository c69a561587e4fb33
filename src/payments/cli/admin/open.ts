/**
 * The answers of `--admin`. `/livez` says that the process turns, and does nothing else. `/readyz` tries a commit. `/metrics` reads: a scrape never
 * writes, never asks the service, and a store that does not answer in time leaves its families out.
 */
import { readdirSync } from 'node:fs';
import type { Exchange } from '../../../client/exchange.ts';
import type { Process } from '../../../frame/process.ts';
import type { Context } from '../context.ts';
import { type Family, type FamilyName, families } from './families.ts';
import type { AdminAddress } from './flag.ts';
import { createMeter, type Distribution, gauge, type Meter, type Readings } from './meter.ts';
import { type AdminAnswer, plain, serveAdmin } from './server.ts';

/** Writes figures as the text that Prometheus reads: its own format 0.0.4, or OpenMetrics 1.0. */
type Exposition = 'prometheus' | 'openmetrics';

const CONTENT_TYPES: Readonly<Record<Exposition, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Answers OpenMetrics to clients that prefer it to text. */
export function expositionFor(accept: string): Exposition {
  const weightOf = (type: string): number => {
    const asked = accept.split(',').find((part) => part.trim().toLowerCase().startsWith(type));
    const [, q = '1'] = /;\s*q=([\d.]+)/i.exec(asked ?? '') ?? [];
    return asked === undefined ? 0 : Number(q);
  };
  const open = weightOf('application/openmetrics-text');
  return open > 0 && open >= weightOf('text/plain') ? 'openmetrics' : 'prometheus';
}

/** Families without a value are left out: zero would be a claim. */
export function writeMetrics(readings: Readings, as: Exposition): string {
  const lines: string[] = [];
  for (const name of Object.keys(families) as FamilyName[]) {
    const series = readings[name] ?? [];
    if (series.length === 0) continue;
    const family: Family = families[name];
    const title = as === 'openmetrics' && family.type === 'counter' ? name.replace(/_total$/, '') : name;
    lines.push(`# HELP ${title} ${family.help}`, `# TYPE ${title} ${family.type}`);
    for (const [values, value] of series) {
      const labels = (family.labels ?? []).map((label, at) => `${label}="${escaped(values[at] ?? '')}"`);
      if (typeof value === 'number') lines.push(`${name}${braced(labels)} ${value}`);
      else lines.push(...distributed(name, family.bounds ?? [], value));
    }
  }
  if (as === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function distributed(name: string, bounds: readonly number[], { counts, sum }: Distribution): string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return `${name}_bucket{le="${boundText(bounds[at])}"} ${total}`;
  });
  return [...buckets, `${name}_sum ${sum}`, `${name}_count ${total}`];
}

/** OpenMetrics wants `1.0`, and the other format takes it. */
const boundText = (bound: number | undefined): string =>
  bound === undefined ? '+Inf' : Number.isInteger(bound) ? `${bound}.0` : String(bound);

const braced = (labels: readonly string[]): string => (labels.length === 0 ? '' : `{${labels.join(',')}}`);
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Figures of the process itself. */
const TICK_MS = 100;

/** Measures how late timers fire. @returns ends it */
function watchEventLoop(meter: Meter): () => void {
  let due = performance.now() + TICK_MS;
  const handle = setInterval(() => {
    const now = performance.now();
    meter.observe('remit_event_loop_delay_seconds', Math.max(0, now - due) / 1000);
    due = now + TICK_MS;
  }, TICK_MS);
  handle.unref();
  return () => clearInterval(handle);
}

/** Reads all in one turn: another turn would wait behind all deliveries that came meanwhile. */
function processReadings({ version }: Process, beganAtMs: number): Readings {
  const { user, system } = process.cpuUsage();
  return {
    remit_build_info: [[[version], 1]],
    process_cpu_seconds_total: gauge((user + system) / 1e6),
    process_resident_memory_bytes: gauge(process.memoryUsage.rss()),
    process_start_time_seconds: gauge(beganAtMs / 1000),
    process_open_fds: gauge(openFiles()),
  };
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

/** The parts of a command that are watched; each may come later than the server. */
export interface Watched {
  /** Reasons why it takes no work now, in words without an id or a URL. */
  troubles?: (() => readonly string[]) | undefined;
  /** Shows that the store commits; absent where the command has none. */
  commit?: (() => Promise<void>) | undefined;
  /** Figures that the process knows by itself. */
  own?: (() => Readings) | undefined;
  /** Figures of the store. It only reads. */
  stored?: (() => Promise<Readings>) | undefined;
}

export interface Admin {
  meter: Meter;
  /** From now on it says that it is not ready. */
  drain(): void;
}

const COMMIT_MS = 2_000;
const READ_MS = 1_000;
/** Many who ask at once cost one commit, and the intake nothing. */
const FRESH_MS = 1_000;
const NO_COMMIT = 'the store does not commit';

/** It answers until the context is closed, also while the command drains. @throws Problem (usage) */
export async function openAdmin(
  context: Context,
  address: AdminAddress,
  watched: Watched = {},
): Promise<Admin> {
  const { process } = context;
  const meter = createMeter();
  const beganAt = process.beganAt ?? process.clock.now();
  let isDraining = false;
  let commits = true;
  const commit = shared(context, async () => {
    commits = await inTime(watched.commit?.() ?? Promise.resolve(), COMMIT_MS).then(
      () => true,
      () => false,
    );
  });
  const troubles = (): string[] => [
    ...(isDraining || process.interrupt.aborted ? ['it is ending'] : []),
    ...(watched.troubles?.() ?? []),
  ];
  const readyz = async (): Promise<AdminAnswer> => {
    await commit();
    const why = [...troubles(), ...(commits ? [] : [NO_COMMIT])];
    return why.length === 0 ? plain(200, 'ready') : plain(503, `not ready: ${why.join('; ')}`);
  };
  const metrics = async (accept: string): Promise<AdminAnswer> => {
    const stored = await inTime(watched.stored?.() ?? Promise.resolve({}), READ_MS).catch(() => undefined);
    const isReady = stored !== undefined && commits && troubles().length === 0;
    /* Counters are read last, and written in the same turn: what happens meanwhile is in all of them or in none. */
    const readings = {
      ...meter.readings(),
      ...watched.own?.(),
      ...stored,
      ...processReadings(process, beganAt),
      remit_ready: gauge(isReady ? 1 : 0),
    };
    const as = expositionFor(accept);
    return { status: 200, type: CONTENT_TYPES[as], text: writeMetrics(readings, as) };
  };
  const server = await serveAdmin(address, {
    '/livez': () => plain(200, 'alive'),
    '/readyz': readyz,
    '/metrics': metrics,
  });
  context.closing(watchEventLoop(meter));
  context.closing(() => server.close());
  context.hearExchanges(counting(meter));
  if (process.log) process.log.event('figures', { url: server.url });
  else context.say(`remit: figures at ${server.url}/metrics, with /livez and /readyz`);
  return {
    meter,
    drain() {
      isDraining = true;
    },
  };
}

const counting =
  (meter: Meter) =>
  ({ call, status, ms }: Exchange): void => {
    const statusClass = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
    meter.add('remit_api_requests_total', [call.operation, statusClass]);
    meter.observe('remit_api_request_duration_seconds', Math.max(0, ms) / 1000);
  };

/** Shares one piece of work among all callers that ask meanwhile, or shortly after. */
function shared({ clock }: Context, work: () => Promise<void>): () => Promise<void> {
  let last: { at: number; done: Promise<void> } | undefined;
  return () => {
    const at = clock.now();
    if (last === undefined || Math.abs(at - last.at) >= FRESH_MS) last = { at, done: work() };
    return last.done;
  };
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no answer in time')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
