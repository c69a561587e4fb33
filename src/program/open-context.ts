/** Makes what a command is given, for one account. Production wiring is in this one file. */
import { readFileSync } from 'node:fs';
import type { Client } from '../client/client.ts';
import type { Exchange } from '../client/exchange.ts';
import { escapeHostile } from '../core/escape.ts';
import { isLoopback } from '../core/hosts.ts';
import type { Hint } from '../core/next.ts';
import type { Globals } from '../frame/flags/globals.ts';
import { renderHint, renderUnbroken } from '../frame/output/spell.ts';
import { type Process, userOf } from '../frame/process.ts';
import { canGoBack } from '../frame/terminal/colour.ts';
import { withLocalTimes } from '../frame/terminal/local-time.ts';
import { paintFor } from '../frame/terminal/paint.ts';
import { wrapText } from '../frame/terminal/wrap.ts';
import { stanceOf } from '../payments/cli/ask/stance.ts';
import type { Context, ToTell } from '../payments/cli/context.ts';
import type { Transport } from '../payments/desk.ts';
import { MASK, type MaskLevel, maskData } from '../payments/words/mask.ts';
import { type Connection, resolveConnection } from '../profiles/connection.ts';
import { configDir, storePath } from '../profiles/paths.ts';
import { PORTS } from './ports.ts';

/**
 * @param account in the place of the one that the environment and the settings name
 * @param shared the way to the service of another context, which counts and closes it
 */
export function createContext(
  process: Process,
  globals: Globals,
  words: string,
  account?: Connection,
  shared?: Transport,
): Context {
  const { streams } = process;
  const paint = paintFor(streams.colour.stderr);
  const toTell: ToTell[] = [];
  const say: Context['say'] = (line, paint = (text) => text) =>
    streams.err(`${paint(onTerminal(process, globals, line))}\n`);
  const sayNote: Context['note'] = (line) => {
    if (!globals.quiet) say(line, paint.dim);
  };
  const mask = maskLevel(process, globals);
  let zone: string | undefined;
  const context: Context = {
    ...reaching(process, globals, account, shared),
    ...{ process, streams },
    globals,
    paint,
    words,
    toTell,
    by: { words, user: userOf(process) },
    ...{ clock: process.clock, random: process.random },
    newId: process.newId,
    sleep: process.sleep,
    signal: process.interrupt,
    machine: process,
    interactive:
      globals.input && streams.stdinIsTerminal && streams.stderrIsTerminal && canGoBack(process.env),
    mask,
    masked: (data) => maskData(data, mask),
    noteMasked: maskTeller(mask, streams.stdoutIsTerminal, sayNote),
    // Made when a day or a time needs it, and once: asking the machine for its zone costs 27 ms of a start, and more than a line of a statement each time.
    get zone() {
      zone ??= globals.zone ?? process.zone?.() ?? 'UTC';
      return zone;
    },
    fresh: globals.fresh,
    ports: PORTS,
    attend: async (found) => (await import('../payments/cli/triage/found.ts')).attendFound(context, found),
    another: (account, other = {}) =>
      createContext(process, other.globals ?? globals, other.words ?? words, account, other.transport),
    willTell: (intentId, made) =>
      toTell.push({ intentId, id: textOrNull(made.id), externalId: textOrNull(made.external_id) }),
    say,
    note: sayNote,
    hear({ says, as, about }) {
      if (about && process.log) process.log.event(about, { message: renderHint(says) });
      else if (as === 'warning' && process.log) process.log.said(renderHint(says), 'warn');
      else if (as === 'note') sayNote(says);
      else say(says, as === 'aside' ? paint.dim : as === 'warning' ? paint.yellow : undefined);
    },
    confirmer: {
      get isAttended() {
        return context.interactive;
      },
      stance: (account) => stanceOf(context, account),
      confirm: async (one) => (await import('../payments/cli/ask/confirmer.ts')).confirm(context, one),
    },
    async working(words, work) {
      const { withProgress } = await import('../frame/terminal/progress.ts');
      return withProgress(context, words, work);
    },
  };
  return context;
}

/** On a terminal a sentence is broken between words, and its times are local; a pipe gets it in one line. */
function onTerminal({ streams, zone }: Process, globals: Globals, line: Hint): string {
  const text = escapeHostile(renderUnbroken(line));
  if (!streams.stderrIsTerminal) return wrapText(text, Number.POSITIVE_INFINITY);
  return wrapText(withLocalTimes(text, globals.zone ?? zone?.()), streams.columns);
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

type Reach = Pick<
  Context,
  | 'connection'
  | 'transport'
  | 'store'
  | 'client'
  | 'writingClient'
  | 'clientAt'
  | 'remember'
  | 'hearExchanges'
  | 'closing'
  | 'close'
>;

/** The parts of a context that cost: each is made when it is first asked for, and closed with the context. */
function reaching(process: Process, globals: Globals, account?: Connection, shared?: Transport): Reach {
  const { streams, env } = process;
  const closers: (() => unknown)[] = [];
  const connection = once(async () => account ?? resolveConnection(env, globals));
  const transport = once(async () => {
    if (shared !== undefined) return shared;
    const { withNotice } = await import('./slow-notice.ts');
    const opened = await openTransport(process, connection, closers);
    const say = (line: string): void => {
      // Behind a question it would come when the answer may be there.
      if (!streams.isHeld) streams.err(`${line}\n`);
    };
    const send = globals.quiet ? opened : withNotice(opened, { say });
    const at = await connection().catch(() => undefined);
    return at === undefined ? send : counted(send, { process, globals, connection: at, closers });
  });
  const store = once(async () => {
    const { openJournalFile } = await import('../client/store/journal-file.ts');
    const opened = await openJournalFile(storePath(env), { clock: process.clock, random: process.random });
    closers.push(() => opened.close());
    return opened;
  });
  let hear: ((exchange: Exchange) => void) | undefined;
  const clientAt = async (baseUrl: string, interrupt?: AbortSignal): Promise<Client> => {
    const { createClient } = await import('../client/client.ts');
    const { credentials, scheme } = await connection();
    return createClient({
      baseUrl,
      credentials,
      scheme,
      transport: await transport(),
      clock: process.clock,
      random: process.random,
      nonce: process.nonce,
      sleep: process.sleep,
      timeoutMs: globals.requestTimeoutMs,
      onLeaving: ({ effect }) => (effect === 'read' ? undefined : process.writes?.(effect)),
      ...(interrupt ? { interrupt } : {}),
      ...(await debugging(process, globals, hear)),
    });
  };
  // One client for all calls: what a read of it shows of the key counts for the writes.
  const client = once(async () => clientAt((await connection()).baseUrl, process.interrupt));
  return {
    connection,
    transport,
    store,
    client,
    writingClient: async () => (await client()).undisturbed(),
    clientAt,
    hearExchanges(told) {
      hear = told;
    },
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
    closing: (close) => closers.push(close),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function openTransport(
  process: Process,
  connection: () => Promise<Connection>,
  closers: (() => unknown)[],
): Promise<Transport> {
  if (process.transport) return process.transport;
  const { createTransports } = await import('../client/transports.ts');
  const { env } = process;
  const { caFile } = await connection();
  const network = createTransports({
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

interface Counting {
  process: Process;
  globals: Globals;
  connection: Connection;
  closers: (() => unknown)[];
}

/** A sandbox on this machine may be asked as often as anybody likes. */
async function counted(
  send: Transport,
  { process, globals, connection, closers }: Counting,
): Promise<Transport> {
  const { baseUrl, credentials } = connection;
  if (isLoopback(new URL(baseUrl).hostname)) return send;
  const { countingReads } = await import('../payments/read-budget.ts');
  const counting = countingReads(send, {
    account: { baseUrl, key: credentials.key },
    folder: configDir(process.env),
    pid: process.pid,
    clock: process.clock,
    warn: (text) => globals.quiet || process.streams.err(`remit: ${text}\n`),
  });
  closers.push(counting.keep);
  return counting.send;
}

function maskLevel(process: Process, globals: Globals): MaskLevel {
  if (globals.reveal) return 'none';
  const ci = process.env.CI;
  if (ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0') return 'all';
  return 'accounts';
}

/** Says once that data is masked in the output: a later reader of the file or pipe must know. */
function maskTeller(
  mask: MaskLevel,
  isTerminal: boolean,
  say: (line: string) => void,
): Context['noteMasked'] {
  let said = isTerminal || mask === 'none';
  return (text) => {
    if (said || mask === 'none' || !text.includes(MASK)) return;
    said = true;
    say(MASKED[mask]);
  };
}

const MASKED = {
  accounts: 'Accounts and phones show their last four characters. --reveal shows them whole.',
  all: 'Names, accounts and phones are masked in CI. --reveal shows them whole.',
};

/** Loaded only where it was asked for. */
async function debugging(
  { streams, log }: Process,
  { debug, reveal }: Globals,
  hear?: (exchange: Exchange) => void,
): Promise<{ onExchange?: (exchange: Exchange) => void }> {
  if (debug === 'off') return hear ? { onExchange: hear } : {};
  const { exchangeBlock, exchangeFacts, exchangeLine } = await import('./debug.ts');
  return {
    onExchange(exchange) {
      hear?.(exchange);
      if (log) log.event('request', exchangeFacts(exchange));
      else streams.err(debug === 'lines' ? exchangeLine(exchange) : exchangeBlock(exchange, reveal));
    },
  };
}
