/** Makes the listener of `webhooks listen` from its flags, with who hears what it does. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import { problemOf } from '../../desk/problem-of.ts';
import { createListener, type Listener, type ListenerOptions } from '../../desk/webhooks/listener.ts';
import type { OpenedInbox } from '../../desk/webhooks/open-inbox.ts';
import { acceptedSecrets, examinerFor } from '../../desk/webhooks/secrets.ts';
import { wantedBy } from '../../desk/webhooks/wanted.ts';
import { allowedFrom } from '../../intake/address.ts';
import type { Context } from '../context.ts';
import { deliveryLog } from '../log/deliveries.ts';
import type { ListenOptions } from './listen-flags.ts';
import { targetFor } from './targets.ts';
import type { Teller } from './teller.ts';

interface Wiring {
  inbox: OpenedInbox['inbox'];
  teller: Teller;
  publicUrl: string | undefined;
  onProbe: ((token: string) => string | null) | undefined;
  onKept: ListenerOptions['onKept'];
  onCounted: ListenerOptions['onCounted'];
}

/** @throws Problem (usage) */
export async function prepare(
  context: Context,
  options: ListenOptions,
  { inbox, teller, ...wiring }: Wiring,
): Promise<Listener> {
  const { world } = context;
  const log = world.log && deliveryLog(world.log);
  const read = (path: string) => readFile(resolve(world.cwd, path), 'utf8');
  const secrets = await acceptedSecrets(context, options);
  const tls = options.tls && { cert: await read(options.tls.cert), key: await read(options.tls.key) };
  return createListener({
    ...(await targetFor(context, options, teller)),
    clock: world.clock,
    random: world.random,
    owner: `${hostname()} ${world.pid} ${world.newId()}`,
    ...wiring,
    inbox,
    secrets,
    wanted: await wantedBy(context, options),
    path: options.path,
    tls,
    allows: rangesIn(options.allowFrom),
    trustProxy: options.trustProxy,
    maxBytes: options.maxBytes,
    examine: await examinerFor(context, secrets, wiring.publicUrl),
    onTakenIn: log?.onTakenIn,
    onTried: log?.onTried,
    onTold(told) {
      if (told.signature === 'invalid') log?.refused(told);
      teller.event(told);
    },
    onEnded: (told) => teller.ended(told),
    onError(error) {
      const { message } = problemOf(error);
      if (log && (error as Error).name === 'StoreError') log.storeLost(message);
      else teller.trouble(message);
    },
  });
}

function rangesIn(ranges: readonly string[]): ReturnType<typeof allowedFrom> {
  try {
    return allowedFrom(ranges);
  } catch (error) {
    throw usage(`--allow-from: ${(error as Error).message}`);
  }
}
