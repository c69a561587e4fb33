/** Before an account is changed, its bank is asked; an outage of the check never stands in the way. */
import { describe, expect, it } from 'vitest';
import { readsAs } from '../../src/payments/cases/account-check.ts';
import { createArgv, type Run, useBench, words } from '../support/cli.ts';

let recipient: string;
const bench = useBench({
  sender: true,
  setUp: async () => {
    const made = await bench.run(createArgv('0123456719', '--external-id', 'wages-1'));
    recipient = made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
  },
});

const edit = (account: string, ...rest: string[]): Promise<Run> =>
  bench.run(['recipient', 'edit', recipient, '--detail', `bank_account=${account}`, ...rest]);
const sent = ({ requests }: Run): string[] =>
  requests
    // The clock of a sandbox says how old the edit is.
    .filter(({ path }) => !path.startsWith('/_sandbox/'))
    .map(({ method, path }) => `${method} ${path}`);

describe('remit recipient edit', () => {
  it('asks the bank first, and says what it answered and when the change counts', async () => {
    const run = await edit('0123456700', '--name-as-given');
    expect(run.code).toBe(0);
    expect(sent(run).slice(-2)).toEqual(['POST /account_validations', `PATCH /recipients/${recipient}`]);
    expect(run.requests.find(({ path }) => path === '/account_validations')?.body).toEqual({
      method: 'bank',
      country: 'NG',
      currency: 'NGN',
      bank_code: '044',
      bank_account: '0123456700',
    });
    expect(run.stderr).toMatch(/checked: the account is in the name of \S/);
    expect(run.stderr).toContain('takes effect: with the first try');
  });

  it('sends nothing where the account is not found, and names the way around it', async () => {
    const run = await edit('9123456700');
    expect(run).toMatchObject({ code: 5, stdout: '' });
    expect(sent(run).at(-1)).toBe('POST /account_validations');
    expect(run.stderr).toContain('--skip-validation');
    expect(run.stderr).toContain('not applied (nothing was sent)');
  });

  it('--skip-validation asks nobody', async () => {
    const run = await edit('9123456700', '--skip-validation');
    expect(run.code).toBe(0);
    expect(sent(run)).not.toContain('POST /account_validations');
  });

  it('says an outage of the check and sends the change', async () => {
    bench.intercept(async (request, next) =>
      request.url.endsWith('/account_validations') ? { status: 503, headers: {}, body: '' } : next(request),
    );
    const run = await edit('9123456700');
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/could not be checked: .*; it is sent unchecked/);
    expect(sent(run).at(-1)).toBe(`PATCH /recipients/${recipient}`);
  });

  it('an outage of the bank itself is no missing account, and blocks nothing', async () => {
    expect((await bench.run(['sandbox', 'fail', 'provider-outage', '--always'])).code).toBe(0);
    const run = await edit('0123456700');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      'the provider could not be asked: Account validation failed; it is sent unchecked',
    );
    expect(run.stderr).not.toContain('not found');
    expect(sent(run).at(-1)).toBe(`PATCH /recipients/${recipient}`);
  });

  it('where the bank knows the account under another name, only --name-as-given sends it', async () => {
    const refused = await edit('0123456700', '--yes');
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(sent(refused).at(-1)).toBe('POST /account_validations');
    expect(refused.stderr).toContain('--name-as-given');
    expect(refused.stderr).toContain('not applied (nothing was sent)');
    const run = await edit('0123456700', '--name-as-given');
    expect(run.code).toBe(0);
    expect(sent(run).at(-1)).toBe(`PATCH /recipients/${recipient}`);
    expect(run.stderr).toMatch(/in the name of [^,]+, which does not read as Ada Obi$/m);
    const holder = /in the name of ([^,]+),/.exec(run.stderr)?.[1]?.split(' ')[0] ?? '';
    const rest = ['--detail', `last_name=${holder.toLowerCase()}`];
    const same = await edit('0123456708', ...rest);
    expect(same.stderr).toContain('checked: the account is in the name of');
    expect(same.stderr).not.toContain('does not read as');
  });

  it('says in whose name the account is to redirect, masked where the output is kept', async () => {
    expect((await edit('0123456700')).stderr).toMatch(
      /change where the money goes: 25000(?:\.00)? NGN to Ada Obi, NGN::Bank 044 ••••6719/,
    );
    const kept = await bench.run(
      ['recipient', 'edit', recipient, '--detail', 'bank_account=0123456708', '--name-as-given'],
      {
        env: { CI: '1' },
      },
    );
    expect(kept.stderr).toContain('to A•••');
    expect(kept.stderr).not.toMatch(/Ada|Obi/);
  });

  it('does not ask about an account that stays as it is', async () => {
    const run = await bench.run(['recipient', 'edit', recipient, '--detail', 'last_name=Okoye']);
    expect(run.code).toBe(0);
    expect(sent(run)).not.toContain('POST /account_validations');
  });
});

it.each([
  ['Ada Obi', 'OBI ADA CHUKWU', true],
  ['José Núñez', 'NUNEZ MARIA', true],
  ['Ada Obi', 'Bola Okoye', false],
  ['Ada Obi', 'Adaobi Okoye', false],
])('%s against %s: %s', (given, account, same) => {
  expect(readsAs(given, account)).toBe(same);
});

describe('an external id where a recipient is meant', () => {
  it('stands for its only recipient, to read and to write', async () => {
    const shown = await bench.run(['recipient', 'show', 'wages-1', '-o', 'json']);
    expect(shown.data<{ id: string }>().id).toBe(recipient);
    const edited = await bench.run(
      words('recipient edit wages-1 --detail bank_account=0123456700 --name-as-given'),
    );
    expect(edited.code).toBe(0);
    expect((await bench.run(['recipient', 'cancel', 'wages-1'])).code).toBe(0);
  });

  it('lists the recipients where there are several, and sends nothing', async () => {
    const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };
    const one = {
      requested_amount: 25000,
      requested_currency: 'NGN',
      payout_method: { type: 'NGN::Bank', details },
    };
    const body = {
      input_currency: 'EUR',
      external_id: 'wages-2',
      sender: { external_id: 'customer-1' },
      recipients: [one, one],
    };
    expect((await bench.run(['tx', 'create', '--file', '-'], { stdin: JSON.stringify(body) })).code).toBe(0);
    const run = await bench.run(['recipient', 'cancel', 'wages-2', '-o', 'json']);
    expect(run.code).toBe(2);
    expect(sent(run).every((line) => line.startsWith('GET '))).toBe(true);
    const { error } = JSON.parse(run.stderr) as { error: { code: string; fields: { path: string }[] } };
    expect(error.code).toBe('ambiguous_id');
    expect(error.fields).toHaveLength(2);
    for (const { path } of error.fields) expect((await bench.run(['recipient', 'show', path])).code).toBe(0);
  });
});
