import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseTextFile, readTextFile } from '../../src/frame/flags/text-file.ts';
import type { Process } from '../../src/frame/process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'remit-text-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const yaml = 'sender: { external_id: c-1 }\ndetails:\n  bank_code: 044\n  note: |\n    two\n    lines\n';
const json =
  '{"sender": {"external_id": "c-1"},\n "details": {"bank_code": "044", "note": "two\\nlines\\n"}}';

it.each([
  ['YAML', yaml],
  ['JSON', json],
])('%s reads the same with a byte order mark and with CRLF', async (_, text) => {
  const wanted = { sender: { external_id: 'c-1' }, details: { bank_code: '044', note: 'two\nlines\n' } };
  for (const bom of ['', '\ufeff'])
    for (const given of [text, text.replaceAll('\n', '\r\n')]) {
      writeFileSync(join(cwd, 'file'), bom + given);
      const read = await readTextFile({ cwd } as Process, 'file');
      expect(await parseTextFile(read, 'file')).toEqual(wanted);
    }
});

describe('a member that is there twice is refused, and named with its place', () => {
  it.each([
    [
      '{"details": {"bank_account": "1",\n "bank_account": "2"}}',
      'file: line 2, column 2 has the member "bank_account" a second time',
    ],
    ['{"a": {"b": "1", "b": "1"}}', 'file: line 1, column 18 has the member "b" a second time'],
    ['details:\n  bank_account: 1\n  bank_account: 2\n', 'line 3, column 3'],
    ['details:\n  &a bank_account: 1\n  *a : 2\n', 'file: line 3, column 3 has a key that is no text'],
  ])('%j', async (text, words) => {
    const wrong = await parseTextFile(text, 'file').catch((error) => error);
    expect(wrong.facts).toMatchObject({ category: 'usage', message: expect.stringContaining(words) });
  });

  it('the same name in two objects is none', async () => {
    expect(
      await parseTextFile('{"a": {"b": "1"}, "c": {"b": "2"}, "d": [{"b": 1}, {"b": 2}]}', 'file'),
    ).toMatchObject({
      c: { b: '2' },
    });
  });
});
