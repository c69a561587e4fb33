import { readDocument } from '../rules/document.ts';
import { isPlain } from '../rules/reading.ts';
import { documentView } from '../views/document.ts';
import { storeDocument } from '../walk/documents.ts';
import { created, type Handler, notFound, ok, refused } from './handler.ts';
import { listAnswer, windowOf } from './paging.ts';

export const listDocuments: Handler = (world, { query }) => {
  const window = windowOf(query);
  return listAnswer(world.store.documents.page({}, window), window, (row) => documentView(world, row));
};

export const getDocument: Handler = (world, { id }) => {
  const document = world.store.documents.get(id);
  return document ? ok(documentView(world, document)) : notFound;
};

export const createDocument: Handler = (world, { body }) => {
  const sent = isPlain(body.document) ? body.document : {};
  const { draft, problems } = readDocument(sent);
  if (!isPlain(body.document)) problems.say('the body has no document');
  if (!draft || problems.any) return refused({ ...withoutUpload(sent), errors: problems.wire });
  return created(documentView(world, storeDocument(world, draft)));
};

/** A refusal repeats what was sent, but not megabytes of it. */
function withoutUpload({ upload, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return typeof upload === 'string' && upload.length <= 2_000 ? { upload, ...rest } : rest;
}
