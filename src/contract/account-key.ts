/** A key as it is written down: what tells it from any other, and nothing by which it can be used. */
import { createHash } from 'node:crypto';
import { type AccountKey, type Key, keyLast4 } from '../core/account.ts';

/** 128 bits of a hash of the whole key. */
export const keyFingerprint = (key: string): string =>
  createHash('sha256').update(`key ${key}`).digest('hex').slice(0, 32);

export const knownKey = (key: string): Key => ({
  keyLast4: keyLast4(key),
  keyPrint: keyFingerprint(key),
});

export const accountWith = (baseUrl: string, key: string): AccountKey & Key => ({
  baseUrl,
  ...knownKey(key),
});
