import { join } from 'node:path';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { temporaryFolder } from './folder.ts';

/** A data file of a sandbox. */
export const openData = (): Promise<RecordDatabase> => openRecords(join(temporaryFolder(), 'sandbox.db'));
