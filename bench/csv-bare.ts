/** `csv-bare.mjs FILE`: the same file read into objects by csv-parse, and nothing done with them. */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

let rows = 0;
for await (const _ of createReadStream(process.argv[2] ?? '').pipe(parse({ columns: true }))) rows++;
process.stdout.write(`${rows}\n`);
