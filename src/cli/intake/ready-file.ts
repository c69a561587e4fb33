/** The file that says where a listener listens, for whoever started it and waits. Whole or not there at all. */
import { rename, writeFile } from 'node:fs/promises';

export async function writeReadyFile(path: string, facts: Record<string, unknown>): Promise<void> {
  const unfinished = `${path}.${facts.pid}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}
