/** Files of payments read and checked in tests. */
import { type CheckedRows, type CheckOptions, checkRows } from '../../src/runs/files/check.ts';
import type { ReadOptions } from '../../src/runs/files/formats.ts';
import { readRows } from '../../src/runs/files/read.ts';
import type { Fault, FileRow } from '../../src/tables/row.ts';

export const HEADER = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';

/** A row that fits HEADER and is right. */
export const payRow = (
  key: string,
  { amount = '25000', account = '0123456700', code = '044' } = {},
): string => `${key},NGN::Bank,${amount},EUR,customer-1,Ada,Obi,${code},${account}`;

/** Noon of 31 October 2026, in UTC. */
export const clock = { now: Date.UTC(2026, 9, 31, 12), zone: 'UTC' };

export const csvOf = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

/** The bytes in pieces of `size`, as a stream brings them. */
export async function* pieces(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as Uint8Array);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface Reading extends Partial<ReadOptions>, Partial<CheckOptions> {
  size?: number;
}

export async function read(
  content: string | Uint8Array,
  { size, ...options }: Reading = {},
): Promise<(FileRow | Fault)[]> {
  const found: (FileRow | Fault)[] = [];
  for await (const batch of readRows(pieces(content, size), { name: 'wages.csv', clock, ...options }))
    found.push(...batch);
  return found;
}

export async function check(
  content: string | Uint8Array,
  { size, allowDuplicates = false, accounts = 'refuse', ...options }: Reading = {},
): Promise<CheckedRows> {
  const all: CheckedRows = { payments: [], faults: [], doubts: [] };
  const rows = readRows(pieces(content, size), { name: 'wages.csv', clock, ...options });
  for await (const { payments, faults, doubts } of checkRows(rows, { allowDuplicates, accounts })) {
    all.payments.push(...payments);
    all.faults.push(...faults);
    all.doubts.push(...doubts);
  }
  return all;
}
