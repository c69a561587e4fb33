/** Prompts use what the service offers: its list of payout types, their fields, and what it sends with a refusal. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { credentials, paymentFlags, senderFlags } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { runRemit, temporaryHome } from '../support/program.ts';
import { choosesAt, sends } from '../support/review.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

type Answer = Awaited<ReturnType<Sandbox['handle']>>;

let sandbox: Sandbox;
let listening: Listening;
let home: ReturnType<typeof temporaryHome>;
let env: Record<string, string>;
/** What becomes of the list of payout types on its way; the rest is the sandbox as it is. */
let ofList: (answer: Answer) => Answer;
let requests: { method: string; path: string; body: unknown }[];

beforeEach(async () => {
  sandbox = await createSandbox({ credentials, seed: 3 });
  ofList = (answer) => answer;
  requests = [];
  const handle: Sandbox['handle'] = async (request) => {
    const path = request.url.replace(/^\/v1/, '');
    requests.push({ method: request.method, path, body: request.body && JSON.parse(String(request.body)) });
    const answer = await sandbox.handle(request);
    return path === '/info/payment_methods/out' ? ofList(answer) : answer;
  };
  const service: Sandbox = Object.create(sandbox, { handle: { value: handle } });
  listening = await listen(service, { port: 0 });
  home = temporaryHome();
  env = variablesFor(listening, home.dir);
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
  requests = [];
});
afterEach(async () => {
  await listening.close();
  await sandbox.close();
  home.remove();
});

const NEW_TYPE = {
  type: 'PEN::Bank',
  provider: 'sandbox',
  details: ['first_name', 'cci', 'account_kind'],
  fields: {
    first_name: { type: 'input', validations: { presence: true } },
    cci: { type: 'input', validations: { presence: true, format: '\\A[0-9]{20}\\z' } },
    account_kind: {
      type: 'select',
      options: { S: 'Savings', C: 'Current' },
      validations: { presence: true },
    },
  },
};
const listing =
  (...more: object[]) =>
  (answer: Answer): Answer => ({
    ...answer,
    body: JSON.stringify({ object: [...JSON.parse(String(answer.body)).object, ...more] }),
  });
const paths = (method: string) => requests.filter((one) => one.method === method).map(({ path }) => path);
const details = (body: unknown) =>
  (body as { transaction: { recipients: { payout_method: object }[] } }).transaction.recipients[0]
    ?.payout_method;

async function search(terminal: Terminal, question: string, text: string, found: string): Promise<void> {
  await terminal.sees(question);
  await terminal.sees('⏎ select');
  terminal.types(text);
  await terminal.sees(`❯ ${found}`);
  await terminal.chooses(`✔ ${question}`);
}

describe('tx create', () => {
  it('offers a type that only the service knows, and asks for its fields; the list is read once', async () => {
    ofList = listing(NEW_TYPE);
    const terminal = openTerminal(['tx', 'create', '--sender', 'customer-1'], env);
    await search(terminal, 'How is it paid out?', 'PEN::Bank', 'PEN::Bank');
    await terminal.answers('Amount in PEN', '100');
    await terminal.answers('Which currency do you pay in?');
    await terminal.answers('First name', 'Ada');
    await terminal.answers('Cci', '123');
    await terminal.sees('Cci does not have the form that the service asks for');
    terminal.types(`${'4'.repeat(17)}${keys.enter}`);
    await terminal.sees('Account kind');
    await choosesAt(terminal, 'Current (C)', 'Cur');
    await terminal.sees('The service refused it; nothing was done. Your other answers are kept.');
    await terminal.sees('How is it paid out?');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen()).not.toContain('is not a payout type that remit knows');
    expect(paths('GET').filter((path) => path.startsWith('/info/payment_methods'))).toHaveLength(1);
    expect(details(requests.find(({ method }) => method === 'POST')?.body)).toEqual({
      type: 'PEN::Bank',
      details: { first_name: 'Ada', cci: `123${'4'.repeat(17)}`, account_kind: 'C' },
    });
  });

  it.runIf(isLong)('where the list cannot be read says so once, and asks by what remit knows', async () => {
    ofList = (said) => ({ ...said, status: 500, body: '{}' });
    const terminal = openTerminal(['tx', 'create', '--sender', 'customer-1'], env);
    await search(terminal, 'How is it paid out?', 'NGN::B', 'Bank account in Nigeria');
    await terminal.answers('Amount in NGN', '25000');
    await terminal.answers('Which currency do you pay in?');
    await terminal.sees('First name');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    const said = terminal.screen().match(/list of payout types could not be read/g);
    expect(said).toHaveLength(1);
  });

  it.runIf(isLong)('asks for the reference of a payout to your own balance', async () => {
    const collect = ['tx', 'create', '--payin', 'NGN::Bank', '--amount', '5000', '--sender', 'customer-1'];
    const terminal = openTerminal(collect, env);
    await search(terminal, 'How is it paid out?', 'NGN::Bal', 'Your own balance in NGN');
    await terminal.answers('Reference', 'order-17');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    expect(details(requests.find(({ path }) => path === '/transactions')?.body)).toEqual({
      type: 'NGN::Balance',
      details: { reference: 'order-17' },
    });
  });

  it.runIf(isLong)('asks what the service wants of a type beyond what remit knows', async () => {
    ofList = (said) => {
      const list = JSON.parse(String(said.body)).object as (typeof NEW_TYPE)[];
      const ngn = list.find(({ type }) => type === 'NGN::Bank');
      Object.assign(ngn?.fields ?? {}, { tax_number: { type: 'input', validations: { presence: true } } });
      return { ...said, body: JSON.stringify({ object: list }) };
    };
    const flags = paymentFlags('customer-1').filter((flag, i, all) => {
      const pair = flag === '--detail' ? all[i + 1] : flag;
      return !pair?.startsWith('last_name=');
    });
    const terminal = openTerminal(['tx', 'create', ...flags], env);
    await terminal.answers('Last name', 'Obi');
    await terminal.sees('Tax number');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });
});

const wrongBank = ['--detail', 'bank_code=999'];

describe('what the service refuses is asked again', () => {
  it('recipient edit: by the choices that came with the refusal, and only then it is changed', async () => {
    await runRemit(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1'], env);
    const terminal = openTerminal(['recipient', 'edit', 'wages-1', ...wrongBank, '--skip-validation'], env);
    await terminal.answers('bank 044 to 999?', 'y');
    await terminal.sees('Bank is not valid');
    await search(terminal, 'Bank', 'zenith', 'Zenith');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    const sent = requests.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.stringify(body));
    expect(sent).toHaveLength(2);
    expect(sent[0]).toContain('"bank_code":"999"');
    expect(sent[1]).toContain('"bank_code":"057"');
  });

  it.runIf(isLong)('payout-method create asks for all, and again for what is refused', async () => {
    const flags = ['--detail', 'first_name=Ada', '--detail', 'last_name=Obi', ...wrongBank];
    const terminal = openTerminal(['payout-method', 'create', '--type', 'NGN::Bank', ...flags], env);
    await terminal.answers('Account number', '0123456700');
    await sends(terminal);
    await terminal.sees('Bank is not valid');
    await search(terminal, 'Bank', 'zenith', 'Zenith');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    expect(paths('POST')).toEqual(['/payout_methods', '/payout_methods']);
    expect(JSON.stringify(requests.at(-1)?.body)).toContain('"bank_code":"057"');
  });

  it.runIf(isLong)('payout-method create without flags asks for the type first', async () => {
    const terminal = openTerminal(['payout-method', 'create'], env);
    await search(terminal, 'How is it paid out?', 'EUR::Bank', 'Bank account in the SEPA area');
    for (const [question, text] of [
      ['First name', 'Ada'],
      ['Middle name (optional)', ''],
      ['Last name', 'Obi'],
      ['IBAN', 'DE89370400440532013000'],
      ['BIC (optional)', ''],
      ['Bank name (optional)', ''],
      ['Payment reference text (optional)', ''],
    ] as const)
      await terminal.answers(question, text);
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    expect(paths('POST')).toEqual(['/payout_methods']);
  });

  it.runIf(isLong)('payout-method edit', async () => {
    const flags = ['first_name=Ada', 'last_name=Obi', 'bank_code=044', 'bank_account=0123456700'];
    const create = ['payout-method', 'create', '--type', 'NGN::Bank', '-o', 'json'];
    const made = await runRemit([...create, ...flags.flatMap((pair) => ['--detail', pair])], env);
    const { id } = JSON.parse(made.stdout).data as { id: string };
    const terminal = openTerminal(['payout-method', 'edit', id, ...wrongBank], env);
    await terminal.answers('bank 044 to 999?', 'y');
    await terminal.sees('Bank is not valid');
    await search(terminal, 'Bank', 'zenith', 'Zenith');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    expect(paths('PATCH')).toHaveLength(2);
  });
});
