/**
 * Public keys of those who approve pay runs: the line that an approver hands out, a file of such lines, and the fingerprint by which
 * two people compare a key. Nothing here is secret.
 */
import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { hint } from '../core/next.ts';
import { configProblem, type Problem } from '../core/problem.ts';

const ALGORITHM = 'ed25519';
const KEY_BYTES = 32;

/** The person who approves, with one name and one key. */
export interface ApproverKey {
  name: string;
  /** The 32 bytes of an Ed25519 public key, in base64. */
  key: string;
}

/** It is a file's name too. */
export const isApproverName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);

/** SHA-256 of the raw key: 64 hexadecimal digits. */
export const fingerprintOf = (key: string): string => hash('sha256', Buffer.from(key, 'base64'), 'hex');

/** @throws Error where it is no key */
export function publicKeyOf(key: string): KeyObject {
  const x = Buffer.from(key, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** The raw bytes in base64, of a private key too. */
export function rawKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(
    key.type === 'private' ? { key: key.export(PEM), format: 'pem' } : key,
  ).export({
    format: 'jwk',
  });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}

const PEM = { format: 'pem', type: 'pkcs8' } as const;

/** The line that `approver export` prints, and a file of approvers has: `grace ed25519 BASE64`. */
export const approverLine = ({ name, key }: ApproverKey): string => `${name} ${ALGORITHM} ${key}`;

/** Reads a file of such lines; text behind a `#` is for people. @throws Problem (config) that names the line */
export function approversIn(text: string, file: string): ApproverKey[] {
  const found: (ApproverKey & { line: number })[] = [];
  for (const [index, whole] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const words = whole.replace(/#.*$/, '').trim().split(/\s+/);
    if (words[0] === '') continue;
    const line = index + 1;
    const refused = (why: string): Problem =>
      configProblem(
        'approvers_broken',
        `line ${line} of ${file} ${why}: nobody is taken from this file`,
        hint`each line is what ${{ do: 'export_approver', name: 'NAME' }} printed: NAME ed25519 KEY`,
        { file },
      );
    const one = approverIn(words);
    if (one === undefined) throw refused('is no public key of an approver');
    const same = found.find(({ name }) => name.toLowerCase() === one.name.toLowerCase());
    if (same !== undefined) throw refused(`names ${one.name} again, as line ${same.line} does`);
    const other = found.find(({ key }) => key === one.key);
    if (other !== undefined)
      throw refused(`has the key of ${other.name} (line ${other.line}) under another name`);
    found.push({ ...one, line });
  }
  return found.map(({ name, key }) => ({ name, key }));
}

function approverIn([name = '', algorithm, key = '', ...more]: readonly string[]): ApproverKey | undefined {
  const bytes = Buffer.from(key, 'base64');
  const isKey = bytes.length === KEY_BYTES && bytes.toString('base64') === key;
  return isApproverName(name) && algorithm === ALGORITHM && isKey && more.length === 0
    ? { name, key }
    : undefined;
}

/** A key of this machine. The private one is asked for once, after the last question. */
export interface Signer extends ApproverKey {
  privateKey(): Promise<KeyObject>;
}
