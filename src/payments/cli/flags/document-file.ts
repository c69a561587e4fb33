/** A document as a file on disk. What kind it is is read from its first bytes, not from its name. */
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { DocumentWrite } from '../../../contract/resources/document.ts';
import { usage } from '../../../core/problem.ts';
import { flags } from '../../../frame/flags/flag.ts';
import type { Process } from '../../../frame/process.ts';

export const documentFlag = flags({
  document: {
    value: 'type=file',
    summary: 'a proof of identity that is sent with it, such as passport=front.jpg; repeat it',
    many: true,
  },
});

const LARGEST = 7_000_000;
const KINDS: readonly { contentType: string; begins: readonly number[] }[] = [
  { contentType: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  { contentType: 'application/pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
];

/** `passport=front.jpg`, or a file alone. */
export async function readDocuments(
  process: Pick<Process, 'cwd'>,
  given: readonly string[],
): Promise<DocumentWrite[]> {
  return Promise.all(
    given.map(async (text) => {
      const [, type, path = text] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
      const document = await documentFrom(process, path);
      return type === undefined ? document : { ...document, document_type: type };
    }),
  );
}

/** @throws Problem (usage) for another kind of file, and for one that is too large */
export async function documentFrom(process: Pick<Process, 'cwd'>, path: string): Promise<DocumentWrite> {
  const bytes = await readBytes(resolve(process.cwd, path), path);
  const kind = KINDS.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte));
  if (kind === undefined)
    throw usage(`${path} is not a PNG, JPEG or PDF`, 'the first bytes of the file decide, not its name');
  return {
    upload: `data:${kind.contentType};base64,${bytes.toString('base64')}`,
    upload_file_name: basename(path),
    upload_content_type: kind.contentType,
    upload_file_size: bytes.length,
  };
}

async function readBytes(absolute: string, path: string): Promise<Buffer> {
  const handle = await open(absolute, 'r');
  try {
    const { size } = await handle.stat();
    if (size > LARGEST)
      throw usage(`${path} is too large: ${(size / 1e6).toFixed(1)} MB, at most ${LARGEST / 1e6} MB`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
