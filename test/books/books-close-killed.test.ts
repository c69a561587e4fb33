/** `remit books close` as a process that is killed at each of its steps: a month is never closed without its papers, and is closed in the end. */
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openBooksFile } from '../support/book-stores.ts';
import { baseUrl, credentials, payArgv, useBench } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { startRemit } from '../support/program.ts';

const bench = useBench({ sender: true });
const at = (name: string): string => join(bench.dir, name);
const env = (): Record<string, string> => ({
  ...{ REMIT_CONFIG_DIR: bench.dir, REMIT_BASE_URL: baseUrl, TZ: 'UTC' },
  ...{ REMIT_API_KEY: credentials.key, REMIT_API_SECRET: credentials.secret },
});
const argv = () => [
  'books',
  'close',
  '2026-01',
  '--with-open',
  '--ledger',
  at('ledger.csv'),
  '--folder',
  at('closed'),
];

beforeEach(async () => {
  await bench.run('books sync');
  for (const id of ['W-1', 'W-2', 'W-3']) await bench.run(payArgv('0123456700', '--external-id', id));
  await bench.run('sandbox clock set 2026-02-02T08:00:00Z');
  await bench.run('books sync');
  writeFileSync(at('ledger.csv'), 'reference,date,amount,currency\nW-1,2026-01-05,14.99,EUR\n');
});

/** Killed as soon as this is there. Whether it was killed: it may have been quicker. */
async function killedOnce(path: string): Promise<boolean> {
  const program = startRemit(argv(), env());
  let isOver = false;
  const ended = program.ended.finally(() => {
    isOver = true;
  });
  const isThere = () =>
    access(path).then(
      () => true,
      () => false,
    );
  while (!isOver && !(await isThere()));
  program.process.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
}

const closings = async () =>
  (await bench.run('books status -o json')).data<{ closed: { manifest: string }[] }>().closed;

it('at every step', async () => {
  const [file = ''] = readdirSync(bench.dir).filter((name) => /^remit-books-.*\.db$/.test(name));
  const database = await openBooksFile(at(file));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  copyFileSync(at(file), at('kept.db'));
  const papers = ['statement.csv', 'in-flight.csv', 'reconciliation.csv', 'open.csv', 'sources/1-ledger.csv'];
  const steps = ['', ...some(papers, 1), 'manifest.json'].map((name) => join(at('closed.part'), name));
  steps.push(at('closed'));
  let killed = 0;
  /* A process may be quicker than the look: it goes on until two were killed. */
  for (let turn = 0; turn < steps.length || killed < 2; turn++) {
    const step = steps[turn % steps.length] ?? '';
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(at(name), { force: true });
    copyFileSync(at('kept.db'), at(file));
    for (const name of ['closed', 'closed.part']) rmSync(at(name), { recursive: true, force: true });
    if (await killedOnce(step)) killed++;
    const [closing] = await closings();
    if (closing === undefined) {
      expect(existsSync(at('closed')), step).toBe(false);
      // The message says so, and whose it is.
      if (existsSync(at('closed.part'))) expect((await bench.run(argv())).code, step).toBe(2);
      rmSync(at('closed.part'), { recursive: true, force: true });
    }
    if (!existsSync(at('closed'))) expect((await bench.run(argv())).code, step).toBe(0);
    const [closed] = await closings();
    const back = await bench.run(['books', 'verify', at('closed'), '--manifest', closed?.manifest ?? 'none']);
    expect([back.code, existsSync(at('closed.part'))], `${step}: ${back.stderr}`).toEqual([0, false]);
    if (closing !== undefined) expect(closed?.manifest, step).toBe(closing.manifest);
  }
});
