import { listOf, single } from '../resources/common.ts';
import { document, documentRequest, mandate } from '../resources/document.ts';
import { operation, page, readOperation } from './operation.ts';

export const listDocuments = readOperation({
  id: 'documents.list',
  wireId: 'get-documents',
  path: '/documents',
  summary: 'Documents that were uploaded',
  query: page,
  answer: listOf(document),
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

export const getDocument = readOperation({
  id: 'documents.get',
  wireId: 'get-document',
  path: '/documents/{document_id}',
  summary: 'One document',
  answer: single(document),
  failures: [404],
});

export const getMandate = readOperation({
  id: 'mandates.get',
  wireId: 'get-mandate',
  path: '/mandates/{mandate_id}',
  summary: 'One mandate of this calendar year',
  answer: single(mandate),
  failures: [404],
});
