/** Files that prove a payout: fetched from the address that the service gave, or unpacked where the address is the file itself. */
import type { ProofOfPayment } from '../../contract/resources/document.ts';
import type { Desk } from '../desk.ts';
import { fetchFile, fileRefused, safeName, tooLarge } from '../fetch-file.ts';

/** More than a scanned receipt has. */
export const MAX_PROOF_BYTES = 20_000_000;
const ANSWER_MS = 60_000;

/** @throws Problem for an address that is not fetched, or was not answered with a file */
async function fetchProof(desk: Desk, address: string, maxBytes: number): Promise<Uint8Array> {
  if (address.startsWith('data:')) return decoded(address, maxBytes);
  const { baseUrl } = await desk.connection();
  const bounds = { maxBytes, answerMs: ANSWER_MS };
  return (await fetchFile(desk, address, baseUrl, bounds)).bytes;
}

/** `data:image/png;base64,iVBORw0…` */
function decoded(address: string, maxBytes: number): Uint8Array {
  const [, head = '', text] = /^data:([^,]*),(.*)$/s.exec(address) ?? [];
  if (text === undefined) throw fileRefused('the address of the file is a data URL that cannot be read');
  if (text.length > 3 * maxBytes) throw tooLarge(maxBytes);
  const plain = decodeURIComponent(text);
  const bytes = /;base64$/i.test(head) ? Buffer.from(plain, 'base64') : Buffer.from(plain);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

export interface FetchedProof {
  id: string | null;
  name: string;
  /** Undefined where it was not fetched. */
  bytes: Uint8Array | undefined;
  why: string | null;
}

/** One after the other; one that fails does not keep the others from it. @param together bytes that all of them may have */
export async function* fetchProofs(
  desk: Desk,
  proofs: readonly ProofOfPayment[],
  together = Number.POSITIVE_INFINITY,
): AsyncGenerator<FetchedProof> {
  const names = proofNames(proofs);
  let left = together;
  for (const [index, { id, url }] of proofs.entries()) {
    const proof = { id: id ?? null, name: names[index] ?? '' };
    try {
      const bytes = await fetchProof(desk, url ?? '', Math.min(left, MAX_PROOF_BYTES));
      left -= bytes.length;
      yield { ...proof, bytes, why: null };
    } catch (error) {
      yield { ...proof, bytes: undefined, why: (error as Error).message };
    }
  }
}

/** A name in one folder, whatever the service calls the file; two of one name are told apart by their ids. */
export function proofNames(proofs: readonly ProofOfPayment[]): string[] {
  const names = proofs.map(
    ({ id, file_name: name }, index) => safeName(name ?? '') || `${id ?? index + 1}.bin`,
  );
  return names.map((name, index) => {
    const isTaken = names.indexOf(name) < index;
    return isTaken ? `${(proofs[index]?.id ?? '').replace(/[^\w-]/g, '') || index + 1}-${name}` : name;
  });
}

/** By its first bytes, whatever its name says. */
const KINDS = [
  { type: 'application/pdf', begins: '%PDF-', ends: /\.pdf$/i, end: '.pdf' },
  { type: 'image/png', begins: '\x89PNG\r\n\x1a\n', ends: /\.png$/i, end: '.png' },
  { type: 'image/jpeg', begins: '\xff\xd8\xff', ends: /\.jpe?g$/i, end: '.jpg' },
  { type: 'application/octet-stream', begins: '', ends: /\.bin$/i, end: '.bin' },
] as const;
export type ProofType = (typeof KINDS)[number]['type'];

/** A type from a closed list, and a name that ends as its type does: a web page or a picture with a script in it opens as neither. */
export function openedAs(name: string, bytes: Uint8Array | undefined): { type: ProofType; name: string } {
  const head = Buffer.from(bytes?.subarray(0, 8) ?? '').toString('latin1');
  const { type, ends, end } = KINDS.find(({ begins }) => head.startsWith(begins)) ?? KINDS[3];
  return { type, name: bytes === undefined || ends.test(name) ? name : name + end };
}
