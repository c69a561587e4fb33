/**
 * Codes and sessions. What opens the browser can be read by other users of the machine (an argument of a process), so it carries a
 * code that is good once and for half a minute; the page exchanges it for a token, which is never in an address. A code that comes a
 * second time ends the session that it gave: another user had it.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';

/** A code opens a page within this time. */
const CODE_MS = 30_000;
/** Without a key or a click for so long a session may no longer write, nor see what is masked. */
export const IDLE_MS = 30 * 60_000;

export interface Session {
  readonly token: string;
  /** By both clocks: one may stand still while the machine sleeps, the other may be set back. */
  awakeAt: { now: number; uptime: number };
}

export type Exchanged = { kind: 'session'; token: string } | { kind: 'too late' } | { kind: 'used' };

interface Code {
  until: number;
  /** The session that it gave. */
  gave: string | undefined;
}

export class Sessions {
  readonly #codes = new Map<string, Code>();
  readonly #sessions = new Map<string, Session>();

  /** @param secret 256 bits as text of an address, each time others */
  constructor(
    private readonly clock: Clock,
    private readonly secret: () => string,
  ) {}

  issueCode(): string {
    const code = this.secret();
    this.#codes.set(printOf(code), { until: this.#uptime() + CODE_MS, gave: undefined });
    return code;
  }

  exchange(code: string): Exchanged {
    const known = this.#codes.get(printOf(code));
    if (known === undefined) return { kind: 'too late' };
    if (known.gave !== undefined) {
      this.#sessions.delete(known.gave);
      return { kind: 'used' };
    }
    // A code that came too late is used up by that.
    if (this.#uptime() > known.until) {
      this.#codes.delete(printOf(code));
      return { kind: 'too late' };
    }
    const token = this.secret();
    known.gave = printOf(token);
    this.#sessions.set(known.gave, { token, awakeAt: this.#moment() });
    return { kind: 'session', token };
  }

  /** Looks by the print and compares the token itself in constant time. */
  find(token: string): Session | undefined {
    const session = this.#sessions.get(printOf(token));
    return session !== undefined && isSame(session.token, token) ? session : undefined;
  }

  /** A key or the mouse was used. One that went idle stays so: a new code goes on. */
  wake(session: Session): void {
    if (!this.isIdle(session)) session.awakeAt = this.#moment();
  }

  isIdle({ awakeAt }: Session): boolean {
    const { now, uptime } = this.#moment();
    return Math.max(now - awakeAt.now, uptime - awakeAt.uptime) > IDLE_MS;
  }

  #moment(): { now: number; uptime: number } {
    return { now: this.clock.now(), uptime: this.#uptime() };
  }

  #uptime(): number {
    return this.clock.uptime?.() ?? this.clock.now();
  }
}

/** Proves to the page that the server has the token too. */
export const serverProof = (token: string, of: { nonce: string; status: number; body: string }): string =>
  createHmac('sha256', token).update(`${of.nonce}\n${of.status}\n`).update(of.body).digest('base64url');

const printOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
