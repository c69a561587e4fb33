/** Lists, shows and uploads documents. The file of a document is never printed. */
import { basename } from 'node:path';
import { getDocument, listDocuments } from '../../contract/operations/documents.ts';
import type { DocumentWrite } from '../../contract/resources/document.ts';
import { usage } from '../../core/problem.ts';
import { isDay } from '../../core/zone.ts';
import type { Input, ManyFlag, TextFlag } from '../../frame/flags/flag.ts';
import { uploadDocument, uploadStep } from '../directory/document.ts';
import { authorizeWrite } from '../gate.ts';
import { readOne } from '../lookup/read-one.ts';
import { defineCommand } from './command.ts';
import { documentFrom } from './flags/document-file.ts';
import { idArgument, readId } from './flags/ids.ts';
import { listFlags, readLimits } from './flags/listing.ts';
import { metadataFlag, readMetadata } from './flags/metadata.ts';
import { showList } from './output/show-list.ts';
import { result } from './result.ts';
import { documentView, withoutFile } from './views/document.ts';

const list = defineCommand({
  flags: listFlags,
  shows: [documentView],
  isTabular: true,
  effect: 'read',
  examples: ['remit document list', 'remit document list --all -o csv'],
  read: (input) => ({ limits: readLimits(input) }),
  run: (context, { limits }) =>
    showList(context, {
      view: documentView,
      operation: listDocuments,
      what: 'documents',
      seen: ({ id }) => [{ kind: 'document', id: id ?? '' }],
      query: {},
      limits,
      shown: withoutFile,
    }),
});

const next = 'remit document list shows them';

const show = defineCommand({
  args: [idArgument('document')],
  shows: [documentView],
  effect: 'read',
  examples: ['remit document show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: readId(input, 'document', next) }),
  async run(context, { id }) {
    const found = await readOne(context, getDocument, id, { thing: 'document', next, kind: 'document' });
    return result(documentView, withoutFile(found));
  },
});

/** The members of a document beside the file itself. */
type About = Omit<DocumentWrite, 'upload' | 'upload_file_name'>;

const create = defineCommand({
  description:
    'Takes a PNG, JPEG or PDF of at most 7 MB, or a URL where the service finds the file. A sender names the document by its id.',
  flags: {
    file: { short: '-f', value: 'path', summary: 'the file to upload' },
    url: { value: 'url', summary: 'in place of a file: the URL of the document' },
    name: { value: 'name', summary: 'the file name to keep; its own if you do not say' },
    type: { value: 'type', summary: 'what it is, such as passport' },
    side: { value: 'side', summary: 'front or back', choices: ['front', 'back'] },
    number: { value: 'number', summary: 'the number of the document' },
    expiry: { value: 'date', summary: 'when it expires, YYYY-MM-DD' },
    metadata: metadataFlag(),
  },
  shows: [documentView],
  effect: 'write',
  examples: [
    'remit document create --file passport.jpg --type passport --side front --expiry 2031-04-12',
    'remit document create --url https://example.com/papers/17.pdf --type proof_of_address',
  ],
  read(input) {
    const [file, url] = [input.flags.file, input.flags.url];
    if ((file === undefined) === (url === undefined)) throw usage('give either --file or --url');
    if (url !== undefined && (!/^https?:\/\/[^\s/]+/i.test(url) || !URL.canParse(url)))
      throw usage(`"${url}" is not a URL`, 'such as https://example.com/papers/17.pdf');
    return { file, url, name: input.flags.name, about: readAbout(input) };
  },
  async run(context, { file, url, name, about }) {
    const document: DocumentWrite = {
      ...(file === undefined ? fromUrl(url ?? '') : await documentFrom(context.process, file)),
      ...(name === undefined ? {} : { upload_file_name: name }),
      ...about,
    };
    const permit = await authorizeWrite(context, uploadStep(document), context.confirmer);
    const { value, notes } = await uploadDocument(context, permit, document);
    return result(documentView, withoutFile(value), { notes });
  },
});

function readAbout(
  input: Input<{ expiry: TextFlag; type: TextFlag; side: TextFlag; number: TextFlag; metadata: ManyFlag }>,
): About {
  const expiry = input.flags.expiry;
  if (expiry !== undefined && !isDay(expiry))
    throw usage(`--expiry ${expiry} is not a day`, 'write YYYY-MM-DD');
  const members = {
    document_type: input.flags.type,
    side: input.flags.side as 'front' | 'back' | undefined,
    document_id: input.flags.number,
    expiry_date: expiry,
  };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), metadata: readMetadata(input.flags.metadata) ?? {} };
}

const fromUrl = (url: string): Pick<DocumentWrite, 'upload' | 'upload_file_name'> => ({
  upload: url,
  upload_file_name: basename(new URL(url).pathname) || 'document',
});

export const commands = { list, show, create };
