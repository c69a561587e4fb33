/**
 * A secret under a passphrase: scrypt makes a key of it, AES-256-GCM seals and tells whether the passphrase was right. The passphrase
 * encryption that OpenSSL has for PKCS#8 takes 2048 rounds of PBKDF2, which whoever has the file goes through a thousand times as fast.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

/** Each in base64. */
export interface Sealed {
  salt: string;
  iv: string;
  tag: string;
  text: string;
}

const CIPHER = 'aes-256-gcm';
/** Some 128 MB and half a second a try. They belong to version 1 of the file. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 2 ** 20 };

function keyFrom(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

export async function seal(text: string, passphrase: string): Promise<Sealed> {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, await keyFrom(passphrase, salt), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const [a, b, c, d] = [salt, iv, cipher.getAuthTag(), sealed].map((bytes) => bytes.toString('base64'));
  return { salt: a ?? '', iv: b ?? '', tag: c ?? '', text: d ?? '' };
}

/** Undefined where the passphrase is another, or the file was changed. */
export async function unseal(
  { salt, iv, tag, text }: Sealed,
  passphrase: string,
): Promise<string | undefined> {
  const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
  const key = await keyFrom(passphrase, bytes(salt));
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes(iv), { authTagLength: 16 });
    decipher.setAuthTag(bytes(tag));
    return Buffer.concat([decipher.update(bytes(text)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
