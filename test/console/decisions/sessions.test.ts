/** Codes that are good once, the sessions that they give, and what ends those. */
import { beforeEach, describe, expect, it } from 'vitest';
import { IDLE_MS, Sessions, serverProof } from '../../../src/console/sessions.ts';

let now: number;
let uptime: number;
let made: number;
let sessions: Sessions;

beforeEach(() => {
  now = 1_767_603_600_000;
  uptime = 5_000_000;
  made = 0;
  sessions = new Sessions({ now: () => now, uptime: () => uptime }, () => `secret-${++made}`);
});

function pass(ms: number): void {
  now += ms;
  uptime += ms;
}
function opened() {
  const code = sessions.issueCode();
  const exchanged = sessions.exchange(code);
  if (exchanged.kind !== 'session') throw new Error(exchanged.kind);
  const session = sessions.find(exchanged.token);
  if (session === undefined) throw new Error('no session');
  return { code, session };
}

describe('a code', () => {
  it('gives a session within half a minute, and not after it', () => {
    const [early, late] = [sessions.issueCode(), sessions.issueCode()];
    pass(30_000);
    expect(sessions.exchange(early).kind).toBe('session');
    pass(1);
    expect(sessions.exchange(late)).toEqual({ kind: 'too late' });
    // And is no more than an unknown one from then on.
    expect(sessions.exchange(late)).toEqual({ kind: 'too late' });
  });

  it('that comes twice ends the session that it gave, and no other', () => {
    const other = opened();
    const { code, session } = opened();
    expect(sessions.exchange(code)).toEqual({ kind: 'used' });
    expect(sessions.find(session.token)).toBeUndefined();
    expect(sessions.find(other.session.token)).toBeDefined();
    pass(24 * 3_600_000);
    expect(sessions.exchange(code)).toEqual({ kind: 'used' });
  });

  it('that nobody gave is none', () => {
    for (const code of ['', 'secret-1', 'secret-99']) expect(sessions.exchange(code).kind).toBe('too late');
  });

  it('is no token, and a token is no code', () => {
    const { code, session } = opened();
    expect(sessions.find(code)).toBeUndefined();
    expect(sessions.exchange(session.token).kind).toBe('too late');
  });
});

describe('a session', () => {
  it('goes idle after half an hour without a key or a click, and stays so', () => {
    const { session } = opened();
    pass(IDLE_MS);
    expect(sessions.isIdle(session)).toBe(false);
    sessions.wake(session);
    pass(IDLE_MS);
    expect(sessions.isIdle(session)).toBe(false);
    pass(1);
    expect(sessions.isIdle(session)).toBe(true);
    sessions.wake(session);
    expect(sessions.isIdle(session)).toBe(true);
    // It goes on reading.
    expect(sessions.find(session.token)).toBe(session);
  });

  it('goes idle while the machine sleeps, whichever clock stands still', () => {
    const { session } = opened();
    now += IDLE_MS + 1;
    expect(sessions.isIdle(session)).toBe(true);
    const { session: second } = opened();
    uptime += IDLE_MS + 1;
    now -= 3_600_000;
    expect(sessions.isIdle(second)).toBe(true);
  });

  it('goes by the one clock that there is', () => {
    const alone = new Sessions({ now: () => now }, () => `secret-${++made}`);
    const exchanged = alone.exchange(alone.issueCode());
    const session = alone.find(exchanged.kind === 'session' ? exchanged.token : '');
    expect(session && alone.isIdle(session)).toBe(false);
    now += IDLE_MS + 1;
    expect(session && alone.isIdle(session)).toBe(true);
  });

  it('is found by its whole token', () => {
    const { session } = opened();
    for (const token of ['', session.token.slice(0, -1), `${session.token} `, session.token.toUpperCase()])
      expect(sessions.find(token), token).toBeUndefined();
  });
});

describe('the proof of an answer', () => {
  const answer = { nonce: 'nonce', status: 200, body: '{"a":1}' };
  it('changes with each part of the answer, and with the token', () => {
    const all = [
      serverProof('token', answer),
      serverProof('other', answer),
      serverProof('token', { ...answer, nonce: 'nonce2' }),
      serverProof('token', { ...answer, status: 201 }),
      serverProof('token', { ...answer, body: '{"a":2}' }),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(serverProof('token', answer)).toBe(all[0]);
  });
});
