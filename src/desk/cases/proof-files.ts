/**
 * Files that prove a payout, fetched from the address that the service gave and nowhere else: without our key, without a signature,
 * and without following a redirect. An answer without end is given up.
 */
import type { ProofOfPayment } from '../../contract/resources/document.ts';
import { isLoopback } from '../../core/hosts.ts';
import { usage } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';

/** More than a scanned receipt has. */
export const MAX_PROOF_BYTES = 20_000_000;
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;

/** @throws Problem (usage) for an address that is not fetched, Error where it was not answered with a file */
export async function fetchProof(desk: Desk, address: string): Promise<Uint8Array> {
  if (address.startsWith('data:')) return decoded(address);
  const url = await allowed(desk, address);
  const send = await desk.transport();
  const { status, body } = await send({
    method: 'GET',
    url: url.href,
    headers: { accept: '*/*' },
    binary: true,
    connectTimeoutMs: CONNECT_MS,
    responseTimeoutMs: ANSWER_MS,
    maxAnswerBytes: MAX_PROOF_BYTES,
  });
  if (status >= 300 && status < 400)
    throw new Error('the address leads to another one, and redirects are not followed');
  if (status !== 200) throw new Error(`the address was answered with ${status}`);
  return bounded(Buffer.from(body, 'latin1'));
}

/** This machine and plain HTTP are for a sandbox on this machine. */
async function allowed(desk: Desk, address: string): Promise<URL> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw usage('the address of the file is neither a web address nor the file itself');
  if (url.username !== '' || url.password !== '') throw usage('the address of the file has a password in it');
  const { baseUrl } = await desk.connection();
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  if (isLoopback(url.hostname) && !isLocal) throw usage('the address of the file leads to this machine');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw usage('the address of the file is plain HTTP, which others on the way can read');
  url.hash = '';
  return url;
}

/** `data:image/png;base64,iVBORw0…` */
function decoded(address: string): Uint8Array {
  const [, head = '', text] = /^data:([^,]*),(.*)$/s.exec(address) ?? [];
  if (text === undefined) throw usage('the address of the file is a data URL that cannot be read');
  if (text.length > 2 * MAX_PROOF_BYTES) throw tooLarge();
  if (/;base64$/i.test(head)) return bounded(Buffer.from(decodeURIComponent(text), 'base64'));
  return bounded(Buffer.from(decodeURIComponent(text)));
}

function bounded(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_PROOF_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = (): Error => new Error(`the file has more than ${MAX_PROOF_BYTES} bytes`);

/** Names that Windows gives to devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST = 100;

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

function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+|[. ]+$/g, '');
  if (plain === '' || DEVICE.test(plain)) return plain === '' ? '' : `_${plain}`;
  const end = /\.\w{1,8}$/.exec(plain)?.[0] ?? '';
  return plain.length <= LONGEST ? plain : plain.slice(0, LONGEST - end.length) + end;
}
