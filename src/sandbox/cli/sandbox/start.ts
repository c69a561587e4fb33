/**
 * Serves the sandbox until Ctrl-C, and writes a profile for it: never the default where one exists, never over another
 * sandbox that runs, and taken away again on stop. One that was killed leaves its profile; the next start takes it over.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { SANDBOX_URL } from '../../../contract/base-url.ts';
import { isoTime } from '../../../core/clock.ts';
import { isLoopback } from '../../../core/hosts.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { logFlag } from '../../../frame/log/flag.ts';
import { formatInfo } from '../../../frame/terminal/format.ts';
import { ndjsonLine } from '../../../frame/terminal/formats.ts';
import { adminFlag, readAdmin, refuseLocalhost } from '../../../payments/cli/admin/flag.ts';
import { defineCommand, type OptionsOf } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import type { Result } from '../../../payments/cli/result.ts';
import { readyShape } from '../../../payments/shapes/machine.ts';
import { forgetControlToken, keepControlToken } from '../../../profiles/control-token.ts';
import { changeSettings, readSettings } from '../../../profiles/profiles.ts';
import type { Profile, Settings } from '../../../profiles/schema.ts';
import { forgetSecret, keepSecret } from '../../../profiles/secrets.ts';
import { isAlive } from '../../../profiles/worker.ts';
import { openSandboxData, overSandboxData } from '../../data.ts';

type StartOptions = OptionsOf<typeof command>;

const DEFAULT_PORT = new URL(SANDBOX_URL).port;

export const command = defineCommand({
  description:
    'Data is kept in memory and lost when the sandbox ends, unless --data names a file. It holds about a million payments, with --data too. Balances and rates are fixed (docs/sandbox.md). Time runs, and `remit sandbox clock advance` moves it.',
  flags: {
    port: {
      value: 'port',
      summary: `${DEFAULT_PORT} if you do not say, a free one where that is taken; 0 takes a free one`,
    },
    data: {
      value: 'file',
      summary:
        'keep everything in this file, key and secret included, and go on from there at the next start',
    },
    seed: {
      value: 'seed',
      summary: 'the same seed and the same requests give the same ids; for new data only',
    },
    clock: {
      value: 'mode',
      summary: 'running (the default), or standing: time moves only when told',
      choices: ['running', 'standing'],
    },
    host: {
      value: 'address',
      summary: 'listen on another address than 127.0.0.1; one beyond this machine needs --allow-remote',
    },
    allowRemote: {
      summary: 'let other machines in: whoever reaches the port and has the key can do what you can',
    },
    deliverTo: {
      value: 'host',
      summary: 'also deliver webhooks to this host; this machine is always allowed; repeat it',
      many: true,
    },
    ...adminFlag,
    ...logFlag,
  },
  local: 'write',
  exits: [exitCodes.interrupted],
  tells: [readyShape],
  examples: [
    'remit sandbox start',
    'remit sandbox start --data sandbox.db',
    'remit sandbox start --port 0 --seed 7 --clock standing -o json',
  ],
  read(input) {
    const port = input.flags.port ?? DEFAULT_PORT;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw usage(`--port ${port} is not a port`);
    const host = input.flags.host;
    refuseLocalhost('host', host);
    if (host !== undefined && !isLoopback(host) && !input.flags.allowRemote)
      throw usage(
        `--host ${host} opens the sandbox to other machines`,
        'add --allow-remote if you want that: whoever has the key can then use the service, and whoever has the token its controls',
      );
    return {
      host,
      port: Number(port),
      seed: input.flags.seed,
      standing: input.flags.clock === 'standing',
      deliverTo: input.flags.deliverTo,
      data: input.flags.data,
      admin: readAdmin(input),
    };
  },
  run: (context, options): Promise<Result> => serve(context, options),
});

async function serve(context: Context, options: StartOptions): Promise<Result> {
  const { process } = context;
  const [{ createSandbox }, { listen }, { createNetworkTransport }] = await Promise.all([
    import('../../sandbox.ts'),
    import('../../http/listen.ts'),
    import('../../../client/network-transport.ts'),
  ]);
  const controlToken = randomBytes(24).toString('hex');
  const data = options.data === undefined ? undefined : await openSandboxData(options.data, process.cwd);
  const network = await createNetworkTransport();
  const sandbox = await overSandboxData(options.data, () =>
    createSandbox({
      credentials: {
        key: `sandbox-${randomBytes(6).toString('hex')}`,
        secret: randomBytes(24).toString('hex'),
      },
      data,
      controlToken,
      clock: options.standing
        ? { mode: 'standing', start: process.clock.now(), machine: process.clock }
        : { mode: 'running', machine: process.clock },
      seed: options.seed ?? randomBytes(8).toString('hex'),
      transport: network.send,
      deliverTo: options.deliverTo,
    }),
  );
  const { credentials } = sandbox;
  const { host = '127.0.0.1' } = options;
  const listening = await openPort((port) => listen(sandbox, { port, host }), options.port);
  keepControlToken(process.env, listening.url, controlToken);
  const profile = await addProfile(context, listening.url, credentials);
  try {
    sayReady(context, {
      url: listening.url,
      profile: profile.name,
      is_default: profile.isDefault,
      key: credentials.key,
      clock: sandbox.clock.mode,
      ...(options.data === undefined ? {} : { data: options.data }),
    });
    if (!isLoopback(host)) sayOpen(context, host, listening.port);
    if (options.admin)
      await (await import('../../../payments/cli/admin/open.ts')).openAdmin(context, options.admin);
    if (!process.interrupt.aborted) await once(process.interrupt, 'abort');
  } finally {
    // The service first: settings that broke meanwhile must not keep it alive.
    await listening.close();
    await sandbox.close();
    data?.close();
    await network.close();
    forgetControlToken(process.env, listening.url, controlToken);
    await removeProfile(context, profile.name);
  }
  return { done: true, exit: exitCodes.ok };
}

function sayOpen(context: Context, host: string, port: number): void {
  for (const line of [
    `Open to other machines: ${host} port ${port}, in plain HTTP.`,
    'Whoever has the key and secret can create and fund, and read every sender;',
    'the control token opens the clock, the faults and the snapshots.',
  ])
    context.say(line);
}

async function openPort<T>(open: (port: number) => Promise<T>, port: number): Promise<T> {
  try {
    return await open(port);
  } catch (error) {
    const wasDefault = port === Number(DEFAULT_PORT);
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !wasDefault) throw error;
    return open(0);
  }
}

/** `local`, or `local-2` and so on where another sandbox runs under that name. */
function freeName({ profiles }: Settings): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'local' : `local-${count}`;
    const held = profiles[name];
    if (held === undefined || (held.sandbox !== undefined && !isAlive(held.sandbox.pid))) return name;
  }
}

async function addProfile(
  context: Context,
  baseUrl: string,
  credentials: { key: string; secret: string },
): Promise<{ name: string; isDefault: boolean }> {
  const { process } = context;
  let name = '';
  let isDefault = false;
  await changeSettings(process, (settings) => {
    name = freeName(settings);
    isDefault = settings.defaultProfile === undefined || settings.defaultProfile === name;
    const sandbox = { pid: process.pid, startedAt: isoTime(process.clock.now()) };
    const profile: Profile = {
      baseUrl,
      environment: 'sandbox',
      key: credentials.key,
      secretIn: 'file',
      sandbox,
    };
    return {
      ...settings,
      ...(isDefault ? { defaultProfile: name } : {}),
      profiles: { ...settings.profiles, [name]: profile },
    };
  });
  await keepSecret(process, name, credentials.secret, 'file');
  return { name, isDefault };
}

async function removeProfile({ process }: Context, name: string): Promise<void> {
  if (readSettings(process.env).profiles[name]?.sandbox?.pid !== process.pid) return;
  await changeSettings(process, ({ defaultProfile, profiles, ...kept }) => {
    const { [name]: _, ...rest } = profiles;
    return {
      ...kept,
      ...(defaultProfile === undefined || defaultProfile === name ? {} : { defaultProfile }),
      profiles: rest,
    };
  });
  await forgetSecret(process, name, 'file');
}

interface Ready {
  url: string;
  profile: string;
  is_default: boolean;
  key: string;
  clock: string;
  data?: string;
}

function sayReady(context: Context, ready: Ready): void {
  const { output } = context.globals;
  const { log } = context.process;
  const { url, profile, data: store = null } = ready;
  log?.event('ready', { of: 'sandbox', profile, url, registered: null, forward_to: null, store });
  if (formatInfo(output).isJson === true) {
    context.streams.out(ndjsonLine(readyShape, ready));
    return;
  }
  const flag = ready.is_default ? '' : ` --profile ${ready.profile}`;
  if (!context.streams.stdoutIsTerminal) context.streams.out(`${ready.url}\n`);
  if (log) return;
  for (const line of [
    `The sandbox runs at ${ready.url}, profile ${ready.profile}${ready.is_default ? ' (the default)' : ''}.`,
    ready.data === undefined
      ? 'Ctrl-C ends it, and its data is lost.'
      : `Ctrl-C ends it; ${ready.data} keeps all data, and --data ${ready.data} continues from there.`,
    'In another terminal:',
    `  remit balance${flag}`,
    `  remit tx create${flag}`,
    `  remit webhooks listen${flag}`,
    `  remit sandbox clock advance 61m${flag}`,
  ]) {
    context.say(line);
  }
}
