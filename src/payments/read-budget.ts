/**
 * The service asks for few reads a day (docs/wire.md 13) and never says how many are left. So they are counted here, for each URL, key
 * and day, and the user is told of more once. A count that cannot be kept costs nothing but the warning.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CallTerms } from '../client/terms.ts';
import { type Clock, isoTime } from '../core/clock.ts';
import type { Transport } from '../core/transport.ts';
import { readOwnFile, replaceOwnFile } from '../disk/own-file.ts';

export const BUDGETS = {
  transactions: { perDay: 2_500, path: /\/transactions(?:[/?]|$)/ },
  balances: { perDay: 300, path: /\/accounts(?:[/?]|$)/ },
  'currencies and rates': { perDay: 300, path: /\/info\/currencies(?:[/?]|$)/ },
} as const;

export type ReadKind = keyof typeof BUDGETS;
export const kinds = Object.keys(BUDGETS) as ReadKind[];

/** Tells which of the budgets a request counts against; undefined where none. */
export const readKindOf = ({ method, url }: { method: string; url: string }): ReadKind | undefined =>
  method === 'GET' ? kinds.find((one) => BUDGETS[one].path.test(url)) : undefined;

/**
 * On a sandbox on this machine remit looks twice a second and keeps no answer, as it never does at the service. Such a read says so of
 * itself: it is not the habit of an integration.
 */
export const OFTEN: CallTerms = { headers: { 'X-Remit-Read': 'often' } };

/** Reads the headers of a log, in capitals and with underscores. */
export const isOften = (headers: Readonly<Record<string, unknown>> | null | undefined): boolean =>
  headers?.HTTP_X_REMIT_READ === 'often';

interface Day {
  day: string;
  reads: Partial<Record<ReadKind, number>>;
  /** The kinds of which the user was warned today. */
  warned: ReadKind[];
}

export interface CountedReads {
  send: Transport;
  /** Writes down what was read. */
  keep(): void;
}

interface Surroundings {
  account: { baseUrl: string; key: string };
  folder: string;
  pid: number;
  clock: Clock;
  warn(text: string): void;
}

export function countingReads(
  send: Transport,
  { account, folder, pid, clock, warn }: Surroundings,
): CountedReads {
  const name = createHash('sha256').update(`${account.baseUrl}\n${account.key}`).digest('hex').slice(0, 16);
  const file = join(folder, 'reads', `${name}.json`);
  const today = (): string => isoTime(clock.now()).slice(0, 10);
  const own = new Map<ReadKind, number>();
  const warned = new Set<ReadKind>();
  let before: Day | undefined;

  function count(kind: ReadKind): void {
    before ??= readDay(file, today());
    own.set(kind, (own.get(kind) ?? 0) + 1);
    const { perDay } = BUDGETS[kind];
    const reads = (before.reads[kind] ?? 0) + (own.get(kind) ?? 0);
    if (reads <= perDay || warned.has(kind) || before.warned.includes(kind)) return;
    warned.add(kind);
    warn(
      `${kind} were read ${reads} times today, and the service asks for ${perDay} a day at most: read less often, or use webhooks`,
    );
  }

  return {
    send(request) {
      const kind = readKindOf(request);
      if (kind !== undefined) count(kind);
      return send(request);
    },
    keep() {
      if (own.size === 0) return;
      const { day, reads, warned: earlier } = readDay(file, today());
      for (const [kind, more] of own) reads[kind] = (reads[kind] ?? 0) + more;
      keepDay(file, pid, { day, reads, warned: [...new Set([...earlier, ...warned])] });
    },
  };
}

function readDay(file: string, day: string): Day {
  try {
    const kept = JSON.parse(readOwnFile(file) ?? '') as Day;
    if (kept.day === day && typeof kept.reads === 'object' && Array.isArray(kept.warned)) return kept;
  } catch {
    // The file is not there, or cannot be read: the count begins anew.
  }
  return { day, reads: {}, warned: [] };
}

function keepDay(file: string, pid: number, day: Day): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceOwnFile(file, JSON.stringify(day), `${file}.${pid}.new`);
  } catch {
    // A folder that cannot be written is told where it is needed.
  }
}
