/** The folder of this project, and what the programs that build from it read and say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;
export const read = (path) => readFileSync(join(root, path), 'utf8');
export const json = (path) => JSON.parse(read(path));
export const say = (line) => process.stdout.write(`${line}\n`);
