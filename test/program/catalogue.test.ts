/** Every operation of the service has a command that reaches it; `remit api` is not counted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findOperation, operationIds } from '../../src/contract/operations/index.ts';
import { pathParameters } from '../../src/contract/operations/operation.ts';
import {
  type Bench,
  createBench,
  paymentFlags,
  type Received,
  type RunOptions,
  senderFlags,
} from '../support/cli.ts';

let bench: Bench;
const reached = new Map<string, string>();
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.close());

/** A literal path is more exact than one with a parameter. */
function operationOf({ method, path }: Received): string | undefined {
  const rows = operationIds
    .map((id) => findOperation(id))
    .filter((row) => row !== undefined)
    .filter(
      (row) => row.method === method && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
  return rows.sort((a, b) => pathParameters(a.path).length - pathParameters(b.path).length)[0]?.id;
}

/** Runs it, notes what it reached, and answers what it printed. */
async function go<T = { id: string }>(
  words: string,
  flags: string[] = [],
  options: RunOptions = {},
): Promise<T> {
  const run = await bench.run([...words.split(' '), ...flags, '-o', 'json'], options);
  expect(`${words}: ${run.code} ${run.code === 0 ? '' : run.stderr}`).toBe(`${words}: 0 `);
  for (const request of run.requests) {
    const id = operationOf(request);
    if (id !== undefined && !reached.has(id)) reached.set(id, words);
  }
  return run.stdout === '' || options.tty
    ? ({} as T)
    : (JSON.parse(run.stdout.split('\n')[0] ?? '') as { data: T }).data;
}

const pairs = (flag: string, ...given: string[]): string[] => given.flatMap((pair) => [flag, pair]);
const payment = (externalId: string, account?: string): string[] => [
  ...paymentFlags('customer-1', account),
  '--external-id',
  externalId,
];
const zar = [
  ...['--input-currency', 'EUR', '--amount', '500', '--type', 'ZAR::Bank', '--sender', 'customer-1'],
  ...pairs('--detail', 'first_name=Ada', 'last_name=Obi', 'email=ada@example.com', 'branch_code=051001'),
  ...pairs('--detail', 'bank_account=1234567800', 'phone_number=+27821234567', 'street=Main Road 1'),
  ...pairs('--detail', 'city=Cape Town', 'postal_code=8001'),
];

interface Tx {
  id: string;
  recipients: { id: string; mandate_id?: string }[];
  payin_methods: { id: string }[];
}

it('people, payments, and what belongs to them', async () => {
  const sender = await go('sender create', senderFlags('customer-1'));
  await go('sender list');
  await go('sender find customer-1');
  await go(`sender show ${sender.id}`);
  await go('sender edit customer-1', ['--set', 'city=Porto']);

  await go('tx calculate', payment('wages-0'));
  await go('tx validate', payment('wages-0'));
  await go('tx create', payment('wages-1', '0123456719'));
  await go('tx fund wages-1');
  const { recipients } = await go<Tx>('tx show wages-1');
  const recipient = recipients[0]?.id ?? '';
  await go('recipient list');
  await go(`recipient edit ${recipient}`, ['--detail', 'bank_account=0123456700', '--name-as-given']);
  await go(`recipient proofs ${recipient}`);
  const unfunded = await go<Tx>('tx create', payment('wages-3'));
  await go(`recipient cancel ${unfunded.recipients[0]?.id}`);
  const paid = await go<Tx>('tx create', [
    ...payment('wages-2', '0123456701'),
    '--fund',
    '--max-input',
    '20',
  ]);
  await go(`tx show ${paid.id}`);
  await go(`sandbox payout ${paid.id}`);
  const { body } = await go<{ body: object }>('tx create', [...payment('wages-4'), '--dry-run', '--reveal']);
  await go('api transactions.create_and_fund', ['--data', JSON.stringify(body)]);
  await go('sender disable customer-1');
});

it('a mandate: begun by the check, said as such, and shown', async () => {
  await go('sender create', senderFlags('customer-2'));
  const flags = zar.map((flag) => (flag === 'customer-1' ? 'customer-2' : flag));
  const check = await bench.run(['tx', 'validate', ...flags, '-o', 'json']);
  expect(check.code).toBe(5);
  const error = check.error();
  expect(error).toMatchObject({ category: 'validation', code: 'mandate_not_signed', outcome: 'not applied' });
  expect(error.message).toContain('in progress');
  await go<Tx>('tx create', [...flags, '--external-id', 'zar-1', '--fund', '--max-input', '500']);
  const { recipients } = await go<Tx>('tx show zar-1');
  await go(`mandate show ${recipients[0]?.mandate_id}`);
});

it('collections', async () => {
  const collect = async (flow: string, externalId: string): Promise<string> => {
    const made = await go<Tx>('tx create', [
      ...['--payin', 'GHS::Mobile', '--payin-flow', flow, '--amount', '50', '--type', 'GHS::Balance'],
      ...pairs('--payin-detail', 'phone_number=+233302123400', 'mobile_provider=mtn'),
      ...['--sender', 'customer-2', '--external-id', externalId],
    ]);
    return made.payin_methods[0]?.id ?? '';
  };
  const coded = await collect('otp_verified_ussd_popup', 'order-1');
  await go(`payin-method show ${coded}`);
  await go(`payin-method edit ${coded}`, ['--otp', '123456']);
  await go(`payin-method cancel ${coded}`);
  await collect('ussd_popup', 'order-2');
  await go('sandbox payin order-2');
  const failed = await go<Tx>('tx create', [
    ...['--payin', 'XOF::Mobile', '--payin-flow', 'ussd_popup', '--amount', '5000', '--type', 'XOF::Balance'],
    ...pairs('--payin-detail', 'phone_number=+2250700000009', 'mobile_provider=mtn', 'country=CI'),
    ...['--sender', 'customer-2', '--external-id', 'order-3'],
  ]);
  await go(`payin-method retry ${failed.payin_methods[0]?.id}`);
});

it('payout methods and documents', async () => {
  const details = pairs(
    '--detail',
    ...['first_name=Ada', 'last_name=Obi', 'bank_code=044', 'bank_account=0123456700'],
  );
  const { id } = await go('payout-method create', ['--type', 'NGN::Bank', ...details]);
  await go('payout-method list');
  await go(`payout-method show ${id}`);
  await go(`payout-method edit ${id}`, ['--detail', 'bank_account=0123456711']);
  await go(`payout-method disable ${id}`);
  writeFileSync(join(bench.dir, 'passport.png'), Buffer.from('89504e470d0a1a0a00', 'hex'));
  const document = await go('document create', ['--file', 'passport.png', '--side', 'front']);
  await go('document list');
  await go(`document show ${document.id}`);
});

it('balances, information, logs and webhooks', async () => {
  await go('balance');
  await go('balance EUR');
  await go('balance --partner');
  await go('validate-account --type NGN::Bank --bank-code 044 --bank-account 0123456700');
  for (const words of ['currencies', 'currencies --in', 'currencies --out', 'rates EUR NGN', 'methods'])
    await go(words);
  const hook = await go('webhooks add http://127.0.0.1:9/');
  await go('webhooks list');
  await go('webhooks events --names --remote');
  await go('sender create', senderFlags('customer-3'));
  const [api] = await go<{ id: string }[]>('logs api');
  const [sent] = await go<{ id: string }[]>('logs webhooks');
  await go(`logs show ${api?.id}`);
  await go(`logs show ${sent?.id}`);
  await go('tx list');
  await go(`webhooks remove ${hook.id}`);
});

it('which is every operation there is', () => {
  expect(operationIds.filter((id) => !reached.has(id))).toEqual([]);
});
