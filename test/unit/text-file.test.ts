import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseTextFile, readTextFile } from '../../src/cli/flags/text-file.ts';
import type { World } from '../../src/cli/world.ts';

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
      const read = await readTextFile({ cwd } as World, 'file');
      expect(await parseTextFile(read, 'file')).toEqual(wanted);
    }
});
