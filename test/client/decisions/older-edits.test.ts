/** What becomes of an older edit whose outcome is unknown, when a newer one of the same recipient was answered. */
import { expect, it } from 'vitest';
import { overtakenBy } from '../../../src/client/closing.ts';
import { newIntentOf } from '../../../src/client/intents.ts';
import { judgeOvertaken, lookForOlderEdits } from '../../../src/client/older-edits.ts';
import type { Outcome } from '../../../src/client/outcome.ts';
import { intentsInMemory } from '../../../src/client/store/memory-intents.ts';
import type { Intents } from '../../../src/client/store/port.ts';
import type { Asked, EditAsked } from '../../../src/client/writes.ts';
import type { RecipientEdit } from '../../../src/contract/resources/transaction.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { clientFor, json, lost } from '../../support/scripted.ts';
import { standingClock } from '../../support/stores.ts';

const about = {
  command: 'recipient edit',
  profile: 'p',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010/v1',
  keyLast4: '51ab',
  summary: 's',
  subject: 'r',
};
const details = (map: Record<string, string>): RecipientEdit => ({
  payout_method: { type: 'NGN::Bank', details: map },
});
const edit = (recipient: RecipientEdit): EditAsked => ({ recipientId: 'r', transactionId: 't', recipient });
const shows = (recipient: object, id = 'r') =>
  json(200, { object: { id: 't', recipients: [{ id, ...recipient }] } });

const A: RecipientEdit = details({ bank_account: 'A' });
const B: RecipientEdit = details({ bank_account: 'B' });
const BOTH: RecipientEdit = {
  payout_method: { type: 'NGN::Bank', details: { bank_account: 'B', name: 'Eve' }, metadata: { x: '1' } },
  metadata: { y: '2' },
};
const PART: RecipientEdit = {
  payout_method: { type: 'NGN::Bank', details: {}, metadata: { x: '0' } },
  metadata: { y: '0' },
};

interface Older {
  recipient?: RecipientEdit;
  asked?: Asked;
  subject?: string;
  state?: 'unknown' | 'applied';
}

async function stage(
  older: Older[],
  newer: RecipientEdit,
  answers: Parameters<typeof clientFor>[0],
  later: Older[] = [],
  failing: (intents: Intents) => Partial<Intents> = () => ({}),
) {
  const intents = intentsInMemory({ clock: standingClock(), random: seededRandom(1) });
  const open = async ({ recipient = A, asked, subject = 'r', state }: Older) => {
    const what: Asked = asked ?? { plan: 'edit', ...edit(recipient) };
    const begun = await intents.open(newIntentOf({ ...about, subject }, what, 'x'));
    if (!('opened' in begun)) throw new Error('nobody was asked');
    if (state !== undefined) await intents.close(begun.opened.id, { state, note: 'n' });
    return begun.opened.id;
  };
  const ids: string[] = [];
  for (const one of older) ids.push(await open(one));
  const id = await open({ recipient: newer });
  for (const one of later) ids.push(await open(one));
  const { client, requests } = clientFor(answers);
  const undone = await lookForOlderEdits(client, { ...intents, ...failing(intents) }, { ...edit(newer), id });
  const states = await Promise.all(ids.map(async (one) => (await intents.get(one))?.state));
  return { undone, states, reads: requests.length, id, intents, ids };
}

const dated = (answer: ReturnType<typeof shows>, ms = NOW) => ({
  ...answer,
  headers: { ...answer.headers, date: new Date(ms).toUTCString() },
});
const NOW = Date.parse('2026-01-05T09:00:00Z');
const HOUR = 3_600_000;

it('stays open for an hour of the service, where every member was set again and the recipient shows the newer values', async () => {
  const { undone, states, intents, ids, id } = await stage([{ state: 'unknown' }, {}], B, [dated(shows(B))]);
  expect([undone, states]).toEqual([
    { mayArrive: { until: NOW + HOUR, isLooked: true } },
    ['unknown', 'unknown'],
  ]);
  const older = await intents.get(ids[0] ?? '');
  expect(older).toMatchObject({ note: `overtaken by ${id}`, emptySince: NOW });
  expect(older && overtakenBy(older)).toBe(id);
});

it('may arrive until an hour after the last of them was lost', async () => {
  const { intents, ids, id } = await stage([{}, {}], B, [dated(shows(B), NOW)]);
  const again = async (answer: ReturnType<typeof shows>) =>
    lookForOlderEdits(clientFor([answer]).client, intents, { ...edit(B), id });
  // What was seen lost first keeps its hour.
  await intents.close(ids[0] ?? '', { state: 'unknown', emptySince: NOW - HOUR / 2 });
  await intents.close(ids[1] ?? '', { state: 'unknown', emptySince: NOW - HOUR / 4 });
  expect(await again(dated(shows(B)))).toEqual({
    mayArrive: { until: NOW + (3 * HOUR) / 4, isLooked: true },
  });
  await intents.close(ids[1] ?? '', { state: 'unknown' });
  expect(await again(shows(B))).toEqual({ mayArrive: { until: undefined, isLooked: true } });
  expect(await intents.get(ids[0] ?? '')).toMatchObject({ emptySince: NOW - HOUR / 2 });
});

it('that asked for the same is over: whether it arrives changes nothing', async () => {
  const { undone, states } = await stage([{ recipient: B }], B, [dated(shows(B))]);
  expect([undone, states]).toEqual([undefined, ['conflict']]);
});

it.each<[string, Outcome<{ id: string }>, number | undefined, object]>([
  ['shows it', { kind: 'applied', how: 'found', value: { id: 'r' } }, NOW, { kind: 'conflict', undid: 'B' }],
  ['fails', { kind: 'unknown', error: {} as never }, NOW + HOUR, { kind: 'unknown', error: {} }],
  [
    'does not show it',
    { kind: 'unknown', error: undefined },
    NOW + HOUR - 1,
    { kind: 'unknown', overtakenBy: 'B', overAt: NOW + HOUR },
  ],
  [
    'does not show it after an hour',
    { kind: 'unknown', error: undefined },
    NOW + HOUR,
    { kind: 'conflict', overtakenBy: 'B' },
  ],
  [
    'shows the newer one paid',
    { kind: 'not_applied', error: undefined },
    NOW,
    { kind: 'conflict', overtakenBy: 'B' },
  ],
  [
    'found another',
    { kind: 'conflict', value: {}, differences: ['a'], why: 'it was edited' },
    NOW,
    { kind: 'unknown', overtakenBy: 'B' },
  ],
  [
    'finds it refused',
    { kind: 'not_applied', error: {} as never },
    NOW,
    { kind: 'conflict', overtakenBy: 'B' },
  ],
  ['has no time', { kind: 'unknown', error: undefined }, undefined, { kind: 'unknown', overtakenBy: 'B' }],
])('a look for one that was overtaken %s', (_, looked, date, expected) => {
  const judged = judgeOvertaken(looked, { newer: 'B', since: NOW, date });
  expect(judged).toMatchObject(expected);
  if (judged.kind === 'conflict') expect(judged.differences).toEqual([]);
});

it('undid the newer one, where the recipient shows its values', async () => {
  const { undone, states, ids, id, intents } = await stage([{}, { recipient: B }], BOTH, [
    shows({ ...B, metadata: { y: '2' } }),
  ]);
  expect(undone).toMatchObject({
    kind: 'conflict',
    value: { id: 'r' },
    differences: ['name', 'payout_method.metadata.x'],
    undoneBy: ids[1],
  });
  expect(states).toEqual(['open', 'applied']);
  expect(await intents.get(ids[1] ?? '')).toMatchObject({ resultId: 'r', note: `found; it undid ${id}` });
});

it.each<[string, Older[], RecipientEdit, Parameters<typeof clientFor>[0], Older[], number]>([
  ['there is none', [], B, [shows(B)], [], 0],
  ['it is settled', [{ state: 'applied' }], B, [shows(B)], [], 0],
  ['it is of another recipient', [{ subject: 'q' }], B, [shows(B)], [], 0],
  [
    'it is no edit',
    [{ asked: { plan: 'cancel', recipientId: 'r', transactionId: 't' } }],
    B,
    [shows(B)],
    [],
    0,
  ],
  ['it came later', [], B, [shows(B)], [{}], 0],
  ['it set another detail', [{ recipient: details({ name: 'Eve' }) }], B, [shows(B)], [], 0],
  ['it set more', [{ recipient: BOTH }], B, [shows(BOTH)], [], 0],
  ['it set metadata', [{ recipient: { metadata: { y: '2' } } }], B, [shows(B)], [], 0],
  [
    'it set metadata of the method alone',
    [{ recipient: PART }],
    { metadata: { y: '2' } },
    [shows(BOTH)],
    [],
    0,
  ],
])('stays as it is where %s', async (_, older, newer, answers, later, reads) => {
  const found = await stage(older, newer, answers, later);
  expect([found.undone, found.reads]).toEqual([undefined, reads]);
  expect(found.states).toEqual([...older, ...later].map(({ state }) => state ?? 'open'));
});

it.each<[string, Parameters<typeof clientFor>[0], boolean]>([
  ['cannot be read', [lost], false],
  ['is not there', [shows(B, 'other')], false],
  ['shows neither', [shows(details({ bank_account: 'C' }))], true],
])('may arrive where the recipient %s, and that is said', async (_, answers, isLooked) => {
  const found = await stage([{}], B, answers);
  expect([found.undone, found.states]).toEqual([{ mayArrive: { until: undefined, isLooked } }, ['unknown']]);
});

const gone = () => Promise.reject(new Error('the answer to COMMIT was lost'));
it.each<[string, (intents: Intents) => Partial<Intents>, number]>([
  ['cannot be read', () => ({ list: gone }), 0],
  [
    'cannot be read twice',
    ({ list }) => ({ list: (filter) => (filter?.after === undefined ? list(filter) : gone()) }),
    0,
  ],
  ['cannot be written', () => ({ close: gone }), 1],
])(
  'stays as it is where the journal %s, and the newer one is as it was answered',
  async (_, failing, reads) => {
    const found = await stage([{ state: 'unknown' }, {}], B, [shows(B)], [], failing);
    const undone = reads === 0 ? undefined : { mayArrive: { until: undefined, isLooked: true } };
    expect([found.undone, found.reads, found.states]).toEqual([undone, reads, ['unknown', 'open']]);
  },
);

it('that undid the newer one is told of, though the journal cannot be written', async () => {
  const found = await stage([{}], B, [shows(A)], [], () => ({ close: gone }));
  expect(found.undone).toMatchObject({ kind: 'conflict', undoneBy: found.ids[0] });
  expect(found.states).toEqual(['open']);
});

it('of metadata alone may arrive too', async () => {
  expect((await stage([{ recipient: PART }], BOTH, [shows(BOTH)])).states).toEqual(['unknown']);
});

it('a defect of ours in the look is thrown on', async () => {
  const broken = () => {
    throw new TypeError('x');
  };
  await expect(stage([{}], B, [broken])).rejects.toBeInstanceOf(TypeError);
});

it('a look that has no beginning has no end either', () => {
  const looked: Outcome<{ id: string }> = { kind: 'unknown', error: undefined };
  const judged = judgeOvertaken(looked, { newer: 'B', since: undefined, date: NOW });
  expect(judged).toEqual({ kind: 'unknown', error: undefined, overtakenBy: 'B' });
});
