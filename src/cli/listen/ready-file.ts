/** The file that says where a listener listens, for whoever started it and waits. Whole or not there at all. */
import { replaceOwnFile } from '../../files/own-file.ts';

export function writeReadyFile(path: string, facts: Record<string, unknown>): void {
  replaceOwnFile(path, `${JSON.stringify(facts)}\n`, `${path}.${facts.pid}.tmp`);
}
