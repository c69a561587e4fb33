/**
 * One run of `webhooks listen`, from the lock on the inbox to the last line. What is left behind when the process is killed:
 * the registration (the next start removes it), the ready file (it names the process), claims (they run out). Deliveries that
 * were acknowledged are in the inbox, and what was not handed on is handed on by the next run.
 */

import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eventNames } from '../../../../contract/events.ts';
import { configProblem, usage } from '../../../../core/problem.ts';
import { replaceOwnFile } from '../../../../disk/own-file.ts';
import { exitCodes } from '../../../../frame/exit-codes.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import { toldPrograms } from '../../../../payments/cli/output/told-programs.ts';
import type { Result } from '../../../../payments/cli/result.ts';
import type { DeliveredSince } from '../../../../payments/desk.ts';
import { problemOf } from '../../../../payments/problem-of.ts';
import type { Connection } from '../../../../profiles/connection.ts';
import { catchUp, gapSentence } from '../../../catch-up.ts';
import { deliveredSince } from '../../../in-inbox.ts';
import type { Listener, ListenerOptions } from '../../../listener.ts';
import { newNeeds } from '../../../needs.ts';
import type { OpenedInbox } from '../../../open-inbox.ts';
import { registerOwn } from '../../../registration.ts';
import { wantedBy } from '../../../wanted.ts';
import { openInboxFor } from '../../open-inbox.ts';
import { type ListenOptions, unknownEvents } from './listen-flags.ts';
import { prepareListener } from './prepare.ts';
import { watchPublicUrl } from './public-url.ts';
import { type Status, startStatusLine } from './status.ts';
import { createTeller, type Teller } from './teller.ts';
import type { WatchedListener } from './watched.ts';

/** Writes the listener's address for the process that started it and waits. The file is whole or absent. */
export function writeReadyFile(path: string, facts: Record<string, unknown>): void {
  replaceOwnFile(path, `${JSON.stringify(facts)}\n`, `${path}.${facts.pid}.tmp`);
}

/** When a listener ends: Ctrl-C, so many deliveries, or the reader of its output is gone. */
type Reason = 'interrupt' | 'count' | 'reader_gone';

interface ListenEnd {
  promise: Promise<void>;
  counted(): void;
  /** The first reason counts. */
  end(reason: Reason): void;
  reason(): Reason;
}

function endSignal({ process }: Context, count: number | undefined): ListenEnd {
  let left = count ?? Number.POSITIVE_INFINITY;
  let why: Reason | undefined;
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const end = (reason: Reason): void => {
    why ??= reason;
    resolve();
  };
  if (process.interrupt.aborted) end('interrupt');
  process.interrupt.addEventListener('abort', () => end('interrupt'), { once: true });
  return {
    promise,
    end,
    reason: () => why ?? 'interrupt',
    counted() {
      if (--left <= 0) end('count');
    },
  };
}

const DRAIN_MS = 15_000;
const BACKLOG_EVERY_MS = 2_000;

type Inbox = OpenedInbox['inbox'];

interface Session {
  context: Context;
  options: ListenOptions;
  inbox: Inbox;
  listener: Listener;
  teller: Teller;
  /** The URL that the service sends to. */
  registered: string;
  status: Status;
  admin: WatchedListener | undefined;
}

export async function listenUntilDone(context: Context, options: ListenOptions): Promise<Result> {
  const connection = await context.connection();
  const publicUrl = options.publicUrl ?? context.process.env.REMIT_PUBLIC_URL;
  const registers = mayRegister(connection, options, publicUrl);
  for (const name of unknownEvents(options.events))
    context.say(`remit: remit knows no event called ${name}: it may never come`);
  const opened = await openInboxFor(context, options.store);
  const { inbox, where } = opened;
  await holdInbox(inbox, context.process.pid, where);
  const watch = options.admin && (await import('./watched.ts')).watchListener;
  const admin = options.admin && (await watch?.(context, options.admin, opened));
  const ending = endSignal(context, options.count);
  const teller = createTeller(context, { counted: ending.counted, gone: () => ending.end('reader_gone') });
  const books = options.books ? await booksFed(context, teller, inbox) : undefined;
  const probe = publicUrl === undefined ? undefined : await watchPublicUrl(context, publicUrl, inbox);
  const tell = toldPrograms(context, options.on);
  const need = newNeeds(context.clock);
  const onKept: ListenerOptions['onKept'] = (received) => {
    books?.add(received);
    tell(() => need(received));
  };
  const wiring = { inbox, teller, publicUrl, onProbe: probe?.answer, onKept, onCounted: admin?.onCounted };
  const listener = await prepareListener(context, options, wiring);
  const undo: (() => unknown)[] = [() => books?.end(), () => listener.close(drainMsOf(options))];
  let isReady = false;
  const failures = await inTheEnd(undo, async () => {
    const { url, port } = await listener.listen(options.port, options.host);
    const registered = publicUrl ?? `${url}${options.path ?? '/'}`;
    if (registers) listener.verifyFor(registered);
    const status = statusOf(listener, context.process.clock.now());
    const session: Session = { context, options, inbox, listener, teller, registered, status, admin };
    const own = registers ? await registerAt(context, registered, options) : undefined;
    if (own) undo.unshift(own.remove);
    const webhook = own?.endpoint;
    const facts = { url, port, registered: webhook?.url ?? null, webhook: webhook?.id ?? null };
    const about = {
      ...facts,
      public_url: publicUrl ?? null,
      forward_to: options.forwardTo ?? null,
      inbox: where,
    };
    if (options.readyFile !== undefined) {
      const path = resolve(context.process.cwd, options.readyFile);
      undo.push(() => rm(path, { force: true }));
      writeReadyFile(path, { ...about, pid: context.process.pid });
    }
    teller.ready(about, connection.name);
    isReady = true;
    listener.start();
    admin?.started(status, listener);
    undo.push(startStatusLine(context, status), watchBacklog(session));
    const whenReached = (): void => void compare(session);
    if (probe) undo.push(probe.start(status, whenReached));
    if (options.catchUp) await compare(session);
    await books?.catchUp();
    await ending.promise;
    admin?.drain();
    if (listener.busy > 0)
      context.note(`waiting for ${listener.busy} that are being handed on; Ctrl-C again ends at once`);
  });
  const [failure] = failures;
  const { waiting } = await inbox.backlog().catch(() => ({ waiting: null }));
  if (isReady) teller.stopped({ reason: ending.reason(), ...listener.counts, waiting });
  tell(() => [{ event: 'ended', of: 'listener', ending: ending.reason() }]);
  if (failure !== undefined) throw failure;
  return { done: true, exit: exitCodes.ok };
}

/** The books, fed with what the listener receives and, by `catchUp`, with what came before. They stop no delivery. */
async function booksFed(context: Context, teller: Teller, inbox: Inbox) {
  const troubled = (message: string): void => teller.trouble(notInBooks(message));
  const books = await (await context.ports.books?.())?.listeningBooks(context, troubled);
  const from: DeliveredSince = (since, concerns) => deliveredSince(inbox, since, concerns);
  return (
    books && {
      ...books,
      catchUp: () => books.catchUp(from).catch((error: unknown) => troubled(problemOf(error).message)),
    }
  );
}

const notInBooks = (message: string): string =>
  `the books were not brought up to date: ${message}. Deliveries are kept and answered as before; the next remit books sync finds what is missing`;

/** Every step is undone, the latest first, whatever happens. What went wrong, the first of it first. */
async function inTheEnd(undo: readonly (() => unknown)[], work: () => Promise<void>): Promise<unknown[]> {
  const failures: unknown[] = [];
  await work().catch((error) => failures.push(error));
  for (const step of [...undo].reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

const statusOf = (listener: Listener, now: number): Status => ({
  counts: listener.counts,
  backlog: { waiting: 0, deadLetters: 0 },
  probed: null,
  probedSince: now,
  startedAt: now,
});

/**
 * Returns the time to wait at the end: as long as one attempt may take, since an attempt that was begun is
 * not begun again.
 */
const drainMsOf = ({ program, programMs }: ListenOptions): number =>
  program === undefined ? DRAIN_MS : programMs + 1_000;

function mayRegister(
  { environment }: Connection,
  { register }: ListenOptions,
  publicUrl: string | undefined,
): boolean {
  const registers = register ?? environment === 'sandbox';
  if (environment === 'production' && publicUrl === undefined) {
    throw usage(
      'in production a signature is verified for the registered URL, and none was given',
      'give the URL of your tunnel or proxy: --public-url https://…',
    );
  }
  return registers;
}

const registerAt = (context: Context, url: string, options: ListenOptions) =>
  registerOwn(context, context.confirmer, { url, events: eventsToRegister(options) });

const eventsToRegister = ({ events }: ListenOptions): string[] =>
  events.length > 0 ? events : [...eventNames];

async function holdInbox(inbox: Inbox, pid: number, where: string): Promise<void> {
  const hold = await inbox.hold(`process ${pid}`);
  if (hold.held) return;
  throw configProblem(
    'inbox_in_use',
    `another listener uses this inbox: ${hold.by} (${where})`,
    'stop that one, or give this one an inbox of its own: --store FILE; several share one in a PostgreSQL: --store postgres://…',
  );
}

/** A log that cannot be read now is no reason not to listen. */
async function compare({ context, options, admin, ...session }: Session): Promise<void> {
  const { inbox, listener, teller, registered } = session;
  try {
    const wanted = await wantedBy(context, options);
    const handsOn = options.forwardTo !== undefined || options.program !== undefined || teller.isStream;
    const { gap } = await catchUp(context, {
      inbox,
      publicUrl: registered,
      wanted: (delivery) => handsOn && wanted(delivery),
    });
    if (gap) teller.gap(gap, gapSentence(gap));
    admin?.recovered(gap?.recovered ?? 0);
    listener.wake();
  } catch (error) {
    if (context.process.interrupt.aborted) return;
    teller.trouble(
      `the log could not be read, so it is not known what was missed: ${problemOf(error).message}; later: remit webhooks backfill`,
    );
  }
}

function watchBacklog({ inbox, status }: Session): () => void {
  const look = (): void => {
    inbox.backlog().then(
      (backlog) => {
        status.backlog = backlog;
      },
      () => undefined,
    );
  };
  look();
  const handle = setInterval(look, BACKLOG_EVERY_MS);
  return () => clearInterval(handle);
}
