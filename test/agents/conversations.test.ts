/** Agents that repeat, reorder, give up, rename, invent and are lied to, two at once and a person beside them: one payment each, and true words about it. */
import { expect, it } from 'vitest';
import { converse } from '../support/agent-talk.ts';
import { isLong } from '../support/long.ts';

/** CI takes fewer of the long form: `REMIT_CONVERSATIONS` says how many. */
const CASES = isLong ? Number(process.env.REMIT_CONVERSATIONS ?? 2_000) : 20;
const AT_ONCE = 20;

it.each(Array.from({ length: CASES / AT_ONCE }, (_, part) => part * AT_ONCE))(
  'conversations from %i on',
  async (from) => {
    let payments = 0;
    for (let seed = from + 1; seed <= from + AT_ONCE; seed++) {
      const talked = await converse(seed);
      expect(talked.breaks, `seed ${talked.seed}\n${talked.story.join('\n')}`).toEqual([]);
      payments += talked.payments;
    }
    // What pays nobody proves nothing.
    expect(payments).toBeGreaterThan(AT_ONCE / 4);
  },
);
