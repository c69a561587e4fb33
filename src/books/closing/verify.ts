/** Reads the papers of a closed month back: each by its digest, none more and none less. It needs neither the service nor the books. */
import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, refuse } from '../../core/problem.ts';
import type { DataOf } from '../../frame/shape.ts';
import { MANIFEST, type Manifest, SOURCES } from './close.ts';
import { type closingFileShape, closingManifestShape } from './shapes.ts';

export type ClosingFile = DataOf<typeof closingFileShape>;

export interface Verified {
  manifest: Manifest;
  /** SHA-256 of the manifest itself, in hex. */
  digest: string;
  files: ClosingFile[];
}

/** A manifest names a dozen files. */
const MOST_BYTES = 4_000_000;

/** @param folder an absolute path. @throws Problem (not found, check) where there is no manifest, or one that cannot be read */
export async function verifyClosing(folder: string): Promise<Verified> {
  const text = manifestIn(folder);
  const manifest = readManifest(text, folder);
  const files: ClosingFile[] = [];
  for (const one of manifest.files) files.push(await standing(folder, one));
  const known = new Set([MANIFEST, ...manifest.files.map(({ name }) => name)]);
  for (const name of filesIn(folder))
    if (!known.has(name))
      files.push({ name, what: null, state: 'not in the manifest', bytes: null, sha256: null });
  return { manifest, digest: createHash('sha256').update(text).digest('hex'), files };
}

function manifestIn(folder: string): Uint8Array {
  const path = join(folder, MANIFEST);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined)
    throw refuse(
      'not_found',
      'no_manifest',
      `${folder} has no ${MANIFEST}: remit did not write this folder, or somebody removed the manifest`,
    );
  if (!stats.isFile() || stats.size > MOST_BYTES) throw strange(folder);
  return readFileSync(path);
}

function readManifest(bytes: Uint8Array, folder: string): Manifest {
  let whole: { version?: unknown; kind?: unknown; data?: unknown } | null;
  try {
    whole = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw strange(folder);
  }
  const { kind, version, schema } = closingManifestShape;
  if (whole?.kind !== kind || whole.version !== version) throw strange(folder);
  const read = schema.safeParse(whole.data);
  if (!read.success) throw strange(folder);
  return read.data;
}

const strange = (folder: string): Problem =>
  refuse(
    'check',
    'strange_manifest',
    `${join(folder, MANIFEST)} is not a manifest that remit wrote, or it was changed`,
  );

async function standing(
  folder: string,
  { name, what, bytes, sha256 }: Manifest['files'][number],
): Promise<ClosingFile> {
  const path = join(folder, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { name, what, state: 'missing', bytes, sha256 };
  const isSame = stats.isFile() && (await digestOfFile(path)) === sha256;
  return { name, what, state: isSame ? 'same' : 'changed', bytes, sha256 };
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Everything in the folder and in that of its sources, but the latter itself. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => {
      if (name !== SOURCES || !lstatSync(join(folder, name)).isDirectory()) return [name];
      return readdirSync(join(folder, name))
        .sort()
        .map((inner) => `${SOURCES}/${inner}`);
    });
