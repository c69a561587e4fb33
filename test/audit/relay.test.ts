/** Each way, as the service and the program see it: what was done, when, and what the program is told. */
import { describe, expect, it } from 'vitest';
import { type LossMode, lossModeInfo, lossModeNames } from '../../src/audit/loss-modes.ts';
import { Relay } from '../../src/audit/relay.ts';
import { keyOf } from '../../src/audit/writes.ts';
import type { RawAnswer } from '../../src/sandbox/http/answer.ts';
import { real } from '../support/clock.ts';
import { credentials, HOST, paymentBody, startBench } from '../support/sandbox.ts';

const operation = 'transactions.create_and_fund';
const body = JSON.stringify(paymentBody('wages-1'));
const headers = {
  host: HOST,
  'content-type': 'application/json',
  'authorization-key': credentials.key,
  'authorization-secret': credentials.secret,
};

async function met(way: LossMode) {
  const { sandbox } = await startBench();
  const write = keyOf({ operation, body }, new Map());
  let killed = 0;
  const relay = new Relay({
    handle: (request) => sandbox.handle(request),
    case: [{ way, write, nth: 1 }],
    ...{ unstable: new Map(), now: real.now, patienceMs: 10_000 },
    kill: () => {
      killed += 1;
    },
  });
  const gone = new AbortController();
  const paid = (): number => [...sandbox.payouts()].length;
  const send = (): Promise<RawAnswer> =>
    relay.handle({
      method: 'POST',
      url: '/v1/transactions/create_and_fund',
      headers,
      body,
      gone: () => gone.signal,
    });
  const look = async (): Promise<number> =>
    (await relay.handle({ method: 'GET', url: '/v1/transactions?external_id=wages-1', headers })).status;
  return { relay, send, look, paid, gone, killed: () => killed };
}

/** The end of the connection where there is one, else the status. */
const toldBy = ({ cut, status }: RawAnswer): string | number => cut ?? status;

describe('a write is met by', () => {
  const calls = lossModeNames.filter(
    (way) => lossModeInfo(way).place !== 'webhook' && !lossModeInfo(way).waits,
  );
  it.each(calls)('%s: it was done, or not, as the table of ways says', async (way) => {
    const { send, paid, relay } = await met(way);
    await send();
    expect(paid()).toBe(lossModeInfo(way).done ? 1 : 0);
    expect(relay.met.size).toBe(1);
    // Only the first of this content is met.
    if (!lossModeInfo(way).done) expect((await send()).status).toBe(201);
  });

  it.each<[LossMode, string | number]>([
    ['cut', 'reset'],
    ['half', 'half'],
    ['error-after', 502],
    ['not-found-after', 404],
    ['refused-after', 401],
    ['error-before', 503],
    ['cut-before', 'reset'],
    ['limited', 429],
    ['kill-after', 201],
  ])('%s: the program is told %s', async (way, told) => {
    const { send } = await met(way);
    expect(toldBy(await send())).toBe(told);
  });

  it('twice: the service refuses the second, and that is what the program is told', async () => {
    const { send, paid } = await met('twice');
    expect(toldBy(await send())).toBe(422);
    expect(paid()).toBe(1);
  });

  it('blind: five look-ups are away, and the sixth is not', async () => {
    const { send, look } = await met('blind');
    await send();
    const looks: number[] = [];
    for (let at = 0; at < 6; at++) looks.push(await look());
    expect(looks).toEqual([503, 503, 503, 503, 503, 200]);
  });

  it('late: nothing is done before the program has gone, and it is done then', async () => {
    const { send, look, paid, gone } = await met('late');
    const answer = send();
    // A request behind it is answered: it would be done by now.
    expect(await look()).toBe(200);
    expect(paid()).toBe(0);
    gone.abort();
    expect(toldBy(await answer)).toBe('reset');
    expect(paid()).toBe(1);
  });

  it.each<[LossMode, string | number]>([
    ['hang', 'reset'],
    ['slow', 201],
  ])('%s: it is done at once, and no answer comes while the program waits', async (way, told) => {
    const { send, look, paid, gone } = await met(way);
    let isAnswered = false;
    const answer = send().finally(() => {
      isAnswered = true;
    });
    expect(await look()).toBe(200);
    expect([paid(), isAnswered]).toEqual([1, false]);
    gone.abort();
    expect(toldBy(await answer)).toBe(told);
  });

  it.each<LossMode>(['kill-before', 'kill-done'])('%s: the program is killed once', async (way) => {
    const { send, killed } = await met(way);
    await send();
    expect(killed()).toBe(1);
  });
});
