/** Prompts that forgive: each question answered wrong first, going back, the look at all answers, a refusal, a sign-in. */
import { describe, expect, it } from 'vitest';
import { credentials, paymentFlags, words } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { choosesAt, sends } from '../support/review.ts';
import { screenOf } from '../support/screen.ts';
import { useService } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';
import { writesReceived } from '../support/writes-received.ts';

const service = useService();
const { env } = service;
const ESC = '\u001b';
const CLEAR = '\u0015';

/** Bodies of the writes to this path, oldest first. */
const bodies = async (path: string): Promise<Record<string, never>[]> =>
  (await writesReceived(service)).filter((write) => write.path.endsWith(path)).map(({ body }) => body);

/** Answers wrong first, is told so, and answers right. */
async function wrongFirst(
  terminal: Terminal,
  question: string,
  { wrong, said, right }: { wrong: string; said: string | RegExp; right: string },
): Promise<void> {
  await terminal.answers(question, wrong);
  await terminal.sees(said);
  terminal.types(CLEAR + right + keys.enter);
}

async function asksPayout(terminal: Terminal): Promise<void> {
  await choosesAt(terminal, 'Bank account in Nigeria', 'NGN');
}

describe('tx create', () => {
  it('says at each question what is wrong, shows all answers, and prints the command that does the same', async () => {
    const terminal = openTerminal(['tx', 'create', '--external-id', 'asked-1'], env);
    await terminal.sees('Esc: back one question');
    await terminal.answers('How is it paid out? (54 payout types, type to filter)');
    await terminal.sees('Choose one with');
    await asksPayout(terminal);
    const amount = { wrong: '12,5', said: 'write digits with a point', right: ' 25000 ' };
    await wrongFirst(terminal, 'Amount in NGN (whole units, rounded up)', amount);
    const currency = { wrong: 'EURO', said: 'three letters', right: 'eur' };
    await wrongFirst(terminal, 'Which currency do you pay in?', currency);
    await wrongFirst(terminal, 'Sender (ID, or your reference)', {
      wrong: 'nobody',
      said: 'remit sender create --external-id nobody',
      right: 'customer-1',
    });
    await terminal.sees('Ines Marques, approved');
    await wrongFirst(terminal, 'First name', { wrong: '  ', said: 'An answer is needed here', right: 'Ada' });
    await terminal.answers('Middle name (optional)');
    await terminal.answers('Last name', "O'Bi");
    await terminal.answers('Bank (47 banks, type to filter)');
    await terminal.sees('Choose one with');
    await choosesAt(terminal, 'Guaranty Trust Bank (058)', 'gtb');
    const account = { wrong: '01234567O0', said: 'the letter O in place 9', right: '0123456700' };
    await wrongFirst(terminal, 'Account number', account);
    await terminal.answers('Account type (optional)');
    await terminal.answers('Street (optional)');
    await wrongFirst(terminal, 'Email (optional)', {
      wrong: 'ada',
      said: 'does not have the form',
      right: 'ada@example.com',
    });
    await terminal.sees('Your answers:');
    await terminal.sees('••••6700');
    await terminal.sees('Create this payment of 25,000 NGN, on the sandbox?');
    // Nothing is chosen in advance: Enter sends nothing.
    await terminal.sees('⏎ select');
    await terminal.listens();
    terminal.types(keys.enter);
    await terminal.sees('Choose one with');
    expect(await bodies('/transactions')).toEqual([]);
    await sends(terminal);
    await terminal.sees('the same as a command:');
    expect(await terminal.exit).toBe(0);
    const screen = await screenOf(terminal.raw(), { cols: 400, rows: 60 });
    // As a shell takes it: a backslash at the end of a line goes on in the next.
    const line = /remit tx create --input-currency.*/.exec(screen.replace(/ \\\n +/g, ' '))?.[0];
    expect(line).toBe(
      `remit tx create --input-currency EUR --amount 25000 --type NGN::Bank --sender customer-1 --detail first_name=Ada --detail 'last_name=O'\\''Bi' --detail bank_code=058 --detail bank_account=0123456700 --detail email=ada@example.com --external-id asked-1`,
    );
    expect(await bodies('/transactions')).toHaveLength(1);
  });

  it.runIf(isLong)(
    'Esc goes back, what was answered stands, and one answer is changed at the end',
    async () => {
      const terminal = openTerminal(
        ['tx', 'create', '--sender', 'customer-1', '--input-currency', 'EUR'],
        env,
      );
      await asksPayout(terminal);
      await terminal.answers('Amount in NGN', '25000');
      await terminal.answers('First name', 'Eve');
      await terminal.sees('Middle name');
      terminal.types(ESC);
      await terminal.sees('First name (Eve)');
      terminal.types(ESC);
      await terminal.sees('Amount in NGN (whole units, rounded up) (25000)');
      terminal.types(ESC);
      await terminal.sees('❯ Bank account in Nigeria');
      terminal.types(keys.enter);
      await terminal.answers('(25000)', '26000');
      await terminal.answers('(Eve)', 'Ada');
      await terminal.answers('Middle name');
      await terminal.answers('Last name', 'Obi');
      await choosesAt(terminal, 'Access Bank (044)', 'access');
      await terminal.answers('Account number', '0123456700');
      for (const question of ['Account type', 'Street', 'Email']) await terminal.answers(question);
      await terminal.sees('Your answers:');
      await choosesAt(terminal, 'No, change one answer', 'No, change');
      await terminal.sees('Change which answer?');
      await choosesAt(terminal, 'Last name: Obi', 'last');
      await terminal.answers('? Last name (Obi)', 'Okoye');
      await terminal.sees('Okoye');
      await sends(terminal);
      expect(await terminal.exit).toBe(0);
      expect(JSON.stringify(await bodies('/transactions'))).toMatch(/26000.*Ada.*Okoye/);
    },
  );

  it.runIf(isLong)(
    'another payout type at the end asks for the details of that type alone, and keeps the rest',
    async () => {
      const terminal = openTerminal(['tx', 'create', ...paymentFlags('customer-1').slice(0, -2)], env);
      await terminal.answers('Account number', '0123456700');
      await choosesAt(terminal, 'No, change one answer', 'No, change');
      await terminal.sees('Change which answer?');
      await choosesAt(terminal, 'Paid out by: NGN::Bank', 'paid out');
      await terminal.sees('How is it paid out?');
      await choosesAt(terminal, 'Bank account in the SEPA area', 'EUR::Bank');
      await terminal.answers('IBAN', 'DE89370400440532013001');
      await terminal.sees('check digits');
      terminal.types(`${CLEAR}DE89370400440532013000${keys.enter}`);
      await terminal.sees('Your answers:');
      await terminal.sees('Ada');
      await sends(terminal);
      expect(await terminal.exit).toBe(0);
      const [sent] = await bodies('/transactions');
      expect(JSON.stringify(sent)).toContain('"type":"EUR::Bank"');
      expect(JSON.stringify(sent)).not.toContain('bank_account');
    },
  );

  it.runIf(isLong)(
    'asks again only for what the service refused: a sender by flag that nobody knows',
    async () => {
      const terminal = openTerminal(['tx', 'create', ...paymentFlags('nobody')], env);
      await terminal.sees('Your other answers are kept');
      await terminal.answers('Sender (ID, or your reference)', 'customer-1');
      await terminal.sees('Your answers:');
      await sends(terminal);
      expect(await terminal.exit).toBe(0);
      expect(JSON.stringify(await bodies('/transactions'))).toContain('"external_id":"customer-1"');
    },
  );

  it.runIf(isLong)('a collection is asked for its flow and its details', async () => {
    const terminal = openTerminal(
      words('tx create --payin GHS::Mobile --amount 50 --type GHS::Balance --sender customer-1'),
      env,
    );
    await terminal.sees('How is the customer asked to pay?');
    await choosesAt(terminal, 'ussd popup', 'ussd popup');
    await wrongFirst(terminal, 'Mobile number', {
      wrong: '12',
      said: 'no phone number',
      right: '+233302123400',
    });
    await terminal.answers('Mobile provider');
    await terminal.sees('Choose one with');
    await choosesAt(terminal, 'MTN', 'mtn');
    await terminal.answers('Reference', 'order-17');
    await terminal.sees('Ask the customer to pay 50.00 GHS, on the sandbox?');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    expect(JSON.stringify(await bodies('/transactions'))).toContain(
      '"in_details":{"phone_number":"+233302123400","mobile_provider":"mtn"}',
    );
  });
});

it.runIf(isLong)(
  'tx calculate asks for type, amount and currency alone, and gives an indication',
  async () => {
    const terminal = openTerminal(['tx', 'calculate'], env);
    await asksPayout(terminal);
    await terminal.answers('Amount in NGN', '25000');
    await terminal.answers('Which currency do you pay in?');
    await terminal.sees('14.99 EUR');
    await terminal.sees('an indication by the rates of now');
    await terminal.sees('remit tx calculate --input-currency EUR --amount 25000 --type NGN::Bank');
    expect(await terminal.exit).toBe(0);
  },
);

it.runIf(isLong)('sender create asks for all, each checked, and again for what was taken', async () => {
  const terminal = openTerminal(['sender', 'create'], env);
  await terminal.answers('Who is the sender?');
  await terminal.sees('Choose one with');
  await choosesAt(terminal, 'a person', 'a per');
  await terminal.answers('Your reference', 'customer-1');
  await terminal.answers('First name', 'Zoë');
  await terminal.answers('Last name', 'Obi');
  const country = { wrong: 'Portugal', said: 'A country has two letters', right: 'pt' };
  await wrongFirst(terminal, 'Country', country);
  await terminal.answers('Street', 'Rua 1');
  await terminal.answers('City', 'Lisboa');
  await terminal.answers('Postal code', '1100-061');
  const phone = { wrong: '912345678', said: 'Write it with its country', right: '+351912345678' };
  await wrongFirst(terminal, 'Phone number', phone);
  await wrongFirst(terminal, 'E-mail', { wrong: 'zoe@', said: 'looks like', right: 'zoe@example.com' });
  const born = { wrong: '1990-02-30', said: 'not a day of the calendar', right: '1990-01-31' };
  await wrongFirst(terminal, 'Date of birth', born);
  await wrongFirst(terminal, 'IP address of the customer', {
    wrong: 'x',
    said: 'looks like',
    right: '203.0.113.7',
  });
  await terminal.sees('Portugal (PT)');
  await sends(terminal);
  await terminal.sees('Your reference is taken already');
  await terminal.answers('Your reference', 'customer-2');
  await sends(terminal);
  await terminal.sees("remit sender create --type person --external-id customer-2 --first-name 'Zoë'");
  expect(await terminal.exit).toBe(0);
});

it.runIf(isLong)('validate-account asks for the kind of account, the bank and the number', async () => {
  const terminal = openTerminal(['validate-account'], env);
  await choosesAt(terminal, 'Bank account in Nigeria (NGN::Bank)', 'NGN');
  await terminal.sees('Bank (');
  await choosesAt(terminal, 'United Bank for Africa (033)', 'uba');
  await wrongFirst(terminal, 'Account number', { wrong: '12', said: 'has 2 digits', right: '0123456700' });
  await terminal.sees('valid');
  await terminal.sees('remit validate-account --type NGN::Bank --bank-code 033');
  expect(await terminal.exit).toBe(0);
});

it.runIf(isLong)(
  'a bank that names somebody else: Enter means No, the answers are kept, and the account is typed again',
  async () => {
    const pay = ['tx', 'create', ...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1'];
    expect((await runRemit([...pay, '--fund', '--max-input', '20'], env)).code).toBe(0);
    const terminal = openTerminal(['recipient', 'edit', 'wages-1'], env);
    await terminal.answers('Account number', '0123456799');
    await terminal.sees('❯ Access Bank (044)');
    terminal.types(keys.enter);
    await terminal.sees('in the name of TEST USER, which does not read as Ada Obi');
    await terminal.answers('Use this account all the same? (y/N)');
    await terminal.sees('Change which answer?');
    await choosesAt(terminal, 'Account number: ••••6799', 'account number');
    await terminal.answers('? Account number (••••6799)', '0123456700');
    await terminal.answers('Use this account all the same? (y/N)', 'y');
    await terminal.sees('account ••••6719 to ••••6700?');
    await sends(terminal);
    await terminal.sees('--detail bank_account=0123456700');
    expect(await terminal.exit).toBe(0);
  },
);

it('an account that looks wrong is said at its question; Enter again keeps it, and a sandbox is asked about it', async () => {
  const ask = ['validate-account', '--type', 'NGN::Bank', '--bank-code', '044'];
  const terminal = openTerminal(ask, env);
  await terminal.answers('Account number', '012345670');
  await terminal.sees('has 9 digits; right is ten digits, such as 0123456789. Enter again keeps it');
  terminal.types(keys.enter);
  await terminal.sees('NGN::Bank: bank_account has 9 digits');
  expect(await terminal.exit).toBe(0);
});

it('in production an account that looks wrong is asked about before the payment is, and the command that does the same says that it is meant', async () => {
  const own = { REMIT_CONFIG_DIR: service.dir, MADE_UP: credentials.secret };
  const account = ['--base-url', service.url, '--environment', 'production', '--key', credentials.key];
  const login = await runRemit(['login', '--profile', 'tunnel', ...account, '--secret-env', 'MADE_UP'], own);
  expect(login.code, login.stderr).toBe(0);
  const flags = paymentFlags('customer-1', '012345670');
  const amount = flags.indexOf('--amount');
  const create = [
    'tx',
    'create',
    ...flags.slice(0, amount),
    ...flags.slice(amount + 2),
    '--external-id',
    'w-9',
  ];
  const terminal = openTerminal([...create, '--profile', 'tunnel'], own);
  await terminal.answers('Amount', '25000');
  await terminal.sees('NGN::Bank: bank_account has 9 digits');
  await terminal.answers('Use this account all the same?', 'y');
  await sends(terminal);
  await terminal.answers(/Type the last four of\s+the\s+account\s+\(5670\)/, '5670');
  await terminal.sees('--account-as-written');
  expect(await terminal.exit).toBe(0);
});
