/** The glossary: every code, state and event of the contract, offline. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { payinCategories, recipientCategories } from '../../src/contract/categories.ts';
import { recipientCodes } from '../../src/contract/codes.ts';
import { corridorTypes, loadCorridor } from '../../src/contract/corridors/index.ts';
import { eventNames } from '../../src/contract/events.ts';
import { payinMethodStates } from '../../src/contract/states/payin-method.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';
import { senderStates } from '../../src/contract/states/sender.ts';
import { transactionStates } from '../../src/contract/states/transaction.ts';
import { noAccount, useBench } from '../support/cli.ts';

const bench = useBench({ once: true });

interface Entry {
  kind: string;
  name: string;
  meaning: string;
  who: string | null;
  can: string[];
  moves: string[];
  events: string[];
}

const meanings = async (word: string): Promise<Entry[]> => {
  const run = await bench.run(['explain', word, '-o', 'json'], {
    env: noAccount,
  });
  expect(`${word}: ${run.code} ${run.requests.length} ${run.stderr}`).toBe(`${word}: 0 0 `);
  return run.data<{ meanings: Entry[] }>().meanings;
};

const fixture = JSON.parse(
  readFileSync(new URL('../fixtures/contract.json', import.meta.url), 'utf8'),
) as unknown;

describe('every word of the contract is explained, without a profile and without a request', () => {
  it('every state, with what can be done', async () => {
    const machines = { recipient: recipientStates, transaction: transactionStates, sender: senderStates };
    for (const [thing, states] of Object.entries({ ...machines, 'payin method': payinMethodStates }))
      for (const state of Object.keys(states)) {
        const entry = (await meanings(state)).find(({ kind }) => kind === `${thing} state`);
        expect(entry?.meaning, `${thing} ${state}`).toBeTruthy();
        expect(entry?.can.length, `${thing} ${state}`).toBeGreaterThan(0);
      }
  });

  it('every code, with who must act', async () => {
    for (const { code } of recipientCodes) {
      const [entry] = await meanings(code);
      expect(entry).toMatchObject({ kind: 'reason code', name: code });
      expect(entry?.who).toBeTruthy();
      expect(entry?.can).toHaveLength(3);
    }
  });

  it('every category and every event', async () => {
    for (const name of [...Object.keys(recipientCategories), ...Object.keys(payinCategories)])
      expect((await meanings(name)).length, name).toBeGreaterThan(0);
    for (const name of eventNames)
      expect((await meanings(name))[0], name).toMatchObject({ kind: 'event', name });
  });

  it('every payout field of every corridor', async () => {
    const names = new Set<string>();
    for (const { type } of corridorTypes)
      for (const { name } of (await loadCorridor(type))?.recipientKinds.person ?? []) names.add(name);
    expect(names.size).toBeGreaterThan(15);
    for (const name of names)
      expect(
        (await meanings(name)).some(({ kind }) => kind === 'payout field'),
        name,
      ).toBe(true);
  });

  it('every state and event that the interface names', async () => {
    const text = JSON.stringify(fixture);
    for (const event of eventNames.filter((name) => text.includes(`"${name}"`)))
      expect((await meanings(event)).length).toBeGreaterThan(0);
  });
});

describe('what it says', () => {
  it('names the event of a state, and the way to ask for a cancel that is not allowed', async () => {
    const pending = (await meanings('pending')).find(({ kind }) => kind === 'recipient state');
    expect(pending?.events).toEqual(['recipient.pending']);
    expect(pending?.can).toContain('request a cancel from the provider (--request)');
    expect(pending?.moves.some((move) => move.startsWith('-> success:'))).toBe(true);
  });

  it('reads as a person would say it', async () => {
    const run = await bench.run(['explain', '416'], { tty: true });
    expect(run.stdout).toMatchInlineSnapshot(`
      "reason code        416
      means              the account number is wrong
      who must act       you: edit the recipient, or cancel
      you can            edit: possible, and it helps
                         retry: helps only after an edit
                         cancel: at once
      event              recipient.error
      tell the customer  The account number is wrong. Please check it with the recipient.
      note               category: recipient_error; in a collection: invalid_user_data_error
                         the service says: User Error / Invalid user details / Invalid account number
                         usual state: error, or manual after too many tries
      "
    `);
  });

  it('says who must act in every state, and nothing that only a sandbox is told', async () => {
    const all = await bench.run(['explain', '--kind', 'state', '-o', 'json']);
    for (const { who, moves, name } of all.data<Entry[]>()) {
      expect(who, name).toMatch(/^(?:you: |the service: wait|ask the operator|nobody$)/);
      expect(moves.join(), name).not.toContain('sandbox');
    }
    const [manual] = (await meanings('manual')).filter(({ kind }) => kind === 'recipient state');
    expect(manual?.who).toBe('ask the operator; or you: edit it, or cancel it');
  });

  it('takes other spellings of the wire, and other case', async () => {
    expect((await meanings('pickupable'))[0]?.name).toBe('recipient_action_required');
    expect((await meanings('Recipient-Error'))[0]?.name).toBe('recipient_error');
  });

  it('lists all words without one, and only one kind with --kind', async () => {
    const all = await bench.run(['explain', '-o', 'ndjson']);
    expect(all.stdout.split('\n').length).toBeGreaterThan(150);
    const events = await bench.run(['explain', '--kind', 'event', '-o', 'json']);
    expect(events.data<Entry[]>().map(({ name }) => name)).toEqual(eventNames);
  });

  it('an unknown word is exit 6 with the nearest', async () => {
    const run = await bench.run(['explain', 'recipient.eror']);
    expect(run).toMatchObject({ code: 6, stdout: '', requests: [] });
    expect(run.stderr).toContain('did you mean recipient.error?');
  });
});
