/** Real child processes that run our TypeScript: bundled once into a temporary folder, started with the Node under test. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { temporaryFolder } from './temporary-folder.ts';

/** The text of a module that may import from `src` by absolute path; gives the path of a program to start. */
export async function bundleProgram(source: string): Promise<string> {
  const folder = temporaryFolder();
  const input = join(folder, 'program.ts');
  writeFileSync(input, source);
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/] });
  /* Our package is beside it, as in a partner's folder: SQLite, which stays outside the bundle, is found from there. */
  const root = join(import.meta.dirname, '../..');
  const dir = join(root, 'node_modules/.remit-test', folder.slice(-6));
  mkdirSync(join(dir, 'node_modules'), { recursive: true });
  symlinkSync(root, join(dir, 'node_modules/remit-cli'), 'junction');
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  await bundle.write({ dir, format: 'esm', entryFileNames: 'program.js' });
  await bundle.close();
  return join(dir, 'program.js');
}

export function startProgram(program: string, ...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, ...args]);
}

/** The child's first line of output, or everything it said on stderr as an error. */
export function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
    });
    child.on('exit', (code) => reject(new Error(`the child ended with ${code} before it spoke: ${err}`)));
  });
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on('exit', () => resolve());
  });
}
