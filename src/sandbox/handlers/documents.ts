import { readDocument } from '../rules/document.ts';
import { isPlain } from '../rules/reading.ts';
import { storeDocument } from '../transitions/documents.ts';
import { documentJson } from '../views/document.ts';
import { absent, created, type Handler, ok, refused } from './handler.ts';
import { listAnswer, windowOf } from './paging.ts';

export const listDocuments: Handler = (sandbox, { query }) => {
  const window = windowOf(query);
  return listAnswer(sandbox.store.documents.page({}, window), window, (row) => documentJson(sandbox, row));
};

export const getDocument: Handler = (sandbox, { id }) => {
  const document = sandbox.store.documents.get(id);
  return document ? ok(documentJson(sandbox, document)) : absent;
};

export const createDocument: Handler = (sandbox, { body }) => {
  const sent = isPlain(body.document) ? body.document : {};
  const { draft, problems } = readDocument(sent);
  if (!isPlain(body.document)) problems.say('the body has no document');
  if (!draft || problems.any) return refused({ ...withoutUpload(sent), errors: problems.wire });
  return created(documentJson(sandbox, storeDocument(sandbox, draft)));
};

/** A refusal repeats what was sent, but not megabytes of it. */
function withoutUpload({ upload, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return typeof upload === 'string' && upload.length <= 2_000 ? { upload, ...rest } : rest;
}
