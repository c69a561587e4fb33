/** A report as a file: an address is asked for and fetched once. What it answers is looked at before anything of it is kept. */
import { ApiError } from '../../client/errors.ts';
import { addressReport } from '../../contract/operations/reports.ts';
import { hint } from '../../core/next.ts';
import { notFound } from '../../core/problem.ts';
import type { Desk } from '../../payments/desk.ts';
import { fetchFile, fileRefused, safeName } from '../../payments/fetch-file.ts';
import { reportsClient } from './list.ts';

/** A month of half a million payouts. */
const BOUNDS = { maxBytes: 200_000_000, answerMs: 120_000 };

/** @throws Problem where there is no such report, or its address gave something else */
export async function downloadReport(desk: Desk, path: string): Promise<Uint8Array> {
  const { client, url } = await reportsClient(desk);
  const address = await client
    .call(addressReport, { body: { path }, signal: desk.signal })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
      throw notFound(
        `there is no report "${path}"`,
        hint`${'`'}${{ do: 'list_reports' }}${'`'} lists those that there are`,
      );
    });
  const { bytes, headers } = await fetchFile(desk, address.authenticated_url, url, BOUNDS);
  const wrong = whatElse(bytes, headers['content-type'] ?? '');
  if (wrong !== undefined)
    throw fileRefused(`the address of the report was answered with ${wrong}: nothing was kept`);
  return bytes;
}

/**
 * Returns the words for a file that is no CSV: an error page of a server in between comes
 * with a 200 too.
 */
function whatElse(bytes: Uint8Array, contentType: string): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1_000))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '');
  if (start.trim() === '') return 'nothing';
  if (/^\s*</.test(start) || /\bhtml\b/i.test(contentType)) return 'a web page and not with a CSV';
  if (/^\s*[{[]/.test(start)) return 'JSON and not with a CSV';
  if (start.includes('\0')) return 'something that is no text';
  if (!/^[^\r\n]*[,;\t]/.test(start)) return 'a text without columns and not with a CSV';
  return isCut(bytes) ? 'a CSV that ends within a row: its end is missing' : undefined;
}

const [QUOTE, COMMA, LINE_END] = [0x22, 0x2c, 0x0a];

/** An answer without a length may have been cut: then the last row has no line end, and fewer columns than the first, or an open quote. */
function isCut(bytes: Uint8Array): boolean {
  if (bytes.at(-1) === LINE_END) return false;
  let columns = 1;
  let first = 0;
  let isQuoted = false;
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === COMMA && !isQuoted) columns += 1;
    else if (byte === LINE_END && !isQuoted) {
      first ||= columns;
      columns = 1;
    }
  }
  return isQuoted || (first > 0 && columns < first);
}

/** A name for its file, whatever the service calls it. */
export function reportFileName(path: string): string {
  const name = safeName(path).replace(/\.csv$/i, '');
  return `${name === '' ? 'report' : name}.csv`;
}
