/** A sandbox with one of everything in the state that commands need, by the names that the help's examples use. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiLog } from '../../src/contract/resources/log.ts';
import { nonceOf } from '../../src/integration/cli/views/log.ts';
import { type Bench, createBench, paymentFlags, senderFlags } from './cli.ts';
import { ledger, wages } from './example-files.ts';

export const pairs = (flag: string, ...given: string[]): string[] => given.flatMap((pair) => [flag, pair]);

const CUSTOMER = 'customer-17';

const zar = [
  ...['--input-currency', 'EUR', '--amount', '500', '--type', 'ZAR::Bank', '--sender', CUSTOMER],
  ...pairs('--detail', 'first_name=Ada', 'last_name=Obi', 'email=ada@example.com', 'branch_code=051001'),
  ...pairs('--detail', 'bank_account=1234567800', 'phone_number=+27821234567', 'street=Main Road 1'),
  ...pairs('--detail', 'city=Cape Town', 'postal_code=8001'),
];

const collection = (flow: string, type = 'GHS::Balance', amount = '50'): string[] => [
  ...['--payin', 'GHS::Mobile', '--payin-flow', flow, '--amount', amount, '--type', type],
  ...pairs('--payin-detail', 'phone_number=+233302123400', 'mobile_provider=mtn'),
  ...['--sender', CUSTOMER],
];

export interface Ids {
  sender: string;
  /** Created, not funded. */
  open: string;
  /** Its payout was refused for the account number. */
  wrong: string;
  wrongRecipient: string;
  /** Its payout is with the bank. */
  slow: string;
  slowRecipient: string;
  paid: string;
  paidRecipient: string;
  payinCode: string;
  payinFailed: string;
  payoutMethod: string;
  document: string;
  mandate: string;
  webhook: string;
  /** In the inbox: fetched from the log. */
  delivery: string;
  apiLog: string;
  /** As an error names it. */
  request: string;
  /** What sent the latest money. */
  journal: string;
}

export interface Stage {
  bench: Bench;
  ids: Ids;
}

interface Made {
  id: string;
  recipients: { id: string; mandate_id?: string }[];
  payin_methods: { id: string }[];
}

export async function setStage(): Promise<Stage> {
  const bench = await createBench();
  const make = async (...argv: string[]): Promise<Made> => {
    const run = await bench.run([...argv, '-o', 'json']);
    if (run.code !== 0) throw new Error(`the stage: ${argv.join(' ')}: ${run.stderr}`);
    return run.data<Made>();
  };
  const pay = (account: string, externalId: string, ...rest: string[]): Promise<Made> =>
    make('tx', 'create', ...paymentFlags(CUSTOMER, account), '--external-id', externalId, ...rest);
  const funded = ['--fund', '--max-input', '20'];
  const webhook = await make('webhooks', 'add', 'http://127.0.0.1:9/hooks');
  const sender = await make('sender', 'create', ...senderFlags(CUSTOMER));
  await make('sender', 'create', ...senderFlags('customer-1'));
  await make('sandbox', 'settings', 'kyc=operator');
  await make('sender', 'create', ...senderFlags('customer-new'));
  await make('sender', 'create', ...senderFlags('customer-bad'));
  await make('sandbox', 'settings', 'kyc=waived');
  const wrong = await pay('0123456719', 'wages-1', ...funded);
  await pay('0123456719', 'wages-2', ...funded);
  await pay('0123456708', 'wages-3', ...funded);
  const slow = await pay('0123456701', 'slow-1', ...funded);
  const paid = await pay('0123457700', 'paid-1', ...funded);
  const open = await pay('0123457700', 'invoice-2024-17');
  const coded = await make(
    'tx',
    'create',
    ...collection('otp_verified_ussd_popup'),
    '--external-id',
    'order-1',
  );
  await make('tx', 'create', ...collection('ussd_popup'), '--external-id', 'collection-17');
  await make(
    ...['tx', 'create', ...collection('ussd_popup', 'NGN::Bank', '25000'), '--external-id', 'collection-19'],
    ...pairs('--detail', 'first_name=Ada', 'last_name=Obi', 'bank_code=044', 'bank_account=0123456719'),
  );
  await make('sandbox', 'payin', 'collection-19');
  await bench.run(['tx', 'cancel', 'collection-19']);
  const failed = await make(
    ...['tx', 'create', '--payin', 'XOF::Mobile', '--payin-flow', 'ussd_popup', '--amount', '5000'],
    ...['--type', 'XOF::Balance', '--sender', CUSTOMER, '--external-id', 'order-3'],
    ...pairs('--payin-detail', 'phone_number=+2250700000009', 'mobile_provider=mtn', 'country=CI'),
  );
  await make('tx', 'create', ...zar, '--external-id', 'zar-1', '--fund', '--max-input', '500');
  const mandated = await make('tx', 'show', 'zar-1');
  const method = await make(
    ...['payout-method', 'create', '--type', 'NGN::Bank'],
    ...pairs('--detail', 'first_name=Ada', 'last_name=Obi', 'bank_code=044', 'bank_account=0123456700'),
  );
  writeFileSync(join(bench.dir, 'passport.jpg'), Buffer.from('ffd8ffe000104a46494600', 'hex'));
  const document = await make('document', 'create', '--file', 'passport.jpg', '--side', 'front');
  writeFileSync(join(bench.dir, 'password.txt'), 'made up\n');
  writeFileSync(join(bench.dir, 'wages.csv'), wages);
  writeFileSync(join(bench.dir, 'ledger.csv'), ledger);
  await make('batch', 'plan', 'wages.csv', '--name', 'wages-2026-11', '--max-input', 'EUR=12000');
  await make('batch', 'run', 'wages-2026-11');
  await make('batch', 'watch', 'wages-2026-11', '--timeout', '30s');
  await make('books', 'sync');
  await make('sandbox', 'snapshot', 'before-wages.snap');
  await make('webhooks', 'backfill', '--public-url', 'http://127.0.0.1:9/hooks');
  const inbox = await bench.run(['webhooks', 'events', '-o', 'json']);
  const [delivery] = inbox.data<{ id: string }[]>();
  const logs = await bench.run(['logs', 'api', '-o', 'json']);
  const [log] = logs.data<ApiLog[]>();
  const history = await bench.run(['history', '-o', 'json']);
  const [intent] = history.data<{ id: string }[]>();
  return {
    bench,
    ids: {
      sender: sender.id,
      open: open.id,
      wrong: wrong.id,
      wrongRecipient: wrong.recipients[0]?.id ?? '',
      slow: slow.id,
      slowRecipient: slow.recipients[0]?.id ?? '',
      paid: paid.id,
      paidRecipient: paid.recipients[0]?.id ?? '',
      payinCode: coded.payin_methods[0]?.id ?? '',
      payinFailed: failed.payin_methods[0]?.id ?? '',
      payoutMethod: method.id,
      document: document.id,
      mandate: mandated.recipients[0]?.mandate_id ?? '',
      webhook: webhook.id,
      delivery: delivery?.id ?? '',
      apiLog: log?.id ?? '',
      request: log ? (nonceOf(log) ?? '') : '',
      journal: intent?.id ?? '',
    },
  };
}
