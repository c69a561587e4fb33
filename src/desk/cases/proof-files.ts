/** Files that prove a payout: fetched from the address that the service gave, or unpacked where the address is the file itself. */
import type { ProofOfPayment } from '../../contract/resources/document.ts';
import type { Desk } from '../desk.ts';
import { fetchFile, refused, safeName, tooLarge } from '../files/fetch-file.ts';

/** More than a scanned receipt has. */
const MAX_PROOF_BYTES = 20_000_000;
const ANSWER_MS = 60_000;

/** @throws Problem for an address that is not fetched, or was not answered with a file */
export async function fetchProof(desk: Desk, address: string): Promise<Uint8Array> {
  if (address.startsWith('data:')) return decoded(address);
  const { baseUrl } = await desk.connection();
  const bounds = { maxBytes: MAX_PROOF_BYTES, answerMs: ANSWER_MS };
  return (await fetchFile(desk, address, baseUrl, bounds)).bytes;
}

/** `data:image/png;base64,iVBORw0…` */
function decoded(address: string): Uint8Array {
  const [, head = '', text] = /^data:([^,]*),(.*)$/s.exec(address) ?? [];
  if (text === undefined) throw refused('the address of the file is a data URL that cannot be read');
  if (text.length > 2 * MAX_PROOF_BYTES) throw tooLarge(MAX_PROOF_BYTES);
  const plain = decodeURIComponent(text);
  const bytes = /;base64$/i.test(head) ? Buffer.from(plain, 'base64') : Buffer.from(plain);
  if (bytes.length > MAX_PROOF_BYTES) throw tooLarge(MAX_PROOF_BYTES);
  return bytes;
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
