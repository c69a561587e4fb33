/**
 * A statement is the text that an approver signs: it names the run, its account, its whole digest, what is
 * said of it, until when, by whom, and which of the same approver's statements it takes the place of. A
 * signature over it proves nothing of another run, account or digest.
 */
import { hash, type KeyObject, sign, verify } from 'node:crypto';
import { publicKeyOf } from '../profiles/approver-key.ts';
import { planDigest, planOf } from './plan-text.ts';
import type { PayRun, SignedVerdict } from './store/port.ts';

/** The first line of the text: a text of another kind or version never reads as one of these. */
const VERSION = 'remit pay run statement 1';

/** The members of a run that are signed. */
export interface SignedRun {
  id: string;
  name: string;
  baseUrl: string;
  /** A hash of the key that planned it. */
  planner: string;
  /** All 64 digits. */
  digest: string;
}

/** The digest is made again from the plan: the one that is kept beside it may be anything. */
export function signedRunOf(run: PayRun): SignedRun {
  const plan = planOf(run);
  const { baseUrl } = run.account;
  const { id, name } = run;
  return { id, name, baseUrl, planner: plan.planner ?? '', digest: planDigest(plan, baseUrl, name) };
}

export type Unsigned = Omit<SignedVerdict, 'signature'>;

export function statementText(run: SignedRun, said: Unsigned): string {
  const { approver, key, verdict, because = null, until = null, at, replaces } = said;
  const { id, name, baseUrl, planner, digest } = run;
  const what = [id, name, baseUrl, planner, digest, verdict, because, until, approver, key, at, replaces];
  return `${VERSION}\n${JSON.stringify(what)}\n`;
}

export function signStatement(run: SignedRun, said: Unsigned, key: KeyObject): SignedVerdict {
  return { ...said, signature: sign(null, Buffer.from(statementText(run, said)), key).toString('base64') };
}

/** False for whatever stands in the store that this approver did not sign, of this run. */
export function isSigned(run: SignedRun, { signature, ...said }: SignedVerdict): boolean {
  try {
    const text = Buffer.from(statementText(run, said));
    return verify(null, text, publicKeyOf(said.key), Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** By which a later statement of the same approver names the one that it takes the place of. */
export const printOfStatement = ({ signature }: SignedVerdict): string =>
  hash('sha256', Buffer.from(signature, 'base64'), 'hex');
