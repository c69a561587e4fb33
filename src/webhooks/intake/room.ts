/**
 * The memory that all bodies share which are arriving, or have arrived and are being worked on (decision 0024). Each is charged what it
 * holds. When nothing is left, the slowest give way to who asks: thousands of stalled senders must not keep out one that sends.
 */

export interface BodyMemory {
  /** Bytes that are free. */
  readonly left: number;
  /** A place for one body, from when its first bytes are here. */
  enter(sender: BodySource): BodyShare;
}

export interface BodySource {
  /** Where it comes from; all that is not known is one address. */
  address: string;
  /** The bytes that it announced; 0 where it did not say. */
  announced: number;
  /** Called when its place is taken: it holds nothing any more. */
  onTaken: () => void;
}

export interface BodyShare {
  /** Charges so many bytes from now on, of a body of which so many are `received`. False, and nothing changed, where there is no room. */
  hold(bytes: number, received: number): boolean;
  /** The body is whole: its place is never taken. */
  keep(): void;
  /** Gives everything back. */
  leave(): void;
}

export interface RoomOptions {
  bytes: number;
  /** The bytes that are left to small bodies, as deliveries are. */
  reserve: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

/** A delivery is a few kilobytes. */
const SMALL_BYTES = 64 * 1024;
/** Tells whose bytes came just now is not slow yet. */
const YOUNG_MS = 250;
/** The service has few addresses, and each sends few deliveries at once. */
const FEW_OF_ADDRESS = 64;
/** To find the slowest, all are looked at: so much of the room is freed by one look. */
const FREED_AT_ONCE = 1 / 64;

const RESERVE_BYTES = 4 * 1024 * 1024;

/** A room in which two of the largest bodies fit, whatever the small ones have. */
export const createBodyRoom = (bytes: number, maxBytes: number): BodyMemory =>
  createRoom({
    bytes: Math.max(bytes, RESERVE_BYTES + 2 * maxBytes),
    reserve: RESERVE_BYTES,
    now: () => performance.now(),
  });

interface Guest extends BodySource {
  since: number;
  held: number;
  received: number;
}

interface Seen {
  guest: Guest;
  isOfMany: boolean;
  /** Bytes a millisecond; infinite while it is young. */
  rate: number;
}

export function createRoom({ bytes, reserve, now }: RoomOptions): BodyMemory {
  let left = bytes;
  /** The bodies that are not whole yet. */
  const arriving = new Set<Guest>();

  const charge = (guest: Guest, held: number): void => {
    left -= held - guest.held;
    guest.held = held;
  };
  const makeRoom = (asker: Guest, missing: number): boolean => {
    const found = slowerThan(asker, arriving, now());
    let freed = 0;
    const enough = Math.max(missing, bytes * FREED_AT_ONCE);
    const given = found.filter(({ guest }) => {
      if (freed >= enough) return false;
      freed += guest.held;
      return true;
    });
    if (freed < missing) return false;
    for (const { guest } of given) {
      arriving.delete(guest);
      charge(guest, 0);
      guest.onTaken();
    }
    return true;
  };

  return {
    get left() {
      return left;
    },
    enter(sender) {
      const guest: Guest = { ...sender, since: now(), held: 0, received: 0 };
      arriving.add(guest);
      let isWhole = false;
      return {
        hold(held, received) {
          if (!isWhole && !arriving.has(guest)) return false;
          guest.received = received;
          const isSmall = Math.max(held, guest.announced) <= SMALL_BYTES;
          const missing = held - guest.held - (left - (isSmall ? 0 : reserve));
          if (held > guest.held && missing > 0 && !makeRoom(guest, missing)) return false;
          charge(guest, held);
          return true;
        },
        keep() {
          isWhole = arriving.delete(guest);
        },
        leave() {
          arriving.delete(guest);
          isWhole = false;
          charge(guest, 0);
        },
      };
    },
  };
}

/**
 * Senders whose place the asker may take, the first to go first: of addresses with many unfinished bodies, if the asker's has few;
 * then senders slower than the asker.
 */
function slowerThan(asker: Guest, arriving: ReadonlySet<Guest>, at: number): Seen[] {
  const counts = new Map<string, number>();
  for (const { address } of arriving) counts.set(address, (counts.get(address) ?? 0) + 1);
  const seenAs = (guest: Guest): Seen => {
    const age = at - guest.since;
    const isOfMany = (counts.get(guest.address) ?? 0) > FEW_OF_ADDRESS;
    return { guest, isOfMany, rate: age < YOUNG_MS ? Number.POSITIVE_INFINITY : guest.received / age };
  };
  const own = seenAs(asker);
  return [...arriving]
    .map(seenAs)
    .filter(
      ({ rate, isOfMany }) =>
        rate !== Number.POSITIVE_INFINITY && (rate < own.rate || (isOfMany && !own.isOfMany)),
    )
    .sort((a, b) => Number(b.isOfMany) - Number(a.isOfMany) || a.rate - b.rate);
}
