/**
 * Checks that settings can be trusted, as ssh does with its own (decision 0023): a user who can write them, or the
 * folder that they are in, can send the secret elsewhere; a reader learns the key.
 */
import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { configProblem, type Problem } from '../core/problem.ts';

const ROOT = 0;

/** Makes the folder where it is missing, for this user alone. @throws Problem (config) where others can write in it */
export function openOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOpenFolder(folder);
}

/** A folder that is missing is no danger. @throws Problem (config) */
export function refuseOpenFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats || process.platform === 'win32') return;
  refuseStranger(folder, stats);
  if ((stats.mode & 0o022) === 0) return;
  throw permissions(
    folder,
    `${folder} is the folder of the settings, and other users can change what is in it (mode ${octal(stats)})`,
    `close it: chmod go-w ${folder}`,
  );
}

/** Checks a folder whose place any user can write to: it may not even be a link. @throws Problem (config) */
export function refusePlantedFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw configProblem(
      'config_permissions',
      `${folder} is no folder, and the settings would be in it: there is no home folder`,
      'name a folder of your own: REMIT_CONFIG_DIR=FOLDER',
    );
  refuseOpenFolder(folder);
}

/** A link that leads to a file of this user is followed: people keep their settings elsewhere. @throws Problem (config) */
export function refuseOpenFile(path: string): void {
  const stats = statSync(path);
  if (!stats.isFile())
    throw configProblem(
      'config_unreadable',
      `${path} is no regular file`,
      'move it away, then sign in again',
      { file: path },
    );
  if (process.platform === 'win32') return;
  refuseStranger(path, stats);
  if ((stats.mode & 0o077) === 0) return;
  const others = (stats.mode & 0o022) !== 0 ? 'changed' : 'read';
  throw permissions(
    path,
    `${path} can be ${others} by other users (mode ${octal(stats)})`,
    `close it: chmod 600 ${path}`,
  );
}

/** The machine's administrator can change everything anyway. */
function refuseStranger(path: string, { uid }: Stats): void {
  if (uid === ROOT || uid === process.geteuid?.()) return;
  throw configProblem(
    'config_owner',
    `${path} belongs to another user (uid ${uid}), who can change what this program does`,
    'make it yours with chown, or name a folder of your own: REMIT_CONFIG_DIR=FOLDER',
    { file: path },
  );
}

const octal = ({ mode }: Stats): string => (mode & 0o777).toString(8);
const permissions = (file: string, message: string, hint: string): Problem =>
  configProblem('config_permissions', message, hint, { file });
