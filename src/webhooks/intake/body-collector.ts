/** One body out of its pieces, in memory of our own: nothing of what the pieces were cut from is held, however small they are. */
import type { BodyMemory, BodyShare } from './room.ts';

export interface BodyLimits {
  maxBytes: number;
  /** For all connections together: neither many slow senders nor many fast ones fill the memory. */
  room: BodyMemory;
}

/** Tells who sends a body. */
export interface BodySender {
  /** Its Content-Length, if it has one. */
  announced: string | null | undefined;
  /** Where it comes from; empty where that is not known. */
  address: string;
  /** Called when its place was needed for others: it is answered 503, and what still comes is not read. */
  onTaken: () => void;
}

export type BodyRefusal = 'too_large' | 'too_fine' | 'no_room';

export interface BodyCollector {
  /** Null while it may go on; after a refusal nothing is held. */
  add(piece: Uint8Array): BodyRefusal | null;
  /** The whole, in a buffer of just that size. */
  whole(): Uint8Array;
  /** Gives the room back, once nothing holds the body any more. */
  letGo(): void;
}

/**
 * The first bytes of memory that are taken. An announced length is not believed: memory doubles each time that it is
 * full.
 */
const FIRST = 256;
/** Each piece costs time, however small it is: these are free, and after them each has to bring so many bytes. */
const FREE_PIECES = 16_384;
const BYTES_A_PIECE = 64;

export function collectBody(
  { maxBytes, room }: BodyLimits,
  { announced, address, onTaken }: BodySender,
): BodyCollector {
  const expected = Number(announced ?? 0) || 0;
  let own: Uint8Array = NOTHING;
  let place: BodyShare | undefined;
  let length = 0;
  let pieces = 0;

  const enter = (): BodyShare =>
    room.enter({
      address,
      announced: expected,
      onTaken: () => {
        own = NOTHING;
        onTaken();
      },
    });
  const letGo = (): void => {
    place?.leave();
    own = NOTHING;
  };
  const refuse = (why: BodyRefusal): BodyRefusal => {
    letGo();
    return why;
  };
  const grownFor = (needed: number): number => {
    const most = expected >= needed ? Math.min(expected, maxBytes) : maxBytes;
    return Math.min(Math.max(needed, 2 * own.length, FIRST), most);
  };

  return {
    add(piece) {
      const needed = length + piece.length;
      if (needed > maxBytes) return refuse('too_large');
      if (++pieces > FREE_PIECES && needed < (pieces - FREE_PIECES) * BYTES_A_PIECE)
        return refuse('too_fine');
      const isWhole = length === 0 && needed === expected && pinsLittle(piece);
      const size = isWhole ? piece.buffer.byteLength : needed > own.length ? grownFor(needed) : own.length;
      place ??= enter();
      if (!place.hold(size, needed)) return refuse('no_room');
      if (isWhole) own = piece;
      else {
        if (size > own.length) own = moved(own.subarray(0, length), size);
        own.set(piece, length);
      }
      length = needed;
      return null;
    },
    whole() {
      if (length < own.length) {
        own = moved(own.subarray(0, length), length);
        place?.hold(length, length);
      }
      place?.keep();
      return own;
    },
    letGo,
  };
}

const NOTHING = new Uint8Array(0);

/** True where the memory that it was cut from is not much more than itself: then it need not be copied. */
const pinsLittle = ({ buffer, length }: Uint8Array): boolean => buffer.byteLength <= length + 1024;

/** The copy is not taken from Node's pool: a small body would keep all that shares its buffer alive. */
function moved(bytes: Uint8Array, size: number): Uint8Array {
  const to = Buffer.allocUnsafeSlow(size);
  to.set(bytes);
  return to;
}
