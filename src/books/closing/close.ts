/**
 * Closes a month: its papers go into a new folder with a manifest of their digests, and the books date nothing into it any more. Nothing
 * is locked at the service.
 *
 * If the process dies: while the papers are written, `FOLDER.part` is left, and the month is open; once the books know that it is closed,
 * `FOLDER.part` is whole, and closing again gives it its name; after that, all is done.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { counted } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import { interrupted, type Problem, refuse, usage } from '../../core/problem.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { Desk } from '../../payments/desk.ts';
import { storeAccountOf } from '../../payments/shared-store.ts';
import type { Books, MonthClosing } from '../store/port.ts';
import type { ExaminedMonth } from './examine.ts';
import { closingManifestShape, type monthClosedShape } from './shapes.ts';

export type Manifest = DataOf<typeof closingManifestShape>;
export type MonthClosed = DataOf<typeof monthClosedShape>;

/** A file of the folder; sources come from the user, papers are made from them. */
export interface Paper {
  /** `statement.csv`, or below `sources/`. */
  name: string;
  what: string;
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

interface CloseRequest {
  /** An absolute path. */
  folder: string;
  papers: readonly Paper[];
  withOpen: boolean;
  /** The month is closed: the books keep this manifest in place of the earlier one. */
  again: boolean;
}

export const MANIFEST = 'manifest.json';
export const SOURCES = 'sources';
const NOT_LOCKED =
  'These papers are how the books stood when the month was closed. Nothing is locked at the service: a payment of this month can still be refunded or corrected there. The books date that into the month in which it comes.';

/**
 * Gives the papers of a closing that died on its last step their name. Undefined where there is none.
 *
 * @param folder an absolute path
 */
export async function finishClosing(
  books: Books,
  month: string,
  folder: string,
): Promise<MonthClosed | undefined> {
  const closing = (await books.closings()).find((one) => one.month === month);
  const part = partOf(folder);
  if (closing === undefined || existsSync(folder) || !existsSync(join(part, MANIFEST))) return undefined;
  const text = await readFile(join(part, MANIFEST), 'utf8');
  if (digestOf(text) !== closing.manifest) return undefined;
  await rename(part, folder);
  const { data } = JSON.parse(text) as { data: Manifest };
  return closedOf(data, { folder, digest: closing.manifest });
}

/**
 * @throws Problem (check) where something is open, (usage) where the folder is there, (conflict) where the books changed meanwhile: then
 * nothing is closed
 */
export async function closeMonth(
  desk: Desk,
  books: Books,
  month: ExaminedMonth,
  { folder, papers, withOpen, again }: CloseRequest,
): Promise<MonthClosed> {
  if (month.open.length > 0 && !withOpen) throw stillOpen(month);
  const part = await makeFolder(folder);
  let closing: MonthClosing | undefined;
  try {
    const files: Manifest['files'] = [];
    for (const paper of papers) {
      if (desk.signal.aborted) throw interrupted();
      files.push({
        name: paper.name,
        what: paper.what,
        ...(await write(join(part, paper.name), paper.pieces)),
      });
    }
    const closedAt = desk.clock.now();
    const made = await manifestOf(desk, month, { files, closedAt });
    const { version, kind } = closingManifestShape;
    const text = `${JSON.stringify({ version, kind, data: made }, undefined, 2)}\n`;
    await write(join(part, MANIFEST), [text]);
    for (const written of [join(part, SOURCES), part]) await settle(written);
    const own: MonthClosing = {
      ...{ month: month.month, zone: month.zone, from: month.from, to: month.to },
      ...{ closedAt, knownUntil: month.knownUntil, manifest: digestOf(text), moved: month.moved },
    };
    closing = own;
    if (!(await books.closeMonth(own, again))) throw changed(month.month);
    await rename(part, folder);
    return closedOf(made, { folder, digest: own.manifest });
  } catch (error) {
    if (!(await mayBeKept(books, closing))) await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** True for papers of a closing that the books know, or may know: they are never removed. */
async function mayBeKept(books: Books, closing: MonthClosing | undefined): Promise<boolean> {
  if (closing === undefined) return false;
  try {
    return (await books.closings()).some(({ manifest }) => manifest === closing.manifest);
  } catch {
    return true;
  }
}

const partOf = (folder: string): string => `${folder}.part`;

/** @throws Problem (usage) */
async function makeFolder(folder: string): Promise<string> {
  const part = partOf(folder);
  if (existsSync(folder)) throw usage(`${folder} is there already`, 'choose another name, or remove it');
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  try {
    await mkdir(part, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw usage(`${part} is there: a closing was broken off, or goes on`, 'remove it if none goes on');
  }
  await mkdir(join(part, SOURCES), { mode: 0o700 });
  return part;
}

/** On the disk when it returns. */
async function write(
  path: string,
  pieces: Paper['pieces'],
): Promise<Pick<Manifest['files'][number], 'bytes' | 'sha256'>> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The names in a folder are on the disk when it returns, where the system can say so. */
async function settle(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function manifestOf(
  desk: Desk,
  { month, zone, from, to, knownUntil, statement, inFlight, open: points }: ExaminedMonth,
  { files, closedAt }: { files: Manifest['files']; closedAt: number },
): Promise<Manifest> {
  const connection = await desk.connection();
  return {
    ...{ month, zone, from: isoTime(from), until: isoTime(to) },
    account: storeAccountOf(connection).short,
    environment: connection.environment,
    closed_at: isoTime(closedAt),
    known_until: isoTime(knownUntil),
    says: NOT_LOCKED,
    balances: statement.accounts.map(({ totals }) => totals),
    in_flight: inFlight.balances,
    open: points.length,
    corrections: [...statement.corrections],
    files,
  };
}

const closedOf = (
  { month, zone, files, open: points, closed_at, known_until }: Manifest,
  { folder, digest }: { folder: string; digest: string },
): MonthClosed => ({
  ...{ month, zone, folder, files: files.length, open: points },
  ...{ manifest: digest, closed_at, known_until },
});

const stillOpen = ({ month, open: { length } }: ExaminedMonth): Problem =>
  refuse('check', 'open_differences', `${month} has ${counted(length, 'open difference')}: it is not closed`);

const changed = (month: string): Problem =>
  refuse(
    'conflict',
    'books_changed',
    `the books changed while ${month} was closed: it is not closed, and its papers are gone`,
    { hint: 'run it again' },
  );
