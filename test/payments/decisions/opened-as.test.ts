/** A file of the service opens as the type that its first bytes have, from a closed list; whatever else it is, it is bytes. */
import { expect, it } from 'vitest';
import { openedAs } from '../../../src/payments/cases/proof-files.ts';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

it.each([
  ['receipt.pdf', '%PDF-1.7', 'application/pdf', 'receipt.pdf'],
  ['receipt.PDF', '%PDF-1.7', 'application/pdf', 'receipt.PDF'],
  ['receipt', '%PDF-1.7', 'application/pdf', 'receipt.pdf'],
  ['a.png', '\x89PNG\r\n\x1a\n', 'image/png', 'a.png'],
  ['a.jpeg', '\xff\xd8\xff\xe0', 'image/jpeg', 'a.jpeg'],
  ['a.html', '\xff\xd8\xff\xe0', 'image/jpeg', 'a.html.jpg'],
  ['receipt.pdf', '<html><script>', 'application/octet-stream', 'receipt.pdf.bin'],
  ['picture.svg', '<svg onload=x>', 'application/octet-stream', 'picture.svg.bin'],
  ['cut.png', '\x89PNG', 'application/octet-stream', 'cut.png.bin'],
  ['empty.pdf', '', 'application/octet-stream', 'empty.pdf.bin'],
])('%s that begins with %j', (name, head, type, opened) => {
  expect(openedAs(name, bytes(head))).toEqual({ type, name: opened });
});

it('a file that did not come keeps its name', () => {
  expect(openedAs('receipt.pdf', undefined)).toEqual({
    type: 'application/octet-stream',
    name: 'receipt.pdf',
  });
});
