/**
 * A secret under a passphrase: scrypt makes a key of it, AES-256-GCM seals and tells whether the passphrase was right. The passphrase
 * encryption that OpenSSL has for PKCS#8 takes 2048 rounds of PBKDF2, which a holder of the file tries a thousand times as fast.
 */
import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** Texts are in base64. */
export interface Sealed {
  /** Rounds, as a power of two: a later version may take more. */
  cost: number;
  salt: string;
  iv: string;
  tag: string;
  text: string;
}

const CIPHER = 'aes-256-gcm';
/** Some 128 MB and half a second a try. */
const COST = 17;
export const COSTS = { least: 10, most: 20 };
const MB = 2 ** 20;

function keyFrom(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: 8, p: 1, maxmem: 2 ** (cost - 10) * MB + 64 * MB };
  return scryptKey(passphrase.normalize('NFC'), salt, 32, options);
}

const scryptKey: (text: string, salt: Buffer, bytes: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt);

export async function seal(text: string, passphrase: string, cost = COST): Promise<Sealed> {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, await keyFrom(passphrase, salt, cost), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const [a, b, c, d] = [salt, iv, cipher.getAuthTag(), sealed].map((bytes) => bytes.toString('base64'));
  return { cost, salt: a ?? '', iv: b ?? '', tag: c ?? '', text: d ?? '' };
}

/** Undefined where the passphrase is another, or the file was changed. */
export async function unseal(
  { cost, salt, iv, tag, text }: Sealed,
  passphrase: string,
): Promise<string | undefined> {
  const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
  const key = await keyFrom(passphrase, bytes(salt), cost);
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes(iv), { authTagLength: 16 });
    decipher.setAuthTag(bytes(tag));
    return Buffer.concat([decipher.update(bytes(text)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
