/** Stands in for node:child_process in the build (decision 0001): the same functions, loaded when the first one is called. */
import { createRequire } from 'node:module';

type ChildProcess = typeof import('node:child_process');
const load = (): ChildProcess => createRequire(__filename)('node:child_process') as ChildProcess;

export const spawn = ((...args: Parameters<ChildProcess['spawn']>) =>
  load().spawn(...args)) as ChildProcess['spawn'];
export const spawnSync = ((...args: Parameters<ChildProcess['spawnSync']>) =>
  load().spawnSync(...args)) as ChildProcess['spawnSync'];
export const execFile = ((...args: Parameters<ChildProcess['execFile']>) =>
  load().execFile(...args)) as ChildProcess['execFile'];
export default { spawn, spawnSync, execFile };
