/** Uploads a document. What kind of file it is is read from its first bytes, not from its name, and the file is never printed. */
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { DocumentWrite } from '../../../contract/resources/document.ts';
import { usage } from '../../../core/problem.ts';
import { uploadDocument, uploadStep } from '../../../desk/directory/document.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagText, type Input } from '../../flags/flag.ts';
import { metadataFlag, readMetadata } from '../../flags/metadata.ts';
import { documentView, withoutFile } from '../../views/document.ts';

export interface CreateOptions {
  file: string | undefined;
  url: string | undefined;
  name: string | undefined;
  about: Omit<DocumentWrite, 'upload' | 'upload_file_name'>;
}

export { create as command };

const LARGEST = 7_000_000;
const KINDS: readonly { contentType: string; begins: readonly number[] }[] = [
  { contentType: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  { contentType: 'application/pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
];

const create = command<CreateOptions>({
  description:
    'Takes a PNG, JPEG or PDF of at most 7 MB, or a URL where the service finds the file. A sender names the document by its id.',
  flags: [
    { flags: '-f, --file <path>', summary: 'the file to upload' },
    { flags: '--url <url>', summary: 'in place of a file: the URL of the document' },
    { flags: '--name <name>', summary: 'the file name to keep; its own if you do not say' },
    { flags: '--type <type>', summary: 'what it is, such as passport' },
    { flags: '--side <side>', summary: 'front or back', choices: ['front', 'back'] },
    { flags: '--number <number>', summary: 'the number of the document' },
    { flags: '--expiry <date>', summary: 'when it expires, YYYY-MM-DD' },
    metadataFlag(),
  ],
  shows: [documentView],
  effect: 'write',
  examples: [
    'remit document create --file passport.jpg --type passport --side front --expiry 2031-04-12',
    'remit document create --url https://example.com/papers/17.pdf --type proof_of_address',
  ],
  read(input) {
    const [file, url] = [flagText(input, 'file'), flagText(input, 'url')];
    if ((file === undefined) === (url === undefined)) throw usage('give either --file or --url');
    if (url !== undefined && (!/^https?:\/\/[^\s/]+/i.test(url) || !URL.canParse(url)))
      throw usage(`"${url}" is not a URL`, 'such as https://example.com/papers/17.pdf');
    return { file, url, name: flagText(input, 'name'), about: readAbout(input) };
  },
  async run(context, { file, url, name, about }) {
    const document: DocumentWrite = {
      ...(file === undefined ? fromUrl(url ?? '') : await fromDisk(context, file)),
      ...(name === undefined ? {} : { upload_file_name: name }),
      ...about,
    };
    const pass = await admit(context, uploadStep(document), context.approver);
    const { value, notes } = await uploadDocument(context, pass, document);
    return result(documentView, withoutFile(value), { notes });
  },
});

function readAbout(input: Input): CreateOptions['about'] {
  const expiry = flagText(input, 'expiry');
  if (expiry !== undefined && (!/^\d{4}-\d{2}-\d{2}$/.test(expiry) || Number.isNaN(Date.parse(expiry))))
    throw usage(`--expiry ${expiry} is not a day`, 'write YYYY-MM-DD');
  const members = {
    document_type: flagText(input, 'type'),
    side: flagText(input, 'side') as 'front' | 'back' | undefined,
    document_id: flagText(input, 'number'),
    expiry_date: expiry,
  };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), metadata: readMetadata(input) ?? {} };
}

const fromUrl = (url: string): Pick<DocumentWrite, 'upload' | 'upload_file_name'> => ({
  upload: url,
  upload_file_name: basename(new URL(url).pathname) || 'document',
});

async function fromDisk({ world }: Context, path: string): Promise<DocumentWrite> {
  const bytes = await readBytes(resolve(world.cwd, path), path);
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
