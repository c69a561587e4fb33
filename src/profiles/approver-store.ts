/**
 * Keys with which runs are approved on this machine. A file for each approver in the folder `approvers` beside the settings has the public
 * key; the private one is in the keychain of the system, or sealed with a passphrase in the same file (0600). None is ever written over.
 *
 * If the process dies
 *   before the keychain has it   nothing was kept.
 *   after that                   the keychain has an entry that no file names: it is under the key's fingerprint, so nothing meets it.
 *   after the file is made       the approver is there.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { configProblem, notFound, type Problem, usage } from '../core/problem.ts';
import { makeOwnFile, readOwnFile } from '../disk/own-file.ts';
import { type ApproverKey, fingerprintOf, isApproverName, rawKeyOf } from './approver-key.ts';
import { keepInKeychain, readInKeychain } from './keychain.ts';
import { configDir } from './paths.ts';
import { COSTS, seal, unseal } from './sealed.ts';
import { openOwnFolder, refuseOpenFolder } from './trust.ts';

const SERVICE = 'remit-cli approver';
const ENDING = '.json';

const sealed = z.object({
  cost: z.number().check(z.int(), z.gte(COSTS.least), z.lte(COSTS.most)),
  salt: z.string(),
  iv: z.string(),
  tag: z.string(),
  text: z.string(),
});
const kept = z.object({
  version: z.literal(1),
  name: z.string().check(z.refine(isApproverName)),
  algorithm: z.literal('ed25519'),
  public_key: z.string(),
  /** Sealed with a passphrase; absent where the keychain has it. */
  private_key: z.optional(sealed),
});

/** An approver of this machine: where the private key is, and not the key. */
export interface OwnApprover extends ApproverKey {
  keptIn: 'keychain' | 'file';
}

const approversDir = (env: Env): string => join(configDir(env), 'approvers');
const pathOf = (env: Env, name: string): string => join(approversDir(env), `${name}${ENDING}`);

/** By name. @throws Problem (config), StoreError */
export function ownApprovers(env: Env): OwnApprover[] {
  const folder = approversDir(env);
  refuseOpenFolder(configDir(env));
  if (!existsSync(folder)) return [];
  refuseOpenFolder(folder);
  return readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .sort()
    .map((file) => readApprover(env, file.slice(0, -ENDING.length)).approver);
}

/** @throws Problem (not found, config), StoreError */
function readApprover(env: Env, name: string): { approver: OwnApprover; file: z.infer<typeof kept> } {
  const path = pathOf(env, name);
  const text = readOwnFile(path);
  if (text === undefined) throw noApprover(name);
  const read = kept.safeParse(parsed(text));
  if (!read.success || read.data.name !== name)
    throw configProblem(
      'approver_broken',
      `${path} is no approver's key any more`,
      'mend it, or move it away',
      {
        file: path,
      },
    );
  const { public_key: key, private_key: own } = read.data;
  return { approver: { name, key, keptIn: own === undefined ? 'keychain' : 'file' }, file: read.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws Problem (usage) for a name that cannot be one, or that is taken */
export function refuseApproverName(env: Env, name: string): void {
  if (!isApproverName(name))
    throw usage(
      `"${name}" cannot be an approver's name`,
      'letters, digits, points and dashes, such as grace',
    );
  const taken = ownApprovers(env).find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (taken !== undefined) throw isTaken(taken.name);
}

const isTaken = (name: string): Problem =>
  usage(
    `there is an approver "${name}" on this machine, and a key is never written over`,
    'take another name',
  );

const noApprover = (name: string): Problem =>
  notFound(
    `there is no approver "${name}" on this machine`,
    hint`${{ do: 'list_approvers' }} says which there are`,
  );

/**
 * A new key. In the keychain where there is one; else `passphrase` is asked for, and the key is in a file.
 * @throws Problem (usage) where the name is taken
 */
export async function createApprover(
  env: Env,
  name: string,
  { inFile, passphrase }: { inFile: boolean; passphrase: () => Promise<string> },
): Promise<OwnApprover> {
  refuseApproverName(env, name);
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = rawKeyOf(privateKey);
  const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const isInKeychain =
    !inFile && (await keepInKeychain(env, { service: SERVICE, entry: fingerprintOf(key) }, secret));
  const file: z.infer<typeof kept> = {
    version: 1,
    name,
    algorithm: 'ed25519',
    public_key: key,
    ...(isInKeychain ? {} : { private_key: await seal(secret, await passphrase()) }),
  };
  openOwnFolder(configDir(env));
  openOwnFolder(approversDir(env));
  if (!makeOwnFile(pathOf(env, name), Buffer.from(`${JSON.stringify(file, null, 2)}\n`))) throw isTaken(name);
  return { name, key, keptIn: isInKeychain ? 'keychain' : 'file' };
}

/** The private key, for one signature. @throws Problem (config) where it cannot be had, or is of another public key */
export async function privateKeyOf(
  env: Env,
  name: string,
  passphrase: () => Promise<string>,
): Promise<KeyObject> {
  const { approver, file } = readApprover(env, name);
  const { private_key: own } = file;
  const secret =
    own === undefined
      ? await readInKeychain(env, { service: SERVICE, entry: fingerprintOf(approver.key) })
      : await unseal(own, await passphrase());
  if (secret === undefined)
    throw own === undefined
      ? configProblem('approver_key_missing', `the key of approver "${name}" is not in the keychain`)
      : configProblem(
          'wrong_passphrase',
          `this is not the passphrase of approver "${name}", or its file was changed`,
          'nothing was signed: try again with the right one',
        );
  const key = createPrivateKey(secret);
  if (rawKeyOf(key) !== approver.key)
    throw configProblem(
      'approver_broken',
      `the public key of approver "${name}" was changed: ${pathOf(env, name)}`,
      'nothing was signed: make a new approver',
    );
  return key;
}
