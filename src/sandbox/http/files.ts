/** Files that answers refer to: documents that were uploaded, proofs of payment, and reports. */
import type { SandboxWorld } from '../world.ts';
import type { RawAnswer } from './answer.ts';
import { REPORT_FILES, reportFile } from './reports.ts';

export const FILES = '/files/';

const gone: RawAnswer = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'no such file\n' };

/** Whoever has the address may read, as with the addresses that the service hands out. `path` is `documents/<id>`. */
export function fileAnswer(world: SandboxWorld, method: string, path: string, query: string): RawAnswer {
  const [kind, id = ''] = path.split('/');
  if (method !== 'GET') return gone;
  if (kind === REPORT_FILES) return reportFile(world, path.slice(REPORT_FILES.length + 1), query) ?? gone;
  if (kind === 'documents') return documentFile(world, id);
  return kind === 'proofs' ? proofFile(id) : gone;
}

function documentFile({ store }: SandboxWorld, id: string): RawAnswer {
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

/** Never run as a page, whatever was uploaded. */
function file(contentType: string, body: string | Uint8Array): RawAnswer {
  const headers = {
    'content-type': contentType,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body };
}
