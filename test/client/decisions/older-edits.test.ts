/** What becomes of an older edit whose outcome is unknown, when a newer one of the same recipient was answered. */
import { expect, it } from 'vitest';
import { newIntentOf } from '../../../src/client/intents.ts';
import { closeOlderEdits } from '../../../src/client/older-edits.ts';
import { intentsInMemory } from '../../../src/client/store/memory-intents.ts';
import type { Intents } from '../../../src/client/store/port.ts';
import type { AskedWrite, EditAsked } from '../../../src/client/writes.ts';
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
  asked?: AskedWrite;
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
    const what: AskedWrite = asked ?? { plan: 'edit', ...edit(recipient) };
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
  const undone = await closeOlderEdits(client, { ...intents, ...failing(intents) }, { ...edit(newer), id });
  const states = await Promise.all(ids.map(async (one) => (await intents.get(one))?.state));
  return { undone, states, reads: requests.length, id, intents, ids };
}

it('is over, where every member was set again and the recipient shows the newer values', async () => {
  const { undone, states, intents, ids, id } = await stage([{ state: 'unknown' }, {}], B, [shows(B)]);
  expect([undone, states]).toEqual([undefined, ['conflict', 'conflict']]);
  expect((await intents.get(ids[0] ?? ''))?.note).toBe(`overtaken by ${id}; it may have stood before`);
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
  ['the recipient cannot be read', [{}], B, [lost], [], 4],
  ['the recipient is not there', [{}], B, [shows(B, 'other')], [], 1],
  ['the recipient shows neither', [{}], B, [shows(details({ bank_account: 'C' }))], [], 1],
])('stays as it is where %s', async (_, older, newer, answers, later, reads) => {
  const found = await stage(older, newer, answers, later);
  expect([found.undone, found.reads]).toEqual([undefined, reads]);
  expect(found.states).toEqual([...older, ...later].map(({ state }) => state ?? 'open'));
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
    expect([found.undone, found.reads, found.states]).toEqual([undefined, reads, ['unknown', 'open']]);
  },
);

it('that undid the newer one is told of, though the journal cannot be written', async () => {
  const found = await stage([{}], B, [shows(A)], [], () => ({ close: gone }));
  expect(found.undone).toMatchObject({ kind: 'conflict', undoneBy: found.ids[0] });
  expect(found.states).toEqual(['open']);
});

it('of metadata alone is over too', async () => {
  expect((await stage([{ recipient: PART }], BOTH, [shows(BOTH)])).states).toEqual(['conflict']);
});

it('a defect of ours in the look is thrown on', async () => {
  const broken = () => {
    throw new TypeError('x');
  };
  await expect(stage([{}], B, [broken])).rejects.toBeInstanceOf(TypeError);
});
