/** A program from its first start to its last: the clock moves in between, and nothing of it runs on behind its case. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { optionsFor } from '../support/audits.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const inline = (text: string): string[] => [process.execPath, '-e', text];

it('between two starts the clock of the service moves on by a minute or more', async () => {
  const end = await audit(
    optionsFor(
      inline(`
        const { existsSync, readFileSync, writeFileSync } = require('node:fs');
        const file = process.env.REMIT_AUDIT_DIR + '/date';
        fetch(process.env.REMIT_BASE_URL + '/accounts').then(({ headers }) => {
          const now = Date.parse(headers.get('date'));
          if (existsSync(file)) process.exit(now - Number(readFileSync(file, 'utf8')) >= 60_000 ? 0 : 7);
          writeFileSync(file, String(now));
          process.exit(1);
        });`),
      { program: { starts: 2 } },
    ),
  );
  expect(end).toMatchObject({ kind: 'nothing_audited', why: expect.stringContaining('sent no write') });
});

it('what the program leaves running is ended with it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'pid');
  await audit(
    optionsFor(
      inline(`
        const { spawn } = require('node:child_process');
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
        require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
        child.unref();
        process.exit(0);`),
    ),
  );
  const pid = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

/** One that has ended and that nobody asked about yet is none. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

it('a program that pays otherwise in its second run without a fault is no audit, and what it paid is said', async () => {
  const file = join(temporaryFolder(), 'ran');
  const end = await audit(
    optionsFor(
      inline(`
        const { existsSync, writeFileSync } = require('node:fs');
        const count = existsSync(${JSON.stringify(file)}) ? 2 : 1;
        writeFileSync(${JSON.stringify(file)}, '');
        import(process.cwd() + '/test/fixtures/audit/wire.mjs').then(async ({ bodyOf, call, invoices, PAY }) => {
          for (let i = 0; i < count; i++) await call('POST', PAY, bodyOf(invoices[0], 'id-' + i));
        });`),
    ),
  );
  expect(end).toMatchObject({
    kind: 'nothing_audited',
    why: 'its first run, without any fault, paid 1 × NGN::Bank EUR; its second paid 2 × NGN::Bank EUR: nothing can be compared',
    hint: expect.stringContaining('on a slow machine'),
  });
});
