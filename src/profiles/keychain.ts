/** The operating system's keychain, through a native module that is loaded only here and given three seconds. */
import { once } from 'node:events';
import type { Env } from '../core/env.ts';

const WAIT_MS = 3_000;

export interface KeychainPlace {
  /** The name of the program that it belongs to, in the keychain's own list. */
  service: string;
  entry: string;
}

interface KeychainEntry {
  setPassword(secret: string, signal?: AbortSignal): Promise<void>;
  getPassword(signal?: AbortSignal): Promise<string | undefined>;
  deletePassword(signal?: AbortSignal): Promise<unknown>;
}

/** False where there is no keychain, or it refuses. */
export const keepInKeychain = async (env: Env, place: KeychainPlace, secret: string): Promise<boolean> =>
  (await inKeychain(env, place, (entry) => entry.setPassword(secret))) !== undefined;

export async function readInKeychain(env: Env, place: KeychainPlace): Promise<string | undefined> {
  const secret = await inKeychain(env, place, (entry) => entry.getPassword());
  return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

export async function forgetInKeychain(env: Env, place: KeychainPlace): Promise<void> {
  await inKeychain(env, place, (entry) => entry.deletePassword());
}

/** Undefined when there is no keychain, it refuses, or it does not answer in time. */
async function inKeychain<T>(
  env: Env,
  { service, entry }: KeychainPlace,
  use: (entry: KeychainEntry) => Promise<T>,
): Promise<T | true | undefined> {
  if (env.REMIT_CONFIG_DIR !== undefined) return undefined; // a folder of one's own holds everything
  const limit = AbortSignal.timeout(WAIT_MS);
  const late = once(limit, 'abort').then(() => undefined);
  const work = (async () => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return (await use(new AsyncEntry(service, entry) as KeychainEntry)) ?? true;
  })().catch(() => undefined);
  return Promise.race([work, late]);
}
