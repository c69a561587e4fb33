/** A desk for tests: a face of its own, with no terminal, no flags, and nobody to ask. */

import { createClient } from '../../src/client/client.ts';
import type { JournalFile } from '../../src/client/store/journal-file.ts';
import type { Clock } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import type { Transport } from '../../src/core/transport.ts';
import type { Desk } from '../../src/payments/desk.ts';
import type { Connection } from '../../src/profiles/connection.ts';
import { PORTS } from '../../src/program/ports.ts';
import { credentials } from './sandbox.ts';
import { memoryStore } from './stores.ts';

/** Never the same twice, whatever desk: the service takes a nonce once. */
let ids = 0;

export const DESK_BASE_URL = 'http://127.0.0.1:4010/v1';

interface DeskOver {
  transport: Transport;
  clock: Clock;
  environment?: 'sandbox' | 'production';
  limits?: Connection['limits'];
  store?: JournalFile;
  sleep?: Desk['sleep'];
}

export function deskOver({
  transport,
  clock,
  environment = 'sandbox',
  limits = {},
  store,
  sleep = async () => {},
}: DeskOver): Desk {
  const random = seededRandom(1);
  const newId = (): string => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  const client = createClient({
    baseUrl: DESK_BASE_URL,
    credentials,
    transport,
    clock,
    random,
    nonce: newId,
    sleep: async () => {},
  });
  let opened: Promise<JournalFile> | undefined;
  const kept = async (): Promise<JournalFile> => {
    if (store !== undefined) return store;
    opened ??= memoryStore(clock, random);
    return { ...(await opened), close() {} };
  };
  return {
    by: { words: 'a service of its own', user: undefined },
    clock,
    random,
    newId,
    sleep,
    signal: new AbortController().signal,
    machine: { env: {}, cwd: '.', pid: process.pid },
    mask: 'none',
    zone: 'UTC',
    fresh: false,
    ports: PORTS,
    connection: async () => ({
      name: 'own',
      source: 'profile',
      environment,
      baseUrl: DESK_BASE_URL,
      credentials,
      scheme: 'signature',
      secretIn: 'environment',
      limits,
    }),
    client: async () => client,
    writingClient: async () => client,
    clientAt: async () => client,
    transport: async () => transport,
    store: kept,
    hear: () => {},
    working: (_, work) => work({ tell() {}, say() {}, stop() {} }),
    willTell: () => {},
    remember: async () => {},
    closing: () => {},
  };
}
