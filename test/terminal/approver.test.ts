/**
 * Where a person types what must be right: the passphrase of a new key, twice, and the fingerprint of somebody else's. On a real
 * pseudo-terminal of two widths; a passphrase is never on the screen, and whoever leaves a question has changed nothing.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rawKeyOf } from '../../src/profiles/approver-key.ts';
import { ownApprovers, privateKeyOf } from '../../src/profiles/approver-store.ts';
import { readSettings } from '../../src/profiles/profiles.ts';
import { approverOn, type MadeApprover, machineOf, signIn } from '../support/approvers.ts';
import { useBench } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { brokenLines } from '../support/screen.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

const WIDTHS = [60, 80];
const sizeOf = (cols: number) => ({ cols, rows: 30 });
const PASSPHRASE = 'correct horse of a test';
const OTHER = 'another horse of a test';
const FIRST = 'Passphrase for the key';
const AGAIN = 'The same again';

const bench = useBench();
let shown: { terminal: Terminal; cols: number } | undefined;
const open = (cols: number, ...argv: string[]): Terminal => {
  const env = { REMIT_CONFIG_DIR: bench.dir, REMIT_PROFILE: 'acme' };
  shown = { terminal: openTerminal(argv, env, sizeOf(cols)), cols };
  return shown.terminal;
};
afterEach(async () => {
  if (shown === undefined) return;
  const { terminal, cols } = shown;
  shown = undefined;
  await terminal.exit;
  for (const secret of [PASSPHRASE, OTHER]) expect(terminal.raw()).not.toContain(secret);
  expect(await brokenLines(terminal.raw(), sizeOf(cols))).toEqual([]);
});

describe('the passphrase of a new key', () => {
  const create = (cols: number): Terminal => open(cols, 'approver', 'create', 'grace', '--no-keychain');
  const isMade = (): boolean =>
    existsSync(join(bench.dir, 'approvers')) && readdirSync(join(bench.dir, 'approvers')).length > 0;

  it.each(some(WIDTHS, 1))('twice the same makes it, at %s columns, and opens it', async (cols) => {
    const terminal = create(cols);
    await terminal.answers(FIRST, PASSPHRASE);
    await terminal.answers(AGAIN, PASSPHRASE);
    await terminal.sees('fingerprint');
    await terminal.sees('remit approver export grace');
    expect(await terminal.exit).toBe(0);
    const env = { REMIT_CONFIG_DIR: bench.dir };
    const [approver] = ownApprovers(env);
    const own = await privateKeyOf(env, 'grace', async () => PASSPHRASE);
    expect([approver?.name, rawKeyOf(own)]).toEqual(['grace', approver?.key]);
  });

  const LEFT: [string, string[], number, string][] = [
    [
      'another the second time',
      [PASSPHRASE + keys.enter, OTHER + keys.enter],
      2,
      'the two passphrases differ',
    ],
    ['Ctrl-C the second time', [PASSPHRASE + keys.enter, OTHER + keys.ctrlC], 130, 'remit: stopped'],
    ['Ctrl-C at once', [keys.ctrlC], 130, 'remit: stopped'],
    ['Ctrl-C over half of it', [PASSPHRASE + keys.ctrlC], 130, 'remit: stopped'],
    ['a short one', [`short${keys.enter}`], 2, '12 characters or more'],
  ];
  const cases = LEFT.flatMap((one) => WIDTHS.map((cols) => [...one, cols] as const));
  it.each(some(cases, 2))('%s makes none', async (_, typed, code, words, cols) => {
    const terminal = create(cols);
    for (const [at, text] of typed.entries()) {
      await terminal.sees(at === 0 ? FIRST : AGAIN);
      terminal.types(text);
    }
    await terminal.sees(words);
    expect([await terminal.exit, isMade()]).toEqual([code, false]);
  });

  it('that is pasted twice at once is not on the screen either', async () => {
    const terminal = create(60);
    await terminal.sees(FIRST);
    terminal.types(`${PASSPHRASE}${keys.enter}${PASSPHRASE}${keys.enter}`);
    await terminal.sees(AGAIN);
    terminal.types(keys.ctrlC);
    await terminal.exit;
  });
});

describe('the fingerprint of an approver', () => {
  const accepted = () => readSettings({ REMIT_CONFIG_DIR: bench.dir }).profiles.acme?.accepted_approvers;
  const ASKED = 'Type the fingerprint as ada told it';
  const CLEAR = '\u0015';

  async function approvers(): Promise<[MadeApprover, MadeApprover]> {
    await signIn(bench, 'acme');
    const ada = await approverOn(machineOf(bench, 'ada'), 'ada');
    const grace = await approverOn(machineOf(bench, 'grace'), 'grace');
    writeFileSync(join(bench.dir, 'approvers.txt'), ada.line + grace.line);
    return [ada, grace];
  }
  const set = (cols: number): Terminal =>
    open(cols, 'profiles', 'set', 'acme', `approvers=${join(bench.dir, 'approvers.txt')}`);

  it.each(some(WIDTHS, 1))('is asked for until it is the right one, at %s columns', async (cols) => {
    const [ada, grace] = await approvers();
    const terminal = set(cols);
    await terminal.sees(ada.fingerprint);
    await terminal.answers(ASKED);
    await terminal.sees('An answer is needed here');
    terminal.types(ada.fingerprint.slice(0, 17) + keys.enter);
    await terminal.sees('32 hexadecimal digits');
    terminal.types(CLEAR + grace.fingerprint + keys.enter);
    await terminal.sees('This is another fingerprint');
    terminal.types(CLEAR + ada.fingerprint.toUpperCase() + keys.enter);
    await terminal.sees(grace.fingerprint);
    await terminal.answers('as grace told it', grace.fingerprint.replaceAll('-', ''));
    expect(await terminal.exit).toBe(0);
    expect(Object.keys(accepted() ?? {})).toEqual(['ada', 'grace']);
  });

  it.each(some(WIDTHS, 1))(
    'that nobody can tell is left by Ctrl-C, at %s columns, and nobody was accepted',
    async (cols) => {
      const [ada] = await approvers();
      const terminal = set(cols);
      await terminal.answers(ASKED, ada.fingerprint);
      await terminal.sees('as grace told it');
      terminal.types(keys.ctrlC);
      await terminal.sees('remit: stopped');
      expect([await terminal.exit, accepted()]).toEqual([130, undefined]);
    },
  );
});
