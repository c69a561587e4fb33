/** Approvers with machines of their own, and a profile that pays what they signed. */
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { approverLine, fingerprintOf, rawKeyOf } from '../../src/profiles/approver-key.ts';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { shownDigest } from '../../src/profiles/digest.ts';
import { COSTS, seal } from '../../src/profiles/sealed.ts';
import { type Bench, baseUrl, controlToken, credentials, type Run } from './cli.ts';

const PASSPHRASE = 'made-up words for a test';

export interface Machine {
  /** The settings folder. */
  dir: string;
  env: Record<string, string | undefined>;
  run(argv: string | readonly string[]): Promise<Run>;
}

/** A machine with the same store of pay runs, and settings of its own. */
export function machineOf(bench: Bench, name: string, store = join(bench.dir, 'remit.db')): Machine {
  const dir = join(bench.dir, `of-${name}`);
  mkdirSync(dir, { mode: 0o700, recursive: true });
  keepControlToken({ REMIT_CONFIG_DIR: dir }, baseUrl, controlToken);
  const env = {
    USER: name,
    REMIT_CONFIG_DIR: dir,
    REMIT_STORE: store,
    REMIT_APPROVER_PASSPHRASE_FILE: passphraseFile(bench.dir),
  };
  return { dir, env, run: (argv) => bench.run(argv, { env }) };
}

export function passphraseFile(dir: string, text = PASSPHRASE, mode = 0o600): string {
  const path = join(dir, `passphrase-${mode.toString(8)}-${text.length}.txt`);
  writeFileSync(path, `${text}\n`);
  chmodSync(path, mode);
  return path;
}

export interface MadeApprover extends Machine {
  name: string;
  /** What goes into the file of approvers. */
  line: string;
  fingerprint: string;
}

/** As `remit approver create` makes it, but sealed at the least cost: the usual one takes a second each time it is opened. */
export async function approverOn(machine: Machine, name: string): Promise<MadeApprover> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = rawKeyOf(privateKey);
  const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const file = {
    version: 1,
    name,
    algorithm: 'ed25519',
    public_key: key,
    private_key: await seal(secret, PASSPHRASE, COSTS.least),
  };
  const folder = join(machine.dir, 'approvers');
  mkdirSync(folder, { mode: 0o700, recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(file), { mode: 0o600 });
  return {
    ...machine,
    name,
    line: `${approverLine({ name, key })}\n`,
    fingerprint: shownDigest(fingerprintOf(key)),
  };
}

/** The account is the profile's. */
export const asProfile = (name: string) => ({
  REMIT_BASE_URL: undefined,
  REMIT_API_KEY: undefined,
  REMIT_API_SECRET: undefined,
  REMIT_PROFILE: name,
});

export async function signIn(bench: Bench, name: string, ...more: string[]): Promise<void> {
  const { code, stderr } = await bench.run(
    ['login', '--profile', name, '--base-url', baseUrl, '--environment', 'sandbox', '--key', credentials.key]
      .concat(['--secret-stdin', '--no-check'])
      .concat(more),
    { stdin: credentials.secret, env: asProfile(name) },
  );
  expect(code, stderr).toBe(0);
}

/** `remit profiles set acme approvers=…`, with the fingerprints of those who are `told`. */
export function setApprovers(
  bench: Bench,
  approvers: readonly MadeApprover[],
  { needed, told = approvers }: { needed?: number; told?: readonly MadeApprover[] } = {},
): Promise<Run> {
  const file = join(bench.dir, 'approvers.txt');
  writeFileSync(file, `# who may approve\n${approvers.map(({ line }) => line).join('')}`);
  const prints = told.flatMap(({ fingerprint }) => ['--fingerprint', fingerprint]);
  const number = needed === undefined ? [] : [`approvals_needed=${needed}`];
  return bench.run(
    ['profiles', 'set', 'acme', 'approvers=approvers.txt', ...number, ...prints, '-o', 'json'],
    {
      env: asProfile('acme'),
    },
  );
}
