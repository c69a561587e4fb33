/** What the gate lets through, asks about and refuses, decision by decision: no transport is ever called. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/core/effect.ts';
import { byName } from '../../../src/payments/confirmation.ts';
import type { Desk, Heard } from '../../../src/payments/desk.ts';
import {
  accountLine,
  authorizeWrite,
  type Confirmable,
  type Confirmer,
  checkPass,
  noConfirmer,
  type Stance,
  type WriteStep,
} from '../../../src/payments/gate.ts';
import type { Amount } from '../../../src/payments/limits.ts';
import type { Connection } from '../../../src/profiles/connection.ts';
import { deskOver } from '../../support/desk.ts';

type Environment = 'sandbox' | 'production';

function deskWith(environment: Environment, limits: Connection['limits'] = {}) {
  const heard: Heard[] = [];
  const transport = async () => {
    throw new Error('the gate sends nothing');
  };
  const desk: Desk = {
    ...deskOver({ transport, clock: { now: () => 0 }, environment, limits }),
    hear: (one) => void heard.push(one),
  };
  return { desk, heard };
}

interface Face {
  stance?: Stance;
  isAttended?: boolean;
  wantsToLook?: boolean;
  yes?: boolean;
}

function face({ stance = { kind: 'asks' }, isAttended = true, wantsToLook = false, yes = true }: Face = {}) {
  const asked: Confirmable[] = [];
  const confirmer: Confirmer = {
    isAttended,
    wantsToLook,
    stance: () => stance,
    confirm: async (question) => {
      asked.push(question);
      return yes;
    },
  };
  return { confirmer, asked };
}

const step = (over: Partial<WriteStep> = {}): WriteStep => ({
  effect: 'money',
  what: ['pay 12.50 EUR'],
  confirm: byName('it'),
  ...over,
});
const paying = (...amounts: [string | null | undefined, string | null | undefined][]): Amount[] =>
  amounts.map(([amount, currency]) => ({ amount, currency }));

describe('the limits of a profile', () => {
  const most = { max_amount: { EUR: '100', GBP: '50' } };

  it.each<[string, Amount[] | undefined]>([
    ['nothing is named', undefined],
    ['one payment is at the limit', paying(['100', 'EUR'])],
    ['several come to the limit', paying(['60', 'EUR'], ['40', 'EUR'])],
    ['each currency stays below its own limit', paying(['90', 'EUR'], ['50', 'GBP'])],
  ])('let it through where %s', async (_, amounts) => {
    const { desk } = deskWith('sandbox', most);
    await expect(authorizeWrite(desk, step({ amounts }), noConfirmer)).resolves.toMatchObject({
      effect: 'money',
    });
  });

  // Each alone is below the limit: only their sum is above it.
  it.each<[string, Amount[], RegExp]>([
    [
      'a sum over several recipients',
      paying(['60', 'EUR'], ['60', 'EUR']),
      /^120\.00 EUR is refused: profile "own" allows at most 100\.00 EUR \(max_amount\)/,
    ],
    ['a sum that is a cent above', paying(['100', 'EUR'], ['0.01', 'EUR']), /^100\.01 EUR is refused/],
    ['one payment', paying(['100.01', 'EUR']), /^100\.01 EUR is refused/],
    ['the second currency', paying(['1', 'EUR'], ['51', 'GBP']), /^51\.00 GBP .* at most 50\.00 GBP/],
    ['another currency', paying(['1', 'USD']), /^1\.00 USD is refused: profile "own" allows EUR, GBP only/],
    ['a word that every object has', paying(['1', 'constructor']), /allows EUR, GBP only/],
    ['an amount that is not known', paying([null, 'EUR']), /cannot be read before it is sent/],
    ['no amount', paying([undefined, 'EUR']), /cannot be read before it is sent/],
    ['an empty amount', paying(['', 'EUR']), /cannot be read before it is sent/],
    ['no currency', paying(['1', null]), /cannot be read before it is sent/],
    ['an empty currency', paying(['1', '']), /cannot be read before it is sent/],
  ])('refuse %s, and nobody is asked', async (_, amounts, words) => {
    const { desk } = deskWith('sandbox', most);
    const { confirmer, asked } = face();
    await expect(authorizeWrite(desk, step({ amounts }), confirmer)).rejects.toMatchObject({
      message: expect.stringMatching(words),
      facts: {
        category: 'usage',
        outcome: 'not applied',
        hint: {
          parts: expect.arrayContaining([
            { do: 'change_profile', profile: 'own', setting: 'max_amount.CURRENCY', value: 'AMOUNT' },
          ]),
        },
      },
    });
    expect(asked).toEqual([]);
  });

  it('need no amount where the profile sets none', async () => {
    const { desk } = deskWith('sandbox');
    const amounts = paying([null, null], ['1000000', 'EUR']);
    await expect(authorizeWrite(desk, step({ amounts }), noConfirmer)).resolves.toBeDefined();
  });

  it.each<[Effect, boolean, boolean]>([
    ['read', true, true],
    ['write', true, true],
    ['money', true, true],
    ['write', false, false],
  ])('a %s with read_only %s is refused: %s', async (effect, read_only, isRefused) => {
    const { desk } = deskWith('sandbox', { read_only });
    const admitted = authorizeWrite(desk, step({ effect }), noConfirmer);
    if (isRefused)
      await expect(admitted).rejects.toMatchObject({
        message: 'profile "own" is read-only: nothing is written with it',
        facts: {
          hint: {
            parts: [
              'if it is meant: ',
              { do: 'change_profile', profile: 'own', setting: 'read_only', value: 'false' },
            ],
          },
        },
      });
    else await expect(admitted).resolves.toBeDefined();
  });
});

describe('a question', () => {
  const asks: Stance = { kind: 'asks' };
  const approved: Stance = { kind: 'approved' };
  const absent: Stance = { kind: 'nobody', missing: 'say --yes' };

  it.each<[Environment, Effect, Partial<WriteStep>, Face, 'asked' | 'passed' | RegExp]>([
    ['sandbox', 'money', {}, { stance: asks }, 'asked'],
    ['sandbox', 'destructive', {}, { stance: asks }, 'asked'],
    ['sandbox', 'write', {}, { stance: asks }, 'passed'],
    ['sandbox', 'read', {}, { stance: asks }, 'passed'],
    ['sandbox', 'write', {}, { stance: asks, wantsToLook: true }, 'asked'],
    ['sandbox', 'money', {}, { stance: absent, isAttended: false }, 'passed'],
    ['sandbox', 'money', {}, { stance: approved }, 'passed'],
    ['sandbox', 'money', { sandboxOnly: true }, { stance: asks }, 'passed'],
    ['sandbox', 'write', { sandboxOnly: true }, { stance: asks, wantsToLook: true }, 'passed'],
    ['sandbox', 'money', { explicitId: false }, { stance: approved, isAttended: false }, 'passed'],
    ['production', 'money', {}, { stance: asks }, 'asked'],
    ['production', 'destructive', {}, { stance: asks }, 'asked'],
    ['production', 'write', {}, { stance: absent, isAttended: false }, 'passed'],
    ['production', 'read', {}, { stance: absent, isAttended: false }, 'passed'],
    ['production', 'money', {}, { stance: absent, isAttended: false }, /nobody is there to ask/],
    ['production', 'destructive', {}, { stance: absent, isAttended: false }, /nobody is there to ask/],
    ['production', 'money', {}, { stance: approved, isAttended: false }, 'passed'],
    ['production', 'money', { explicitId: true }, { stance: approved, isAttended: false }, 'passed'],
    ['production', 'money', { explicitId: false }, { stance: approved, isAttended: true }, 'passed'],
    [
      'production',
      'money',
      { explicitId: false },
      { stance: approved, isAttended: false },
      /a full id or an external id/,
    ],
    ['production', 'write', { sandboxOnly: true }, { stance: asks }, /in a sandbox only/],
  ])('in %s about a %s with %j to %j: %s', async (environment, effect, over, who, end) => {
    const { desk } = deskWith(environment);
    const { confirmer, asked } = face(who);
    const admitted = authorizeWrite(desk, step({ effect, ...over }), confirmer);
    if (end instanceof RegExp)
      await expect(admitted).rejects.toMatchObject({
        message: expect.stringMatching(end),
        facts: { category: 'usage', outcome: 'not applied' },
      });
    else expect(await admitted).toMatchObject({ effect, confirmer });
    expect(asked.map(({ about }) => about)).toEqual(end === 'asked' ? ['proceed'] : []);
  });

  it('that is answered with no ends it', async () => {
    const { desk } = deskWith('sandbox');
    const { confirmer } = face({ yes: false });
    await expect(authorizeWrite(desk, step(), confirmer)).rejects.toMatchObject({
      facts: { category: 'interrupted' },
    });
  });

  it('tells who is missing what was said of it', async () => {
    const { desk } = deskWith('production');
    await expect(authorizeWrite(desk, step(), noConfirmer)).rejects.toMatchObject({
      facts: { hint: 'ask where somebody can answer' },
    });
    expect(await noConfirmer.confirm({ about: 'proceed', said: 'go on?' })).toBe(false);
    expect(noConfirmer.isAttended).toBe(false);
  });

  it.each<[Environment, Partial<WriteStep>, string]>([
    ['sandbox', {}, 'Pay 12.50 EUR, on the sandbox?'],
    ['production', {}, 'Pay 12.50 EUR, on the LIVE account?'],
    ['production', { what: [] }, 'Do this, on the LIVE account?'],
    ['production', { question: (account) => `Pay from ${account}?` }, 'Pay from LIVE?'],
    ['sandbox', { question: (account) => `Pay from ${account}?` }, 'Pay from sandbox?'],
  ])('in %s for %j reads %s', async (environment, over, words) => {
    const { desk } = deskWith(environment);
    const { confirmer, asked } = face();
    await authorizeWrite(desk, step(over), confirmer);
    // A word is typed in production alone.
    const confirm = environment === 'production' ? byName('it') : undefined;
    expect(asked).toEqual([{ about: 'proceed', said: words, confirm }]);
  });
});

describe('a journal in a temporary folder', () => {
  const HOMELESS = { REMIT_CONFIG_DIR: join(tmpdir(), `remit-${process.geteuid?.() ?? 'user'}`) };
  const homeless = (environment: Environment) => {
    const { desk, heard } = deskWith(environment);
    return { desk: { ...desk, machine: { ...desk.machine, env: HOMELESS } }, heard };
  };

  it('is refused in production', async () => {
    const { desk } = homeless('production');
    await expect(authorizeWrite(desk, step(), face().confirmer)).rejects.toMatchObject({
      message: expect.stringContaining('would lie in a temporary folder'),
      facts: {
        category: 'config',
        code: 'journal_is_temporary',
        hint: { parts: expect.arrayContaining([{ set: 'config_dir' }]) },
      },
    });
  });

  it('is said on a sandbox', async () => {
    const { desk, heard } = homeless('sandbox');
    await authorizeWrite(desk, step(), face().confirmer);
    const said = heard.filter(({ as, says }) => as === 'aside' && typeof says === 'object');
    expect(said).toEqual([{ as: 'aside', says: { parts: expect.arrayContaining([{ set: 'config_dir' }]) } }]);
  });

  it('is nothing to say where a home is known', async () => {
    const { desk, heard } = deskWith('production');
    await authorizeWrite(desk, step(), face().confirmer);
    expect(heard.some(({ says }) => typeof says === 'object')).toBe(false);
  });
});

describe('a word that decides about money', () => {
  const word = 'not applied';
  it.each<[Environment, boolean | undefined, Face, 'passed' | 'asked' | RegExp]>([
    ['sandbox', true, { stance: { kind: 'asks' } }, 'asked'],
    // A person types it, whatever was said beforehand.
    ['sandbox', true, { stance: { kind: 'approved' } }, 'asked'],
    ['production', true, { stance: { kind: 'approved' } }, 'asked'],
    ['production', false, { stance: { kind: 'approved' } }, 'asked'],
    ['sandbox', true, { stance: { kind: 'approved' }, isAttended: false }, 'passed'],
    ['sandbox', undefined, { stance: { kind: 'approved' }, isAttended: false }, 'passed'],
    ['production', true, { stance: { kind: 'approved' }, isAttended: false }, 'passed'],
    ['sandbox', false, { stance: { kind: 'approved' }, isAttended: false }, /a full id or an external id/],
    ['production', false, { stance: { kind: 'approved' }, isAttended: false }, /a full id or an external id/],
    [
      'sandbox',
      true,
      { stance: { kind: 'nobody', missing: '' }, isAttended: false },
      /by your word, and nobody/,
    ],
    [
      'production',
      true,
      { stance: { kind: 'nobody', missing: '' }, isAttended: false },
      /by your word, and nobody/,
    ],
  ])('in %s, named in full %s, to %j: %s', async (environment, explicitId, who, end) => {
    const { desk } = deskWith(environment);
    const { confirmer, asked } = face(who);
    const admitted = authorizeWrite(
      desk,
      step({ word, ...(explicitId === undefined ? {} : { explicitId }) }),
      confirmer,
    );
    if (end instanceof RegExp) await expect(admitted).rejects.toThrow(end);
    else await admitted;
    expect(asked).toEqual(
      end === 'asked' ? [{ about: 'word', said: expect.stringContaining('12.50'), word }] : [],
    );
  });

  it('that is not typed ends it', async () => {
    const { desk } = deskWith('sandbox');
    const { confirmer } = face({ yes: false });
    await expect(authorizeWrite(desk, step({ word }), confirmer)).rejects.toMatchObject({
      facts: { category: 'interrupted' },
    });
  });
});

describe('what is said before a write', () => {
  it('is where it goes, what it does, what to look at, and what was looked up', async () => {
    const { desk, heard } = deskWith('sandbox');
    const { confirmer } = face();
    const looked: Confirmer[] = [];
    const look = async (who: Confirmer) => {
      looked.push(who);
      return ['the balance is 3.00 EUR'];
    };
    await authorizeWrite(desk, step({ warnings: ['look again\u0007'], look }), confirmer);
    expect(heard).toEqual([
      { says: 'sandbox · own · key …51ab', as: 'aside' },
      { says: '  pay 12.50 EUR', as: 'statement' },
      { says: expect.stringMatching(/^ {2}look again/), as: 'warning' },
      { says: '  the balance is 3.00 EUR', as: 'statement' },
    ]);
    // A control character of a name must not reach the terminal.
    expect(heard[2]?.says).not.toContain('\u0007');
    expect(looked).toEqual([confirmer]);
    expect(accountLine(await desk.connection())).toBe('sandbox · own · key …51ab');
  });

  it('costs no look where something stands in the way', async () => {
    const { desk } = deskWith('production');
    const look = async () => {
      throw new Error('nobody may look yet');
    };
    await expect(authorizeWrite(desk, step({ look }), noConfirmer)).rejects.toThrow(/nobody is there to ask/);
  });
});

describe('a pass', () => {
  const covered: Record<Effect, Effect[]> = {
    read: [],
    write: ['write'],
    destructive: ['write', 'destructive'],
    money: ['write', 'destructive', 'money'],
  };
  const effects: Effect[] = ['read', 'write', 'destructive', 'money'];

  it.each(effects.flatMap((made) => effects.map((used) => [made, used] as const)))(
    'for %s is used for %s only where it covers it',
    async (made, used) => {
      const { desk } = deskWith('sandbox');
      const permit = await authorizeWrite(desk, step({ effect: made }), noConfirmer);
      const checked = checkPass(desk, permit, used);
      if (covered[made].includes(used)) await expect(checked).resolves.toBeUndefined();
      else await expect(checked).rejects.toThrow(`a pass for ${made} does not cover ${used}`);
    },
  );

  it.each<[Effect, Effect, boolean]>([
    ['read', 'write', false],
    ['write', 'write', true],
    ['write', 'destructive', false],
    ['destructive', 'money', false],
    ['money', 'money', true],
  ])('what may %s at the service begins %s: %s', async (may, used, begins) => {
    const { desk } = deskWith('sandbox');
    const permit = await authorizeWrite(desk, step(), noConfirmer);
    const checked = checkPass({ ...desk, may }, permit, used);
    if (begins) await expect(checked).resolves.toBeUndefined();
    else
      await expect(checked).rejects.toThrow(
        `no more than "${may}" at the service, so nothing of effect "${used}" begins`,
      );
  });

  it.each<[string, Partial<Connection>]>([
    ['another profile at the same URL', { name: 'other' }],
    ['the same name at another URL', { baseUrl: 'https://api.example.com/v1' }],
  ])('does not count on %s', async (_, over) => {
    const { desk } = deskWith('sandbox');
    const permit = await authorizeWrite(desk, step(), noConfirmer);
    const elsewhere: Desk = {
      ...desk,
      connection: async () => ({ ...(await desk.connection()), ...over }),
    };
    await expect(checkPass(elsewhere, permit, 'money')).rejects.toThrow(
      'a pass is used for the account that it was made for',
    );
  });

  it.each([
    [
      {
        account: { baseUrl: 'http://127.0.0.1:4010/v1', name: 'own' },
        effect: 'money',
        confirmer: noConfirmer,
      },
    ],
    [null],
    [undefined],
    ['money'],
  ])('cannot be %j, made by hand', async (forged) => {
    const { desk } = deskWith('sandbox');
    await expect(checkPass(desk, forged as never, 'money')).rejects.toThrow(/with a pass of the gate/);
  });
});
