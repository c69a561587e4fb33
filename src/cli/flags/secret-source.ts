/** Where a secret comes from: a prompt, standard input, a file or the environment, never an argument, which others see. */
import { usage } from '../../core/problem.ts';
import type { SecretFrom } from '../ask/sign-in.ts';
import { flags, type Input } from './flag.ts';

export const keyFlags = flags({
  key: { value: 'key', summary: 'the API key' },
  secretStdin: { summary: 'read the secret from standard input' },
  secretFile: { value: 'path', summary: 'read the secret from a file' },
  secretEnv: { value: 'name', summary: 'read the secret from this environment variable' },
});

/** @throws Problem (usage) where there are several */
export function readSecretFrom(input: Input<typeof keyFlags>): SecretFrom {
  const path = input.flags.secretFile;
  const name = input.flags.secretEnv;
  const sources: SecretFrom[] = [
    ...(input.flags.secretStdin ? [{ kind: 'stdin' } as const] : []),
    ...(path === undefined ? [] : [{ kind: 'file', path } as const]),
    ...(name === undefined ? [] : [{ kind: 'env', name } as const]),
  ];
  if (sources.length > 1) throw usage('the secret is given in more than one way');
  return sources[0] ?? { kind: 'ask' };
}
