/** docs/watching.md lists the events of `--log json` as the table in the code has them: npm run docs writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logTable } from '../support/log-lines.ts';
import { ROOT } from '../support/source-tree.ts';

const page = join(ROOT, 'docs/watching.md');
const BLOCK = /(<!-- log: npm run docs -->\n)(.*?)(\n\n<!-- end of log -->)/s;

it('docs/watching.md has each event with its level and its members', () => {
  const made = logTable();
  const text = readFileSync(page, 'utf8');
  if (process.env.REMIT_WRITE_DOCS)
    writeFileSync(
      page,
      text.replace(BLOCK, (_, open, __, close) => `${open}${made}${close}`),
    );
  expect(BLOCK.exec(readFileSync(page, 'utf8'))?.[2]).toBe(made);
});
