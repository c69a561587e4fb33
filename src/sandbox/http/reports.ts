/** The reports host: which reports there are, an address for one, and the file behind the address. @assumes reports-port */

import { equalInConstantTime, sign } from '../../contract/signing.ts';
import { type Answer, absent, badRequest } from '../handlers/handler.ts';
import { reportCsv, storedReport, storedReports } from '../reports.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { RawAnswer } from './answer.ts';
import { readObject } from './body.ts';

const LIST = '/reports';
const ADDRESS = '/authenticated_url';
/** Below `/files/`. */
const REPORT_FILES = 'reports';
const VALID_MS = 600_000;

export const isReports = (path: string): boolean => path === LIST || path === ADDRESS;

interface Asked {
  method: string;
  path: string;
  query: string;
  text: string;
}

/** The answer to a request that is authentic. */
export function reportsAnswer(sandbox: SandboxState, { method, path, query, text }: Asked): Answer {
  if (path === LIST && method === 'GET') return listed(sandbox, new URLSearchParams(query));
  return path === ADDRESS && method === 'POST' ? addressed(sandbox, text) : absent;
}

function listed(sandbox: SandboxState, query: URLSearchParams): Answer {
  const reports = storedReports(sandbox, {
    type: query.get('type') ?? undefined,
    environment: query.get('environment') ?? undefined,
  });
  if (reports === null) return badRequest;
  return { status: 200, body: { available_reports: reports.map(({ path }) => path) } };
}

function addressed(sandbox: SandboxState, text: string): Answer {
  const path = readObject(text)?.path;
  if (typeof path !== 'string') return badRequest;
  if (!storedReport(sandbox, path)) return absent;
  const expires = String(sandbox.clock.now() + VALID_MS);
  const url = `${sandbox.origin}/files/${REPORT_FILES}/${path}?expires=${expires}&signature=${signature(sandbox, path, expires)}`;
  return { status: 200, body: { authenticated_url: url } };
}

/** It signs no request: a text of ours begins with a word that no nonce of a request can be mistaken for. */
function signature({ credentials }: SandboxState, path: string, expires: string): string {
  return sign(credentials.secret, `report address\n${path}\n${expires}`).slice(0, 64);
}

/** Any client with the address may read it until it ends; undefined where there is no such file. */
function reportFile(sandbox: SandboxState, path: string, query: string): RawAnswer | undefined {
  const report = storedReport(sandbox, path);
  if (!report) return undefined;
  const given = new URLSearchParams(query);
  const expires = given.get('expires') ?? '';
  const isOurs = equalInConstantTime(given.get('signature') ?? '', signature(sandbox, path, expires));
  if (!isOurs || sandbox.clock.now() >= Number(expires)) return over;
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    },
    body: reportCsv(sandbox, report),
  };
}

const over: RawAnswer = {
  status: 403,
  headers: { 'content-type': 'text/plain' },
  body: 'this address is not valid, or not any more: ask for another one\n',
};

/** Files that answers refer to: documents that were uploaded, proofs of payment, and reports. */
export const FILES = '/files/';

const gone: RawAnswer = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'no such file\n' };

/** Any client with the address may read, as with addresses from the service. `path` is `documents/<id>`. */
export function fileAnswer(sandbox: SandboxState, method: string, path: string, query: string): RawAnswer {
  const [kind, id = ''] = path.split('/');
  if (method !== 'GET') return gone;
  if (kind === REPORT_FILES) return reportFile(sandbox, path.slice(REPORT_FILES.length + 1), query) ?? gone;
  if (kind === 'documents') return documentFile(sandbox, id);
  return kind === 'proofs' ? proofFile(id) : gone;
}

function documentFile({ store }: SandboxState, id: string): RawAnswer {
  const document = store.documents.get(id);
  if (!document?.contentType) return gone;
  const body = Buffer.from(document.upload.slice(document.upload.indexOf(',') + 1), 'base64');
  return file(document.contentType, body);
}

const PROOF_ID = /^[0-9a-f-]{36}$/;

/** A picture that says what it is: there is no real payment to prove. */
function proofFile(id: string): RawAnswer {
  if (!PROOF_ID.test(id)) return gone;
  const text = `Proof of payment ${id}, made up by a sandbox`;
  const box = '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="80">';
  return file('image/svg+xml', `${box}<text x="10" y="45" font-family="monospace">${text}</text></svg>`);
}

/** Answers a file, never to run as a page. */
function file(contentType: string, body: string | Uint8Array): RawAnswer {
  const headers = {
    'content-type': contentType,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body };
}
