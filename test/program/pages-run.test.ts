/** Every line of the README and of the pages for its readers is run, in one sandbox. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBench } from '../support/cli.ts';
import { signIn, writeExampleFiles } from '../support/example-files.ts';
import { runHere } from '../support/examples.ts';
import { linesOf } from '../support/shell.ts';

describe('the README and the pages for its readers, line by line, in one sandbox', () => {
  const textOf = (page: string): string =>
    readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
      // It needs days of its own: test/books/finance-month.test.ts.
      .replace(/^## A month$.*?^## /ms, '## ');
  const blocksOf = (page: string, language: string): string[] =>
    [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
      ([, block = '']) => block,
    );

  const PAGES = [
    'README.md',
    ...['support', 'finance', 'developers', 'settings', 'reconcile'].map((name) => `docs/${name}.md`),
  ];

  /** What does not end with 0, and says so. */
  const ends: readonly (readonly [RegExp, number, RegExp])[] = [
    // An earlier page gave the profile a reports URL, which goes with no service on this machine.
    [/^remit profiles rotate live /, 78, /the reports URL is not/],
    [/^remit tx fund wages-1/, 1, /received/],
    [/^remit tx cancel wages-1/, 1, /paid/],
    [/^remit webhooks events --state dead_letter/, 0, /^$/],
    [/^remit webhooks test-handler/, 75, /./],
    [/^remit recipient cancel wages-5/, 8, /./],
    [/^remit reconcile ledger\.csv --month/, 0, /Nothing is left/],
    [/^remit reconcile/, 10, /to look at/],
    [/^remit (?:recipient triage|history settle --all)/, 0, /^/],
  ];

  /** What the pages take for granted: payments that the bank refused, and one that is with the bank. */
  const payment = (id: string, account: string): string[] => [
    `remit tx create --from wages-1 --external-id ${id} --detail bank_account=${account}`,
    `remit tx fund ${id}`,
  ];
  const taken = [
    ...payment('wages-4', '0123456719'),
    ...payment('wages-5', '0123456701'),
    ...payment('wages-6', '0123456719'),
  ];

  it('does what it says', async () => {
    const bench = await createBench();
    writeExampleFiles(bench.dir);
    writeFileSync(join(bench.dir, 'payment.yaml'), blocksOf('docs/developers.md', 'yaml')[0] ?? '');
    const recipient = async (): Promise<string> =>
      (await bench.run(['recipient', 'list', '-o', 'json', '--query', '[0].id'])).stdout.trim();
    const journal = async (): Promise<string> =>
      (await bench.run(['history', '-o', 'json', '--query', '[0].id'])).stdout.trim();
    const wrong: string[] = [];
    const run = async (line: string): Promise<void> => {
      const typed = line.replace('RECIPIENT_ID', await recipient()).replace(/\bID$/, await journal());
      const { code, stdout, stderr } = await runHere(bench, typed);
      const [, expected, said] = ends.find(([pattern]) => pattern.test(line)) ?? [line, 0, /./];
      if (code !== expected || !said.test(stderr + stdout)) wrong.push(`${line}: ${code} ${stderr}`);
    };
    await signIn(bench);
    for (const page of PAGES) {
      if (page === 'docs/support.md') for (const line of taken) await run(line);
      for (const line of blocksOf(page, 'sh').flatMap(linesOf)) await run(line);
    }
    expect(wrong).toEqual([]);
    await bench.close();
  });
});
