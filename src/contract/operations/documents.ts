import { list, single } from '../resources/common.ts';
import { document, documentRequest, mandate } from '../resources/document.ts';
import { operation, page, read } from './operation.ts';

export const listDocuments = read({
  id: 'documents.list',
  wireId: 'get-documents',
  path: '/documents',
  summary: 'Documents that were uploaded',
  query: page,
  answer: list(document),
  paging: 'envelope',
});

export const createDocument = operation({
  id: 'documents.create',
  wireId: 'post-documents',
  method: 'POST',
  path: '/documents',
  summary: 'Upload a document',
  body: documentRequest,
  answer: single(document),
  status: 201,
  failures: [422],
  effect: 'write',
  settle: 'list',
});

export const getDocument = read({
  id: 'documents.get',
  wireId: 'get-document',
  path: '/documents/{document_id}',
  summary: 'One document',
  answer: single(document),
  failures: [404],
});

export const getMandate = read({
  id: 'mandates.get',
  wireId: 'get-mandate',
  path: '/mandates/{mandate_id}',
  summary: 'One mandate of this calendar year',
  answer: single(mandate),
  failures: [404],
});
