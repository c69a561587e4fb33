/** Where the service has another name for the partner balance, and senders that flags describe. */
import { describe, expect, it } from 'vitest';
import { bankDetails, credentials, loginArgv, noAccount, person, useBench, words } from '../support/cli.ts';

const bench = useBench();

describe('partner_path of a profile', () => {
  const env = noAccount;

  it('is where balance --partner asks; without it, it is partner', async () => {
    const login = loginArgv(...words('--profile mine --no-keychain --environment sandbox'));
    const made = await bench.run([...login, '--secret-stdin', '--no-check'], {
      env,
      stdin: credentials.secret,
    });
    expect(made.code, made.stderr).toBe(0);
    const before = await bench.run(['balance', '--partner'], { env });
    expect([before.code, before.requests.map(({ path }) => path)]).toEqual([
      0,
      ['/accounts', '/partner/balance'],
    ]);
    bench.sandbox.control.set({ partner_path: 'held' });
    expect((await bench.run(['balance', '--partner'], { env })).code).toBe(6);
    const set = await bench.run(['profiles', 'set', 'mine', 'partner_path=held', '-o', 'json'], { env });
    expect(set.data<{ partner_path: string }[]>()[0]?.partner_path).toBe('held');
    const after = await bench.run(['balance', '--partner'], { env });
    expect([after.code, after.requests.at(-1)?.path]).toEqual([0, '/held/balance']);
    expect((await bench.run(['profiles', 'set', 'mine', 'partner_path=a/b'], { env })).code).toBe(2);
    await bench.run(['profiles', 'set', 'mine', 'partner_path='], { env });
    expect((await bench.run(['balance', '--partner'], { env })).requests.at(-1)?.path).toBe(
      '/partner/balance',
    );
  });
});

describe('a sender that the flags of a payment describe', () => {
  const flags = Object.entries(person).flatMap(([name, value]) => ['--sender-field', `${name}=${value}`]);
  const payment = [
    ...words('tx create --input-currency EUR --amount 10 --currency EUR --type NGN::Bank'),
    ...bankDetails(),
  ];

  it('has the defaults that sender create has', async () => {
    const run = await bench.run([...payment, '--sender', 'new-1', ...flags, '-o', 'json']);
    expect(run.code, run.stderr).toBe(0);
    const found = await bench.run(['sender', 'show', 'new-1', '-o', 'json']);
    expect(found.json()).toMatchObject({ data: { documents: [], metadata: {}, city: 'Lisboa' } });
  });

  it('one member of a known sender changes that member alone', async () => {
    await bench.run([...payment, '--sender', 'new-1', ...flags]);
    const run = await bench.run([
      ...payment,
      ...words('--amount 11 --sender new-1 --sender-field city=Porto'),
    ]);
    expect(run.code, run.stderr).toBe(0);
    const posted = run.requests.find(({ method }) => method === 'POST');
    const sender = { external_id: 'new-1', city: 'Porto' };
    expect(posted?.body).toMatchObject({ transaction: { sender } });
    const found = await bench.run(['sender', 'show', 'new-1', '-o', 'json']);
    expect(found.json()).toMatchObject({ data: { city: 'Porto', first_name: 'Ines' } });
    expect(JSON.stringify(posted?.body)).not.toContain('"documents"');
  });
});
