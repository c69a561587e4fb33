/**
 * The ways in which a partner's program is met, in the order in which they tell most: the first ones have cost real customers money, and each
 * happens to real partners.
 */
interface LossModeInfo {
  /** `call`: one write of the program. `kill`: the program itself, at one of its writes. `webhook`: every delivery of the case. */
  place: 'call' | 'kill' | 'webhook';
  summary: string;
  /** The write was done: a second send without a look may pay twice. */
  done?: true;
  /** It lasts until the program gives up: its own time-out is what a case costs. */
  waits?: true;
}

export const lossModes = {
  cut: { place: 'call', done: true, summary: 'it was done, and the connection breaks before the answer' },
  'error-after': { place: 'call', done: true, summary: 'it was done, and a gateway answers 502' },
  blind: {
    place: 'call',
    done: true,
    summary: 'it was done, the connection breaks, and the next five look-ups are answered 503',
  },
  twice: {
    place: 'call',
    done: true,
    summary: 'a relay sends it twice, and hands on the answer to the second',
  },
  'kill-done': {
    place: 'kill',
    done: true,
    summary: 'it was done, and the program is killed before the answer',
  },
  'not-found-after': { place: 'call', done: true, summary: 'it was done, and a gateway answers 404' },
  'refused-after': { place: 'call', done: true, summary: 'it was done, and a gateway answers 401' },
  half: { place: 'call', done: true, summary: 'it was done, and the answer breaks off in the middle' },
  'error-before': { place: 'call', summary: 'nothing was done, and the answer is 503' },
  'cut-before': { place: 'call', summary: 'nothing was done, and the connection breaks' },
  limited: { place: 'call', summary: 'nothing was done, and the answer is 429 with Retry-After: 1' },
  'kill-before': {
    place: 'kill',
    summary: 'the program is killed as the request arrives, and nothing is done',
  },
  'kill-after': {
    place: 'kill',
    done: true,
    summary: 'the program is killed just after the answer has left',
  },
  'webhook-first': { place: 'webhook', summary: 'webhooks come before the answer to the write' },
  'webhook-twice': { place: 'webhook', summary: 'every webhook comes twice, each with a nonce of its own' },
  'webhook-missigned': { place: 'webhook', summary: 'every webhook has a wrong signature' },
  'webhook-never': { place: 'webhook', summary: 'no webhook comes' },
  late: {
    place: 'call',
    waits: true,
    summary: 'it lies somewhere until the program gives up, and is done then',
  },
  hang: { place: 'call', done: true, waits: true, summary: 'it was done, and no answer ever comes' },
  slow: { place: 'call', done: true, waits: true, summary: 'it was done, and the answer comes after 5 s' },
} as const satisfies Record<string, LossModeInfo>;

export type LossMode = keyof typeof lossModes;

export const lossModeNames = Object.keys(lossModes) as LossMode[];

export const lossModeInfo = (way: LossMode): LossModeInfo => lossModes[way];

export const isLossMode = (text: string): text is LossMode => Object.hasOwn(lossModes, text);
