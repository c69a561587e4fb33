/** An observation of a case, and whether it is what was asked for. */
import type { Answered } from './post.ts';

export interface Seen {
  ok: boolean;
  saw: string;
}

/** Any 2xx. */
export function taken(answered: Answered): Seen {
  return { ok: isTaken(answered), saw: sawOf(answered) };
}

export function takenEach(answers: readonly Answered[]): Seen {
  return { ok: answers.every(isTaken), saw: answers.map(sawOf).join(', then ') };
}

/** A 4xx. What breaks instead (5xx) has looked into something that it must not trust yet. */
export function refused(answered: Answered): Seen {
  return {
    ok: 'status' in answered && answered.status >= 400 && answered.status < 500,
    saw: sawOf(answered),
  };
}

const isTaken = (answered: Answered): boolean =>
  'status' in answered && answered.status >= 200 && answered.status < 300;

function sawOf(answered: Answered): string {
  if ('error' in answered) return answered.error;
  const redirect = answered.status >= 300 && answered.status < 400;
  return redirect ? `${answered.status}, and no redirect is followed` : String(answered.status);
}
