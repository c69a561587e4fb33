/** A run of so many rows in a store in a file, as it stands when most of them were paid. */
import { DatabaseSync } from '@photostructure/sqlite';
import { seededRandom } from '../../src/core/random.ts';
import { openStore } from '../../test/support/open-store.ts';

const AT_ONCE = 1_000;

export async function fillRun(path: string, name: string, rows: number, baseUrl: string): Promise<void> {
  const store = await openStore(path, { clock: { now: () => Date.now() }, random: seededRandom(name) });
  const payruns = await store.payruns();
  const account = { baseUrl, environment: 'sandbox', profile: 'environment', keyLast4: '77aa' };
  const draft = await payruns.draft({ name, account, maker: 'bench', windowSize: 200 });
  for (let from = 1; from <= rows; from += AT_ONCE)
    await draft.append(
      Array.from({ length: Math.min(AT_ONCE, rows - from + 1) }, (_, i) => rowOf(name, from + i)),
    );
  const plan = {
    version: 1,
    rows: '',
    totals: [],
    rates: {},
    ceilings: {},
    tolerance: '0.005',
    repeated: {},
  };
  await draft.finish({ digest: 'bench', plan: JSON.stringify(plan) });
  store.close();
  pay(path, name);
}

const rowOf = (name: string, n: number) => ({
  n,
  key: `emp-${n}`,
  externalId: `${name}:emp-${n}`,
  type: 'NGN::Bank',
  amount: '20000.00',
  currency: 'NGN',
  inputCurrency: 'EUR',
  estimate: '10.00',
  content: `content-${n}`,
  account: n.toString(16).padStart(13, '0'),
  payee: n.toString(16).padStart(13, '0'),
  person: undefined,
  body: '{"input_currency":"EUR"}',
});

/** Triggers of the file keep the sums. */
function pay(path: string, name: string): void {
  const database = new DatabaseSync(path);
  database.exec(`UPDATE payrun_rows SET cost = estimate, arrives = amount,
      state = CASE n % 10 WHEN 1 THEN 'created' WHEN 2 THEN 'in_error' ELSE 'paid' END
    WHERE n % 10 > 0 AND run = (SELECT seq FROM payruns WHERE name = '${name}');
    UPDATE payrun_rows SET state = 'refused', code = 'invalid'
    WHERE n % 10 = 0 AND run = (SELECT seq FROM payruns WHERE name = '${name}')`);
  database.close();
}
