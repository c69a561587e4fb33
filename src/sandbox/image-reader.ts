/**
 * Reads a snapshot's unpacked text piece by piece, within bounds (decision 0024): how much it may unpack to, and how long a line
 * may be. Its sum is over all lines but the last, which carries it.
 */
import { createHash } from 'node:crypto';

/** These bytes are no snapshot that can be restored; the message says why. Nothing was changed. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

export const IMAGE_VERSION = 1;
export const DAMAGED = 'the snapshot is damaged or cut short';
export const NO_SNAPSHOT = 'this is no snapshot of a sandbox';

export interface ImageLimits {
  maxBytes: number;
  maxLineBytes: number;
}

/** A document may have twelve megabytes, and stands in one line. */
export const imageLimits: ImageLimits = { maxBytes: 512 * 1_048_576, maxLineBytes: 32 * 1_048_576 };

const NEWLINE = 10;

export class ImageReader {
  readonly #limits: ImageLimits;
  readonly #sum = createHash('sha256');
  readonly #lines: unknown[] = [];
  #open: Uint8Array[] = [];
  #openBytes = 0;
  #bytes = 0;
  #last: string | undefined;
  #count = 0;

  constructor(limits: ImageLimits = imageLimits) {
    this.#limits = limits;
  }

  /** @throws SnapshotError as soon as it shows that this is none, or too much */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.maxBytes) throw new SnapshotError('the snapshot is too large unpacked');
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#grow(chunk.subarray(from, at));
      this.#line(Buffer.concat(this.#open).toString('utf8'));
      this.#open = [];
      this.#openBytes = 0;
      from = at + 1;
    }
    this.#grow(chunk.subarray(from));
  }

  /** Returns what every line but the first and the last says. @throws SnapshotError where it is not whole */
  end(): unknown[] {
    if (this.#count === 0) throw new SnapshotError(NO_SNAPSHOT);
    const end = parsed(this.#last ?? '');
    const whole = this.#openBytes === 0 && member(end, 'lines') === this.#count;
    if (!whole || member(end, 'sha256') !== this.#sum.digest('hex')) throw new SnapshotError(DAMAGED);
    return this.#lines;
  }

  #grow(part: Uint8Array): void {
    this.#openBytes += part.length;
    if (this.#openBytes > this.#limits.maxLineBytes)
      throw new SnapshotError('a line of the snapshot is too long');
    if (part.length > 0) this.#open.push(part);
  }

  /** A line counts once another follows it. */
  #line(text: string): void {
    const before = this.#last;
    this.#last = text;
    if (before === undefined) return;
    this.#sum.update(this.#count === 0 ? before : `\n${before}`);
    this.#count += 1;
    const value = parsed(before);
    if (this.#count === 1) checkVersion(value);
    else this.#lines.push(value);
  }
}

function checkVersion(first: unknown): void {
  const version = member(first, 'remit_sandbox_snapshot');
  if (version === undefined) throw new SnapshotError(NO_SNAPSHOT);
  if (version !== IMAGE_VERSION)
    throw new SnapshotError(`the snapshot has version ${version}, not ${IMAGE_VERSION}`);
}

/** Undefined for what is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}
