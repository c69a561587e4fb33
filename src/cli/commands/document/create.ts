/** Uploads a document; the file is never printed. */
import { basename } from 'node:path';
import type { DocumentWrite } from '../../../contract/resources/document.ts';
import { usage } from '../../../core/problem.ts';
import { isDay } from '../../../core/zone.ts';
import { uploadDocument, uploadStep } from '../../../desk/directory/document.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { command, result } from '../../command.ts';
import { documentFrom } from '../../flags/document-file.ts';
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
      ...(file === undefined ? fromUrl(url ?? '') : await documentFrom(context.world, file)),
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
  if (expiry !== undefined && !isDay(expiry))
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
