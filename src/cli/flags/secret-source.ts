/** Where a secret comes from: a prompt, standard input, a file or the environment, never an argument, which others see. */
import { usage } from '../../core/problem.ts';
import type { SecretFrom } from '../ask/sign-in.ts';
import { flagOn, flagText, type Input } from './flag.ts';

export const keyFlags = [
  { flags: '--key <key>', summary: 'the API key' },
  { flags: '--secret-stdin', summary: 'read the secret from standard input' },
  { flags: '--secret-file <path>', summary: 'read the secret from a file' },
  { flags: '--secret-env <name>', summary: 'read the secret from this environment variable' },
] as const;

/** @throws Problem (usage) where there are several */
export function readSecretFrom(input: Input): SecretFrom {
  const path = flagText(input, 'secretFile');
  const name = flagText(input, 'secretEnv');
  const sources: SecretFrom[] = [
    ...(flagOn(input, 'secretStdin') ? [{ kind: 'stdin' } as const] : []),
    ...(path === undefined ? [] : [{ kind: 'file', path } as const]),
    ...(name === undefined ? [] : [{ kind: 'env', name } as const]),
  ];
  if (sources.length > 1) throw usage('the secret is given in more than one way');
  return sources[0] ?? { kind: 'ask' };
}
