/** The programs of docs/library.md, by their names. */
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
export const examples = new Map(
  [...page.matchAll(/```ts\n\/\/ (\w+)\.ts\n(.*?)```/gs)].map(([, name = '', text = '']) => [name, text]),
);
