/** Ctrl-D at every prompt there is: 130 and `remit: stopped`, and nothing is sent. It ended with 0 and without a word. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { type Bench, createBench, paymentFlags, senderFlags } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

let bench: Bench;
let listening: Listening;
let env: Record<string, string>;
let [recipient, unfunded, method]: string[] = [];

/** Two recipients of one payment: whoever names the payment is asked which. */
const SEVERAL = `input_currency: EUR
sender: { external_id: customer-1 }
recipients:${['1000', '2000']
  .map(
    (amount) => `
  - requested_amount: ${amount}
    requested_currency: NGN
    payout_method:
      type: NGN::Bank
      details: { first_name: Ada, last_name: Obi, bank_code: "044", bank_account: "0123456700" }`,
  )
  .join('')}
`;

const idOf = async (argv: string[], find: (data: never) => string): Promise<string> =>
  find((await bench.run([...argv, '-o', 'json'])).data<never>());
const firstRecipient = ({ recipients }: { recipients: { id: string }[] }) => recipients[0]?.id ?? '';

beforeAll(async () => {
  bench = await createBench();
  listening = await listen(bench.sandbox, { port: 0 });
  env = variablesFor(listening, bench.dir);
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
  const pay = (ending: string) => ['tx', 'create', ...paymentFlags('customer-1', `01234567${ending}`)];
  recipient = await idOf([...pay('19'), '--fund', '--max-input', '20'], firstRecipient);
  unfunded = await idOf(pay('00'), ({ id }: { id: string }) => id);
  writeFileSync(join(bench.dir, 'several.yaml'), SEVERAL);
  await bench.run(['tx', 'create', '--file', 'several.yaml', '--external-id', 'several-1']);
  await bench.run([
    ...['tx', 'create', '--payin', 'GHS::Mobile', '--payin-flow', 'ussd_popup', '--amount', '50'],
    ...['--payin-detail', 'phone_number=+233302123400', '--type', 'GHS::Balance'],
    ...['--sender', 'customer-1', '--external-id', 'order-1'],
  ]);
  method = await idOf(
    [
      ...['payout-method', 'create', '--type', 'NGN::Bank'],
      ...['--detail', 'first_name=Ada', '--detail', 'last_name=Obi'],
      ...['--detail', 'bank_code=044', '--detail', 'bank_account=0123456700'],
    ],
    ({ id }: { id: string }) => id,
  );
});
afterAll(async () => {
  await listening.close();
  await bench.close();
});

/** A question, and what is typed to come to the next; Enter where nothing is said. */
type Step = [question: string, reply?: (terminal: Terminal) => Promise<void>];
const typed =
  (text: string) =>
  async (terminal: Terminal): Promise<void> =>
    terminal.types(text + keys.enter);
const found =
  (text: string, seen: string, until: string) =>
  async (terminal: Terminal): Promise<void> => {
    terminal.types(text);
    await terminal.sees(seen);
    await terminal.chooses(until);
  };

const NEW_PAYMENT: Step[] = [
  ['How is it paid out?', found('NGN', '❯ Bank account in Nigeria', '✔ How is it paid out?')],
  ['Amount in NGN', typed('25000')],
  ['Which currency do you pay in?'],
  ['Sender (ID', typed('customer-1')],
  ['First name', typed('Ada')],
  ['Middle name'],
  ['Last name', typed('Obi')],
  ['Bank', found('access', '❯ Access Bank (044)', '✔ Bank')],
  ['Account number', typed('0123456700')],
  ['Account type'],
  ['Street'],
  ['Email'],
];
const EDIT: Step[] = [
  ['First name', typed('Eve')],
  ['Middle name'],
  ['Last name'],
  ['Bank', found('', '❯ Access Bank (044)', '✔ Bank')],
  ['Account number'],
  ['Account type'],
  ['Street'],
  ['Email'],
];
const ALL_OF_THEM: Step = [
  'What is to be changed?',
  found('all of', '❯ all of them', '✔ What is to be changed?'),
];
/** What the payout failed for is asked, and nothing else. */
const EDIT_FAILED: Step[] = [
  ['Account number', typed('0123456700')],
  ['Bank', found('', '❯ Access Bank (044)', '✔ Bank')],
  [
    'Use this account all the same?',
    async (terminal) => {
      await terminal.listens();
      terminal.types(`y${keys.enter}`);
    },
  ],
];
const flows: Record<string, { argv: () => string[]; steps: Step[]; env?: () => Record<string, string> }> = {
  'tx create': { argv: () => ['tx', 'create'], steps: NEW_PAYMENT },
  'tx create --fund': {
    argv: () => ['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'd-1', '--fund'],
    steps: [['from the sandbox balance?']],
  },
  'recipient edit': {
    argv: () => ['recipient', 'edit', recipient ?? ''],
    steps: [...EDIT_FAILED, ['Change where']],
  },
  'sender edit': {
    argv: () => ['sender', 'edit', 'customer-1'],
    steps: [
      ['Your reference'],
      ['First name', typed('Eve')],
      ...['Last name', 'Country', 'E-mail', 'Phone number', 'IP address'].map((name): Step => [name]),
    ],
  },
  'payout-method edit': {
    argv: () => ['payout-method', 'edit', method ?? ''],
    steps: [ALL_OF_THEM, ...EDIT, ['Change where']],
  },
  triage: {
    argv: () => ['recipient', 'triage'],
    steps: [['enter look at one'], ['What now?'], ['Account number']],
  },
  'triage: cancel': {
    argv: () => ['recipient', 'triage'],
    steps: [
      ['enter look at one'],
      ['What now?', async (terminal) => terminal.types(keys.down + keys.enter)],
      ['Cancel 25,000 NGN'],
    ],
  },
  'sandbox reset': { argv: () => ['sandbox', 'reset'], steps: [['?']] },
  login: {
    argv: () => ['login'],
    env: () => ({ REMIT_CONFIG_DIR: bench.dir }),
    steps: [
      ['Base URL', typed('https://api.example.com/v1')],
      ['Which environment', async (terminal) => terminal.types(keys.down + keys.enter)],
      ['API key', typed('k')],
      ['API secret'],
    ],
  },
};

const cases = Object.entries(flows).flatMap(([name, { steps }]) =>
  steps.map(([question], index) => [name, question, index] as const),
);

describe('Ctrl-D', () => {
  it.each(some(cases, 4))('%s, at "%s": 130 and a word', async (name, _, last) => {
    const flow = flows[name];
    if (!flow) throw new Error(`no flow ${name}`);
    const before = (await bench.run(['logs', 'api', '--all', '-o', 'json'])).stdout;
    const terminal = openTerminal(flow.argv(), flow.env?.() ?? env);
    for (const [at, [question, reply = typed('')]] of flow.steps.entries()) {
      await terminal.sees(question);
      if (at === last) break;
      await reply(terminal);
    }
    terminal.types(keys.ctrlD);
    expect([await terminal.exit, terminal.screen()]).toEqual([
      130,
      expect.stringContaining('remit: stopped'),
    ]);
    expect(writes((await bench.run(['logs', 'api', '--all', '-o', 'json'])).stdout)).toEqual(writes(before));
  });

  // Nothing on loopback is production, so this runs in process; the prompt is the same one.
  it.each([
    ['tx create', () => ['tx', 'create', ...paymentFlags('customer-1')]],
    ['tx create --fund', () => ['tx', 'create', ...paymentFlags('customer-1'), '--fund']],
    ['recipient cancel', () => ['recipient', 'cancel', recipient ?? '']],
    ['tx cancel', () => ['tx', 'cancel', unfunded ?? '']],
    ['tx fund', () => ['tx', 'fund', unfunded ?? '']],
    ['sender disable', () => ['sender', 'disable', 'customer-1']],
    ['payout-method disable', () => ['payout-method', 'disable', method ?? '']],
  ])('%s, where production asks: 130, and nothing is sent', async (_, argv) => {
    const env = { REMIT_BASE_URL: 'https://api.example.com/v1' };
    const run = await bench.run(argv(), { env, tty: true, stdin: keys.ctrlD });
    // The prompt closes this stderr, which a real one outlives: the word is seen above, in the pseudo-terminal.
    expect([run.code, run.stderr]).toEqual([130, expect.stringMatching(/LIVE (?:account|balance)\?/)]);
    expect(
      run.requests.filter(({ method: verb, path }) => verb !== 'GET' && !path.endsWith('calculate')),
    ).toEqual([]);
  });

  const other = ['recipient', 'edit', () => recipient ?? '', '--detail', 'bank_account=9123456700'];
  it.each<[string, string, (string | (() => string))[], Record<string, string>?]>([
    ['an account that its bank does not know', 'Use this account all the same?', other],
    ['one of several', 'Which', ['recipient', 'edit', 'several-1', '--detail', 'last_name=Okoye']],
    ['what a collection waits for', 'Mobile provider', ['payin-method', 'edit', 'order-1']],
    [
      'a payment that was made before',
      'Pay it a second time?',
      ['tx', 'create', ...paymentFlags('customer-1'), '--yes'],
    ],
    [
      'the production secret',
      'Sign it with the production secret?',
      [
        ...['webhooks', 'sign', '--event', 'sender.created', '--url', 'https://example.com/hooks'],
        ...['--as-profile', '--live', 'key:7f3c', '--save', 'asked.json'],
      ],
      { REMIT_BASE_URL: 'https://api.example.com/v1' },
    ],
    [
      'the password of an inbox',
      'Password for',
      ['webhooks', 'events', '--store', 'postgres://nobody@127.0.0.1:9/inbox'],
    ],
  ])('at the question about %s: 130, and nothing is sent', async (_, question, argv, given = {}) => {
    const words = argv.map((word) => (typeof word === 'string' ? word : word()));
    const run = await bench.run(words, { env: given, tty: true, stdin: keys.ctrlD });
    expect([run.code, run.stderr]).toEqual([130, expect.stringContaining(question)]);
    const sent = run.requests.filter(({ method: verb }) => verb !== 'GET');
    expect(sent.filter(({ path }) => !/calculate|account_validations/.test(path))).toEqual([]);
  });

  it('without a terminal no prompt is asked: the flag that is missing is named', async () => {
    const { code, stderr } = await runRemit(['tx', 'create'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--')]);
  });
});

/** What money hangs on; calculations only look. */
const writes = (stdout: string): string[] =>
  (JSON.parse(stdout).data as { request_method: string; request_url: string }[])
    .filter(
      ({ request_method, request_url }) =>
        request_method !== 'GET' && !/(?:calculate|account_validations)$/.test(request_url),
    )
    .map(({ request_method, request_url }) => `${request_method} ${request_url}`);
