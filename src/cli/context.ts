/** What a command is given: cheap values, and lazy functions for what costs. Production wiring is in this one file. */
import type { Client, Exchange } from '../client/client.ts';
import type { Intents } from '../core/ports/intents.ts';
import type { Seen, SeenIndex } from '../core/ports/seen.ts';
import type { Transport } from '../core/ports/transport.ts';
import { escapeHostile } from '../desk/words/escape.ts';
import type { MaskLevel } from '../desk/words/mask.ts';
import { type Connection, keyLast4, resolveConnection } from '../profiles/connection.ts';
import { storePath } from '../profiles/paths.ts';
import type { Globals } from './flags/globals.ts';
import { type Paint, paintFor } from './terminal/paint.ts';
import type { Streams } from './terminal/streams.ts';
import type { World } from './world.ts';

export interface Store {
  intents: Intents;
  seen: SeenIndex;
  close(): void;
}

export interface ToTell {
  intentId: string;
  id: string | null;
  externalId: string | null;
}

export interface Context {
  world: World;
  streams: Streams;
  globals: Globals;
  /** Paints for stderr; the renderer has its own for stdout. */
  paint: Paint;
  /** The command's words, for the journal and for hints. */
  words: string;
  /** True when questions can be asked: a terminal to read from and to write to, and not refused. */
  interactive: boolean;
  mask: MaskLevel;
  connection(): Promise<Connection>;
  /** Ctrl-C ends its reads. */
  client(): Promise<Client>;
  /** For money on its way: Ctrl-C ends nothing, so that the outcome gets known. */
  writingClient(): Promise<Client>;
  /** The same account under another base URL: the controls of a sandbox. */
  clientAt(baseUrl: string): Promise<Client>;
  transport(): Promise<Transport>;
  store(): Promise<Store>;
  /** When the command began, in milliseconds. */
  beganAt: number;
  /** Applied, and not over before the result was written out: see `src/cli/output/telling.ts`. */
  willTell(intentId: string, made: { id?: unknown; external_id?: unknown }): void;
  readonly toTell: readonly ToTell[];
  /** Ids learnt from an answer; a store that cannot be opened loses only this. */
  remember(seen: Seen[]): Promise<void>;
  /** One line on stderr, escaped: names and ids in it come from outside. `paint` colours what was escaped. */
  say(line: string, paint?: (text: string) => string): void;
  /** As `say`, for what is good to know and no more: --quiet leaves it out. */
  note(line: string): void;
  /** Closed with the context, the latest first. */
  closing(close: () => unknown): void;
  close(): Promise<void>;
}

export function createContext(world: World, globals: Globals, words: string): Context {
  const { streams, env } = world;
  const closers: (() => unknown)[] = [];
  const connection = once(() =>
    resolveConnection(env, { profile: globals.profile, insecure: globals.insecure }),
  );
  const transport = once(() => openTransport(world, connection, closers));
  const paint = paintFor(streams.colour.stderr);
  const store = once(async () => {
    const { openStore } = await import('../store/open.ts');
    const opened = await openStore(storePath(env), { clock: world.clock, random: world.random });
    closers.push(() => opened.close());
    return opened;
  });
  const clientAt = async (baseUrl: string, interrupt?: AbortSignal): Promise<Client> => {
    const { createClient } = await import('../client/client.ts');
    const { credentials, scheme } = await connection();
    return createClient({
      baseUrl,
      credentials,
      scheme,
      transport: await transport(),
      clock: world.clock,
      random: world.random,
      nonce: world.nonce,
      sleep: world.sleep,
      ...(interrupt ? { interrupt } : {}),
      ...(await debugging(streams, globals)),
    });
  };
  const toTell: ToTell[] = [];
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const context: Context = {
    world,
    beganAt: world.beganAt ?? world.clock.now(),
    toTell,
    willTell: (intentId, made) =>
      toTell.push({ intentId, id: text(made.id), externalId: text(made.external_id) }),
    streams,
    globals,
    paint,
    words,
    interactive: globals.input && streams.stdinIsTerminal && streams.stderrIsTerminal,
    mask: maskLevel(world, globals),
    connection,
    transport,
    store,
    client: once(async () => clientAt((await connection()).baseUrl, world.interrupt)),
    writingClient: once(async () => clientAt((await connection()).baseUrl)),
    clientAt,
    async remember(seen) {
      const known = seen.filter(({ id }) => id !== '');
      if (known.length === 0) return;
      const { name, baseUrl } = await connection();
      try {
        (await store()).seen.remember(`${name} ${baseUrl}`, known);
      } catch (error) {
        if (globals.debug !== 'off') streams.err(`remit: ids were not kept: ${(error as Error).message}\n`);
      }
    },
    say: (line, paint = (text) => text) => streams.err(`${paint(escapeHostile(line))}\n`),
    note: (line) => {
      if (!globals.quiet) streams.err(`${paint.dim(escapeHostile(line))}\n`);
    },
    closing: (close) => closers.push(close),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
  return context;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function openTransport(
  world: World,
  connection: () => Promise<Connection>,
  closers: (() => unknown)[],
): Promise<Transport> {
  if (world.transport) return world.transport;
  const [{ createNetworkTransport }, { readFileSync }] = await Promise.all([
    import('../client/network-transport.ts'),
    import('node:fs'),
  ]);
  const { env } = world;
  const { caFile } = await connection();
  const network = await createNetworkTransport({
    ca: caFile === undefined ? undefined : readFileSync(caFile, 'utf8'),
    proxy: {
      httpProxy: env.http_proxy ?? env.HTTP_PROXY,
      httpsProxy: env.https_proxy ?? env.HTTPS_PROXY,
      noProxy: env.no_proxy ?? env.NO_PROXY,
    },
  });
  closers.push(() => network.close());
  return network.send;
}

function maskLevel(world: World, globals: Globals): MaskLevel {
  if (globals.reveal) return 'none';
  const ci = world.env.CI;
  if (ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0') return 'all';
  return world.streams.stdoutIsTerminal ? 'accounts' : 'none';
}

/** Loaded only where it was asked for. */
async function debugging(
  streams: Streams,
  { debug, reveal }: Globals,
): Promise<{ onExchange?: (exchange: Exchange) => void }> {
  if (debug === 'off') return {};
  const { exchangeBlock, exchangeLine } = await import('./output/debug.ts');
  return {
    onExchange: (exchange) =>
      streams.err(debug === 'lines' ? exchangeLine(exchange) : exchangeBlock(exchange, reveal)),
  };
}

/** `sandbox · local · key …3f2a`: printed before every write. */
export function contextLine(connection: Connection): string {
  return `${connection.environment} · ${connection.name} · key …${keyLast4(connection.credentials.key)}`;
}
