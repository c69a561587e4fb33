/** The data file of a sandbox: opened, or made; a fault is reported with the file, the reason and the next step. */

import { resolve } from 'node:path';
import { byWord } from '../core/by-word.ts';
import { configProblem, type Problem } from '../core/problem.ts';
import { type RecordDatabase, UnreadableRecords } from '../disk/record-database.ts';

/** @throws Problem of the category config */
export async function openSandboxData(path: string, cwd: string): Promise<RecordDatabase> {
  const [{ openRecords }, { StoreError }] = await Promise.all([
    import('../disk/record-file.ts'),
    import('../disk/store-error.ts'),
  ]);
  try {
    return await openRecords(resolve(cwd, path));
  } catch (error) {
    throw error instanceof StoreError ? unusable(path, error.kind, error) : error;
  }
}

/**
 * Starts a sandbox over this file, whose records are read now.
 * @throws Problem of the category config
 */
export async function overSandboxData<T>(path: string | undefined, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (path === undefined || !(error instanceof UnreadableRecords)) throw error;
    throw unusable(path, 'unreadable', error);
  }
}

const REASONS: Record<string, [reason: string, next: string]> = byWord({
  foreign: ['it is not the data of a sandbox', 'name another file; this one is left as it is'],
  newer: ['a newer version of remit wrote it', 'use that version, or name another file'],
  busy: ['another sandbox is using it', 'end that one, or name another file'],
  corrupt: ['it is damaged', 'restore a snapshot into a new file, or name another one'],
  full: ['the disk is full', 'make room, or name a file on another disk'],
  unwritable: ['it cannot be opened or written', 'check that its folder is yours, or name another file'],
});

function unusable(path: string, kind: string, cause: Error): Problem {
  const [reason, next] = REASONS[kind] ?? [
    cause.message,
    'name another file, or one that does not exist yet',
  ];
  return configProblem('sandbox_data', `the sandbox cannot keep its data in ${path}: ${reason}`, next, {
    cause,
  });
}
