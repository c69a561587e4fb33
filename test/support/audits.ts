/** Audits of small clients that are not ours: real processes against a sandbox on loopback. */

import { audit } from '../../src/audit/audit.ts';
import type { Audited, AuditOptions } from '../../src/audit/audit-options.ts';
import { real } from './clock.ts';
import { PATIENCE_MS } from './patience.ts';

const FOLDER = 'test/fixtures/audit';

export const node = (name: string): string[] => [process.execPath, `${FOLDER}/${name}.mjs`];
export const python = (name: string): string[] => ['python3', `${FOLDER}/${name}.py`];

/**
 * For an answer that comes too late or never. Without it a client waits as long as a busy machine takes; with less of it, a client gives up
 * where nothing fails, and pays twice there.
 */
export const givesUp = { CLIENT_PATIENCE_MS: '6000' };

type More = Partial<Omit<AuditOptions, 'program'>> & { program?: Partial<AuditOptions['program']> };

export async function auditOf(command: readonly string[], more: More = {}): Promise<Audited> {
  const end = await audit(optionsFor(command, more));
  if (end.kind !== 'audited') throw new Error(`${end.why}\n${end.printed}`);
  return end.audited;
}

export const optionsFor = (command: readonly string[], { program, ...more }: More = {}): AuditOptions => ({
  clock: real,
  signal: new AbortController().signal,
  seed: 'audits',
  kills: false,
  skip: ['hang', 'late', 'slow'],
  mustPay: false,
  same: 0,
  parallel: 1,
  program: {
    command,
    cwd: process.cwd(),
    // Python would leave what it compiled beside the fixtures.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    names: {},
    isCopied: false,
    limitMs: 2 * PATIENCE_MS,
    starts: 1,
    ...program,
  },
  ...more,
});
