/** Which key of this machine signs. */
import type { Env } from '../../core/env.ts';
import { notFound, usage } from '../../core/problem.ts';
import type { Signer } from '../../desk/payruns/sign.ts';
import { type OwnApprover, ownApprovers, privateKeyOf } from '../../profiles/approver-store.ts';
import type { Context } from '../context.ts';
import { passphraseFor } from './passphrase.ts';

/** The one that is named, or the only one. @throws Problem (not found, usage) */
export function chooseApprover(env: Env, name: string | undefined): OwnApprover {
  const [only, ...others] = ownApprovers(env).filter((one) => name === undefined || one.name === name);
  if (only === undefined)
    throw notFound(
      `there is no approver ${name === undefined ? '' : `"${name}" `}on this machine`,
      'remit approver list says which there are; remit approver create NAME makes one',
    );
  if (others.length > 0)
    throw usage(
      `there are several approvers on this machine: ${[only, ...others].map((one) => one.name).join(', ')}`,
      'say who you are, such as --as grace with remit batch approve',
    );
  return only;
}

/** Undefined where this machine has no key, and none is named. Its passphrase is asked for when something is signed. */
export function signerOf(context: Context, name: string | undefined): Signer | undefined {
  const { env } = context.world;
  if (name === undefined && ownApprovers(env).length === 0) return undefined;
  const chosen = chooseApprover(env, name);
  const ask = () => passphraseFor(context, `Passphrase for the key of ${chosen.name}`);
  return { name: chosen.name, key: chosen.key, privateKey: () => privateKeyOf(env, chosen.name, ask) };
}
