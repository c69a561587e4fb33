/** Writes a file that only this user can read, and never over another. */
import { usage } from '../../core/problem.ts';
import type { Process } from '../process.ts';

/** @throws Problem (usage) where there is one of this name */
export async function writePrivateFile(
  { cwd }: Process,
  path: string,
  text: string | AsyncIterable<string>,
): Promise<void> {
  const [{ writeFile }, { resolve }] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  try {
    await writeFile(resolve(cwd, path), text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw usage(`${path} is there already`, 'choose another name, or remove it');
    throw error;
  }
}
