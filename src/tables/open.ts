/** The bytes of a file on disk; one that changes while it is read is refused, since half of it would be of another file. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { fileProblem } from './row.ts';

const PIECE = 65_536;

/** `name` is what the user gave, `path` where it is. @throws Problem, and errors of the system */
export async function* fileBytes(path: string, name: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const before = await file.stat();
    if (before.isDirectory()) throw fileProblem('not_a_file', `${name} is a folder, not a file`);
    yield* bytesOf(file);
    if (!before.isFile()) return;
    const [after, there] = [await file.stat(), await stat(path).catch(() => before)];
    const changed = [after, there].some(
      ({ size, mtimeMs, ino }) => size !== before.size || mtimeMs !== before.mtimeMs || ino !== before.ino,
    );
    if (changed)
      throw fileProblem(
        'file_changed',
        `${name} changed while it was read`,
        'run it again once it is complete',
      );
  } finally {
    await file.close();
  }
}

async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
