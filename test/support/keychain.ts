/** A keychain of one's own: a real D-Bus, and on it the smallest Secret Service that remit's native module takes. Nobody's own keychain is touched. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVICE = fileURLToPath(new URL('secret-service.py', import.meta.url));
/** The system's own, which has the packages of the distribution. */
const PYTHON = '/usr/bin/python3';
const BUS = '/usr/bin/dbus-daemon';

const runs = (file: string, ...argv: string[]): boolean => spawnSync(file, argv).status === 0;

/** Linux, with what the stand-in is made of. */
export const isKeychainHere = (): boolean =>
  process.platform === 'linux' &&
  runs(PYTHON, '-c', 'import dbus; from gi.repository import GLib') &&
  runs(BUS, '--version') &&
  runs('openssl', 'version');

export interface Keychain {
  /** What a program needs to find it. */
  env: Record<string, string>;
  /** All that was in it is gone. */
  stop(): Promise<void>;
}

export async function startKeychain(): Promise<Keychain> {
  const bus = spawn(BUS, ['--session', '--nofork', '--nopidfile', '--print-address=1']);
  const DBUS_SESSION_BUS_ADDRESS = await firstLine(bus);
  const service = spawn(PYTHON, [SERVICE], { env: { ...process.env, DBUS_SESSION_BUS_ADDRESS } });
  await firstLine(service);
  return {
    env: { DBUS_SESSION_BUS_ADDRESS },
    async stop() {
      for (const one of [service, bus]) {
        const ended = once(one, 'close');
        one.kill('SIGKILL');
        await ended;
      }
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('its output is not heard');
  const [line] = await once(createInterface(stdout), 'line');
  return String(line);
}
