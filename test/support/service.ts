/** A sandbox on loopback, a settings folder of its own, and what the built program needs to reach the one with the other. */
import { afterEach, beforeEach } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { controlToken, credentials, senderFlags } from './cli.ts';
import { runRemit, temporaryHome } from './program.ts';

export interface Service {
  url: string;
  dir: string;
  env: Record<string, string>;
  close(): Promise<void>;
}

/** The three variables and the folder: whatever else is set on this machine does not count. */
export const variablesFor = (
  { url }: Pick<Listening, 'url'>,
  dir: string,
  { key, secret } = credentials,
): Record<string, string> => ({
  REMIT_BASE_URL: url,
  REMIT_API_KEY: key,
  REMIT_API_SECRET: secret,
  REMIT_CONFIG_DIR: dir,
});

export async function startService(): Promise<Service> {
  const sandbox = await createSandbox({ credentials, seed: 3, controlToken });
  const listening = await listen(sandbox, { port: 0 });
  const home = temporaryHome();
  // As `sandbox start` does: without it, ages would be reckoned by the machine's clock.
  keepControlToken({ REMIT_CONFIG_DIR: home.dir }, listening.url, controlToken);
  return {
    url: listening.url,
    dir: home.dir,
    env: variablesFor(listening, home.dir),
    async close() {
      await listening.close();
      await sandbox.close();
      home.remove();
    },
  };
}

/** One for each test of a file, where the sender customer-1 is there. */
export function useService(): Service {
  const service = { env: {} } as Service;
  beforeEach(async () => {
    const { env, ...made } = await startService();
    Object.assign(service, made);
    Object.assign(service.env, env);
    await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
  });
  afterEach(() => service.close());
  return service;
}
