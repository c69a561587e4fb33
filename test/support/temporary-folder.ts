/** A folder of its own for one test. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'remit-test-'));
