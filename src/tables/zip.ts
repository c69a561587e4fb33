/**
 * A ZIP archive that is written as it comes, in constant memory. Each piece of an entry is packed on its own and ends on a whole byte, so that
 * pieces stand one behind the other. No time of day is in it: the same content gives the same bytes.
 */
import assert from 'node:assert/strict';
import { constants, crc32, deflateRawSync } from 'node:zlib';

interface Entry {
  name: string;
  /** Where its header stands. */
  at: number;
  crc: number;
  size: number;
  packed: number;
}

const VERSION = 20;
/** Checksum and sizes stand behind the content. */
const SIZES_BEHIND = 0x0008;
const DEFLATED = 8;
/** 1 January 1980: the first day that the format knows. */
const NO_DAY = 0x0021;
/** An empty piece that is marked as the last. */
const LAST_PIECE = Buffer.from([0x03, 0x00]);
const MOST = 0xffff_ffff;

export interface Zip {
  /** Begins an entry. Each function returns the bytes to write. */
  begin(name: string): Buffer;
  /** Adds to the entry that was begun last. */
  add(text: string): Buffer;
  /** Ends that entry. */
  finish(): Buffer;
  /** Ends the archive. */
  end(): Buffer;
}

export function openZip(): Zip {
  const entries: Entry[] = [];
  let offset = 0;
  const written = (...parts: Buffer[]): Buffer => {
    const bytes = Buffer.concat(parts);
    offset += bytes.length;
    return bytes;
  };
  const current = (): Entry => {
    const last = entries.at(-1);
    assert(last !== undefined, 'an entry was begun');
    return last;
  };
  return {
    begin(name) {
      entries.push({ name, at: offset, crc: 0, size: 0, packed: 0 });
      return written(
        numbers([4, 0x04034b50], [2, VERSION], ...kind, [4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]),
        Buffer.from(name),
      );
    },
    add(text) {
      const entry = current();
      const bytes = Buffer.from(text);
      const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      entry.packed += packed.length;
      return written(packed);
    },
    finish() {
      const entry = current();
      entry.packed += LAST_PIECE.length;
      assert(entry.size <= MOST, 'an entry has less than 4 GB');
      return written(LAST_PIECE, numbers([4, 0x08074b50], ...sizes(entry)));
    },
    end() {
      const at = offset;
      const listed = entries.map((entry) => written(listedEntry(entry)));
      assert(offset <= MOST, 'an archive has less than 4 GB');
      const count = entries.length;
      const last = numbers(
        ...([
          [4, 0x06054b50],
          [2, 0],
          [2, 0],
          [2, count],
          [2, count],
        ] as const),
        ...([
          [4, offset - at],
          [4, at],
          [2, 0],
        ] as const),
      );
      return Buffer.concat([...listed, last]);
    },
  };
}

type Field = readonly [bytes: 2 | 4, value: number];

const kind: readonly Field[] = [
  [2, SIZES_BEHIND],
  [2, DEFLATED],
  [2, 0],
  [2, NO_DAY],
];
const sizes = ({ crc, packed, size }: Entry): readonly Field[] => [
  [4, crc],
  [4, packed],
  [4, size],
];

function listedEntry(entry: Entry): Buffer {
  const { name, at } = entry;
  const none: readonly Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
  ];
  return Buffer.concat([
    numbers(
      [4, 0x02014b50],
      [2, VERSION],
      [2, VERSION],
      ...kind,
      ...sizes(entry),
      [2, name.length],
      ...none,
      [4, at],
    ),
    Buffer.from(name),
  ]);
}

/** The least byte of a number comes first. */
function numbers(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((length, [size]) => length + size, 0));
  let at = 0;
  for (const [size, value] of fields) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}
