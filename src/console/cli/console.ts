/**
 * Serves the console until Ctrl-C: a page for one profile, on this machine alone. Each call of the page gets a context of its own, as a
 * command has one; the way to the service is shared. Acts that are under way are finished before it ends.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { logFlag } from '../../frame/log/flag.ts';
import { commandOf } from '../../frame/output/render-hint.ts';
import { formatInfo } from '../../frame/terminal/format.ts';
import { ndjsonLine } from '../../frame/terminal/formats.ts';
import { adminFlag, readAdmin, refuseLocalhost } from '../../payments/cli/admin/flag.ts';
import { liveNames, stanceOf } from '../../payments/cli/ask/stance.ts';
import { defineCommand, type OptionsOf } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import type { Result } from '../../payments/cli/result.ts';
import { tellJournal } from '../../payments/cli/telling.ts';
import type { Opened, Transport } from '../../payments/desk.ts';
import { readyShape } from '../../payments/shapes/machine.ts';
import type { Connection } from '../../profiles/connection.ts';

type ConsoleOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description: `Opens a page in the browser of this machine: search, one payout with what to tell the customer, triage, your requests that are not over, pay runs, a month, webhooks as they come, and the controls of a sandbox of this machine. It reads with the profile in use, and never changes it.

It only reads, unless it is started with --write. In production --write needs --live=PROFILE too, and each act the typed word, as in the terminal. The address holds a code that is good once, for half a minute; Enter in this terminal prints a new one. Without a key or a click for half an hour the page goes on reading, and no longer writes.`,
  flags: {
    write: {
      summary:
        'let the page correct, cancel, plan and decide runs, and hand deliveries on; without this it only reads',
    },
    port: { value: 'port', summary: 'listen on this port of 127.0.0.1; a free one if you do not say' },
    at: {
      value: 'host:port',
      summary: 'also answer to this address, such as 127.0.0.1:8080 at the other end of ssh -L',
    },
    noBrowser: { summary: 'print the address and open no browser' },
    ...adminFlag,
    ...logFlag,
  },
  effect: 'money',
  local: 'write',
  exits: [exitCodes.interrupted],
  tells: [readyShape],
  examples: [
    'remit console',
    'remit console --write',
    'remit console --write --profile live --live=live',
    'remit console --no-browser --at 127.0.0.1:8080',
  ],
  read(input) {
    const { port = '0', at, write, noBrowser } = input.flags;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw usage(`--port ${port} is not a port`);
    if (at !== undefined && !/^[a-z0-9.-]+(?::\d{1,5})?$/i.test(at))
      throw usage(`--at ${at} is not a host and a port`, 'such as --at 127.0.0.1:8080');
    refuseLocalhost('at', at);
    return { port: Number(port), at: at?.toLowerCase(), write, browser: !noBrowser, admin: readAdmin(input) };
  },
  run: (context, options): Promise<Result> => serveConsole(context, options),
});

async function serveConsole(context: Context, options: ConsoleOptions): Promise<Result> {
  const { process, globals } = context;
  const account = await context.connection();
  const readOnly = readOnlyWhy(context, account, options.write);
  const page = process.page?.();
  if (page === undefined) throw usage('the page of the console was not built', 'npm run build');
  const [{ serve }, { Sessions }] = await Promise.all([import('../serve.ts'), import('../sessions.ts')]);
  const sessions = new Sessions(process.clock, () => randomBytes(32).toString('base64url'));
  const transport = await context.transport();
  const acts = { byId: new Map(), running: new Map(), of: new Map() };
  const served = await openPort(options.port, () =>
    serve({
      account,
      clock: process.clock,
      version: process.version,
      zone: context.zone,
      readOnly,
      reveals: globals.reveal,
      secret: randomBytes(32).toString('base64url'),
      openDesk: (words, may) => openDesk(context, { words, may, account, transport }),
      renderHint: commandOf,
      acts,
      sessions,
      page,
      isProduction: account.environment === 'production',
      port: options.port,
      at: options.at,
      say: (line) => context.say(line, context.paint.yellow),
    }),
  );
  try {
    const address = (): string => `${served.origin}/#/start/${sessions.issueCode()}`;
    sayReady(context, { url: address(), account, canWrite: readOnly === undefined });
    if (options.admin)
      await (await import('../../payments/cli/admin/open.ts')).openAdmin(context, options.admin);
    if (options.browser) await openBrowser(context, address());
    const stop = codeByEnter(context, address);
    if (!process.interrupt.aborted) await once(process.interrupt, 'abort');
    stop();
  } finally {
    await Promise.allSettled(acts.running.values());
    await served.close();
  }
  return { done: true, exit: exitCodes.ok };
}

/** Undefined where the page may write. @throws Problem (usage) where production is not named, or is another one */
function readOnlyWhy(
  { globals, interactive }: Context,
  account: Connection,
  write: boolean,
): string | undefined {
  if (!write) return 'it was started without --write: to write, start remit console --write';
  const isNamed = globals.live !== undefined;
  if (isNamed) stanceOf({ globals, interactive }, account);
  if (account.environment === 'production' && !isNamed)
    throw usage(
      'a page that writes in production must be meant',
      `add --live=${liveNames(account)[0]}, or leave --write out`,
    );
  return account.limits.read_only ? `profile "${account.name}" is read-only` : undefined;
}

interface Calling {
  words: string;
  may: 'read' | 'money';
  account: Connection;
  transport: Transport;
}

/** Opens the desk that a command would be given. Its words go to the page, and not to this terminal. */
function openDesk(context: Context, { words, may, account, transport }: Calling): Opened {
  const { globals } = context;
  const quiet = { ...globals, quiet: true, yes: false };
  const own = context.another(account, { words, globals: quiet, transport });
  own.may = may;
  return { desk: own, told: () => tellJournal(own), close: () => own.close() };
}

async function openPort<T>(port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw usage(`port ${port} is taken`, 'leave --port out for a free one');
  }
}

interface Ready {
  url: string;
  account: Connection;
  canWrite: boolean;
}

function sayReady(context: Context, { url, account, canWrite }: Ready): void {
  const { log } = context.process;
  // The code is as good as a password, and a log is kept: the address with it is on stdout alone.
  log?.event('ready', {
    ...{ of: 'console', profile: account.name, url: new URL(url).origin },
    ...{ registered: null, forward_to: null, store: null },
  });
  if (formatInfo(context.globals.output).isJson === true) {
    context.streams.out(ndjsonLine(readyShape, { url, profile: account.name }));
    return;
  }
  if (!context.streams.stdoutIsTerminal || log) context.streams.out(`${url}\n`);
  if (log) return;
  for (const line of [
    `The console of ${account.name} (${account.environment}) ${canWrite ? 'reads and writes' : 'only reads'}.`,
    `Open within half a minute, once: ${url}`,
    context.interactive ? 'Enter prints a new address, and Ctrl-C ends it.' : 'Ctrl-C ends it.',
  ])
    context.say(line);
}

/** Each line of the terminal prints a new address: for another browser, or a page that went idle. */
function codeByEnter(context: Context, address: () => string): () => void {
  if (!context.interactive) return () => {};
  const { stdin } = context.streams;
  const line = (): void => context.say(`Open within half a minute, once: ${address()}`);
  stdin.on('data', line);
  return () => {
    stdin.off('data', line);
    stdin.pause();
  };
}

/** Opens the browser that this machine prefers; where there is none the address was printed. */
async function openBrowser({ process, interactive, note }: Context, url: string): Promise<void> {
  const { env } = process;
  const opener = openerOf(env);
  if (opener === undefined || (!interactive && !env.BROWSER)) return;
  const { spawn } = await import('node:child_process');
  const [program, ...args] = opener;
  const started = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  started.on('error', () => note('No browser could be started: open the address yourself.'));
  started.unref();
}

/** The program and its arguments. Undefined on a machine without a screen. */
function openerOf(env: Context['process']['env']): [string, ...string[]] | undefined {
  if (env.BROWSER) return [env.BROWSER];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
