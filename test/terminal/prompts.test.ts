/** Prompts in a real pseudo-terminal, against a sandbox over HTTP; what the sandbox received is asserted. */
import { describe, expect, it } from 'vitest';
import { paymentFlags } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { sends } from '../support/review.ts';
import { screenOf } from '../support/screen.ts';
import { useService } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';
import { writesReceived } from '../support/writes-received.ts';

const service = useService();
const { env } = service;

const received = () => writesReceived(service);

/** Its screen, as text. */
const keep = async (terminal: Terminal, name: string): Promise<void> =>
  expect(await screenOf(terminal.raw(), { cols: 100, rows: 70 })).toMatchFileSnapshot(`screens/${name}.txt`);

describe('tx create', () => {
  it('asks for everything by the fields of the payout method; a long list of banks is searched', async () => {
    const terminal = openTerminal(['tx', 'create', '--external-id', 'asked-1'], env);
    await terminal.sees('How is it paid out?');
    terminal.types('NGN');
    await terminal.sees('❯ Bank account in Nigeria');
    await terminal.chooses('✔ How is it paid out?');
    await terminal.answers('Amount in NGN', '25000');
    await terminal.answers('Which currency do you pay in?');
    await terminal.answers('Sender (ID', 'customer-1');
    await terminal.answers('First name', 'Ada');
    await terminal.answers('Middle name (optional)');
    await terminal.answers('Last name', 'Obi');
    await terminal.sees('Bank');
    terminal.types('access');
    await terminal.sees('Access Bank (044)');
    await terminal.chooses('✔ Bank');
    await terminal.answers('Account number');
    await terminal.answers('An answer is needed here', '0123456700');
    await terminal.answers('Account type (optional)');
    await terminal.answers('Street (optional)');
    await terminal.answers('Email (optional)');
    await terminal.sees('costs 14.99 EUR in all');
    await sends(terminal);
    await terminal.sees('state');
    expect(await terminal.exit).toBe(0);
    await keep(terminal, 'tx-create');
    const [calculated, created] = await received();
    expect(calculated?.path).toBe('/transactions/calculate');
    expect(created).toMatchObject({
      method: 'POST',
      path: '/transactions',
      body: {
        transaction: {
          external_id: 'asked-1',
          input_currency: 'EUR',
          sender: { external_id: 'customer-1' },
          recipients: [
            {
              requested_amount: '25000',
              payout_method: {
                type: 'NGN::Bank',
                details: {
                  first_name: 'Ada',
                  last_name: 'Obi',
                  bank_code: '044',
                  bank_account: '0123456700',
                },
              },
            },
          ],
        },
      },
    });
  });

  it.runIf(isLong)('what the service refuses is asked again, by the fields that it returned', async () => {
    const flags = paymentFlags('customer-1').map((flag) => flag.replace('bank_code=044', 'bank_code=999'));
    const terminal = openTerminal(['tx', 'create', ...flags], env);
    await terminal.sees('Bank is not valid');
    await terminal.sees('Bank');
    terminal.types('zenith');
    await terminal.sees('type to filter) zenith');
    await terminal.sees('❯ Zenith International (057)');
    await terminal.sees('⏎ select');
    await keep(terminal, 'tx-create-asked-again');
    await terminal.chooses('✔ Bank');
    await terminal.sees('costs 14.99 EUR');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    const sent = await received();
    expect(sent.map(({ path }) => path)).toEqual([
      '/transactions/calculate',
      '/transactions/calculate',
      '/transactions',
    ]);
    expect(JSON.stringify(sent[2]?.body)).toContain('"bank_code":"057"');
  });

  it('--fund shows the rate and asks; No sends nothing and ends with 130', async () => {
    const terminal = openTerminal(['tx', 'create', ...paymentFlags('customer-1'), '--fund'], env);
    await terminal.sees('1 EUR = ');
    await terminal.answers('Pay 14.99 EUR from the sandbox balance?');
    expect(await terminal.exit).toBe(130);
    await keep(terminal, 'tx-create-fund-declined');
    expect((await received()).map(({ path }) => path)).toEqual(['/transactions/calculate']);
  });

  it.runIf(isLong)('--fund and Yes pays once', async () => {
    const terminal = openTerminal(['tx', 'create', ...paymentFlags('customer-1'), '--fund'], env);
    await terminal.answers('Pay 14.99 EUR from the sandbox balance?', 'y');
    expect(await terminal.exit).toBe(0);
    expect((await received()).map(({ path }) => path)).toEqual([
      '/transactions/calculate',
      '/transactions',
      '/accounts/debits',
    ]);
  });
});

describe('Ctrl-C ends every prompt with 130, and nothing was sent', () => {
  const questions = [
    'How is it paid out?',
    'Amount in ',
    'Which currency do you pay in?',
    'Sender (ID',
    'First name',
    'Middle name',
    'Last name',
    'Bank',
    'Account number',
    'Account type',
    'Street',
    'Email',
  ];
  it.each(
    some(
      questions.map((question, index) => [question, index] as const),
      2,
    ),
  )('at "%s"', async (_, index) => {
    const terminal = openTerminal(['tx', 'create'], env);
    const replies = ['NGN', '25000', '', 'customer-1', 'Ada', '', 'Obi', 'access', '0123456700'];
    for (const [at, question] of questions.entries()) {
      await terminal.sees(question);
      if (at === index) break;
      terminal.types(replies[at] ?? '');
      if (at === 0) await terminal.sees('❯ Bank account in Nigeria');
      if (question === 'Bank') await terminal.sees('❯ Access Bank (044)');
      if (at === 0 || question === 'Bank') await terminal.chooses(`✔ ${question}`);
      else terminal.types(keys.enter);
    }
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen()).toContain('nothing was sent');
    expect(await received()).toEqual([]);
  });

  it('at the last question', async () => {
    const terminal = openTerminal(['tx', 'create', ...paymentFlags('customer-1'), '--fund'], env);
    await terminal.sees('Pay 14.99 EUR from the sandbox balance?');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    expect((await received()).map(({ path }) => path)).toEqual(['/transactions/calculate']);
  });

  it.each(some(['Base URL', 'Which environment', 'API key', 'API secret'], 1))(
    'login at "%s"',
    async (question) => {
      const terminal = openTerminal(['login'], { REMIT_CONFIG_DIR: service.dir });
      const replies: [string, string][] = [
        ['Base URL', 'https://api.example.com/v1'],
        ['Which environment', ''],
        ['API key', 'k'],
        ['API secret', ''],
      ];
      for (const [asked, reply] of replies) {
        await terminal.sees(asked);
        if (asked === question) break;
        terminal.types(asked === 'Which environment' ? keys.down + keys.enter : reply + keys.enter);
      }
      terminal.types(keys.ctrlC);
      expect(await terminal.exit).toBe(130);
    },
  );
});
