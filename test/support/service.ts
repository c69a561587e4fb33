/** A sandbox on loopback, a settings folder of its own, and what the built program needs to reach the one with the other. */
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { credentials } from './cli.ts';
import { temporaryHome } from './program.ts';

export interface Service {
  url: string;
  dir: string;
  env: Record<string, string>;
  close(): Promise<void>;
}

/** The three variables and the folder: whatever else is set on this machine does not count. */
export const variablesFor = ({ url }: Pick<Listening, 'url'>, dir: string): Record<string, string> => ({
  REMIT_BASE_URL: url,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
  REMIT_CONFIG_DIR: dir,
});

export async function startService(): Promise<Service> {
  const sandbox = await createSandbox({ credentials, seed: 3 });
  const listening = await listen(sandbox, { port: 0 });
  const home = temporaryHome();
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
