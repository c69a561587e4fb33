/** The board of `recipient triage` in a real pseudo-terminal, over a sandbox that a test can hold back. */
import { afterEach, beforeEach, expect } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { type Bench, controlToken, createBench, credentials, paymentFlags, senderFlags } from './cli.ts';
import { screenOf } from './screen.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export const WIDE = { cols: 120, rows: 40 };
export const NARROW = { cols: 60, rows: 24 };

export interface Board {
  bench: Bench;
  env: Record<string, string>;
  /** Holds every page but the first back until it is let go. */
  gate: Promise<void>;
  pay(ending: string, externalId?: string): Promise<void>;
  open(size?: typeof WIDE, ...rest: string[]): Terminal;
  /** Its screen, as text in `screens/`. */
  keep(terminal: Terminal, name: string, size?: typeof WIDE): Promise<void>;
  state(id: string): Promise<string>;
}

/** Made before each test of the file, and closed after it. */
export function useBoard(): Board {
  let listening: Listening;
  const board = {
    async pay(ending, externalId = `pay-${ending}`) {
      const flags = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', externalId];
      const paid = await board.bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20']);
      expect(paid.code).toBe(0);
    },
    open: (size = WIDE, ...rest) => openTerminal(['recipient', 'triage', ...rest], board.env, size),
    async keep(terminal, name, size = WIDE) {
      await expect(await screenOf(terminal.raw(), size)).toMatchFileSnapshot(
        `../terminal/screens/triage-${name}.txt`,
      );
    },
    state: async (id) =>
      (await board.bench.run(['recipient', 'show', id, '-o', 'json'])).data<{ state: string }>().state,
  } as Board;
  beforeEach(async () => {
    board.gate = Promise.resolve();
    board.bench = await createBench();
    const { sandbox, dir } = board.bench;
    const handle: typeof sandbox.handle = async (request) => {
      if (/\/recipients\?.*page=[2-9]/.test(request.url)) await board.gate;
      return sandbox.handle(request);
    };
    listening = await listen({ ...sandbox, handle }, { port: 0 });
    keepControlToken({ REMIT_CONFIG_DIR: dir }, listening.url, controlToken);
    board.env = {
      REMIT_BASE_URL: listening.url,
      REMIT_API_KEY: credentials.key,
      REMIT_API_SECRET: credentials.secret,
      REMIT_CONFIG_DIR: dir,
    };
    await board.bench.run(['sender', 'create', ...senderFlags('customer-1')]);
  });
  afterEach(async () => {
    await listening.close();
    await board.bench.close();
  });
  return board;
}
