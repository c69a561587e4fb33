/** `remit demo payroll`: a run of twelve, killed half way, run again and followed to the end. */
import { createSender } from '../../contract/operations/senders.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { isPaidOut } from '../../contract/states/money.ts';
import { isTriedAgain } from '../../contract/states/recipient.ts';
import { eq } from '../../core/money.ts';
import { demoRowShape } from '../../desk/shapes/payruns.ts';
import { money } from '../../desk/words/amount.ts';
import { type MaskLevel, maskData } from '../../desk/words/mask.ts';
import { fullName } from '../../desk/words/person.ts';
import { samplePerson } from '../../sandbox/sample-person.ts';
import { stateWords } from '../views/payrun.ts';
import data from './payroll.json' with { type: 'json' };
import { type Demo, euros, hold } from './play.ts';
import type { DemoStage } from './stage.ts';

/** Twelve made-up people in three corridors, as finance would write them. E-04 has an account that does not exist. */
const WAGES = data.wages.map((line) => `${line}\n`).join('');

/** One pays nearly everybody. The Kenyan corridor wants to know more of a sender than this one says: only the service can tell. */
async function createCompanies({ client }: DemoStage): Promise<void> {
  const company = { ...samplePerson, type: 'person' as const };
  const known = { email: 'rui@example.com', phone_number: '+4915112345679', source_of_funds: 'salary' };
  for (const sender of [
    { ...company, external_id: 'demo-company' },
    { ...company, ...known, external_id: 'demo-company-known' },
  ])
    await client.call(createSender, { body: { sender } });
}

/** A row as `batch rows` prints it. */
interface Row {
  key: string;
  type: string;
  state: string;
  amount: string;
  currency: string;
  cost: string | null;
  why: string | null;
  transaction_id: string | null;
}

type PayrollLine = Omit<Row, 'transaction_id'> & { name: string };

/** Returns a line for each row. Remit must say of each row what the service says of its payment. */
async function lines(demo: DemoStage, made: readonly Transaction[], mask: MaskLevel): Promise<PayrollLine[]> {
  const rows: Row[] = (await demo.remit(['batch', 'rows', 'demo-wages'])).body.data;
  const people = data.wages.map((line) => line.split(','));
  return rows.map(({ transaction_id: id, key, type, state, amount, currency, cost, why }) => {
    const payment = made.find((one) => one.id === id);
    hold(
      (payment === undefined) === (state === 'refused'),
      `${key} is at the service where it was not refused`,
    );
    if (payment !== undefined) {
      const there = payment.recipients?.[0]?.state;
      const agrees = state === 'paid' ? isPaidOut(there) : isTriedAgain(there);
      hold(agrees, `the service says of ${key}, as remit does, that it is ${state}`);
      hold(eq(payment.input_amount ?? '0', cost ?? '1'), `${key} cost what the service says`);
    }
    const [first_name, last_name] = people.find(([known]) => known === key)?.slice(5) ?? [];
    const name = fullName(maskData({ first_name, last_name }, mask));
    return { key, name, type, amount, currency, cost, state, why };
  });
}

export const payroll: Demo<PayrollLine> = {
  text: data.steps.join('\n'),
  files: { 'wages.csv': WAGES },
  prepare: createCompanies,
  lines,
  view: {
    shape: demoRowShape,
    columns: [
      { name: 'key', get: ({ key }) => key },
      { name: 'name', get: ({ name }) => name },
      { name: 'type', get: ({ type }) => type },
      { name: 'amount', amount: true, get: ({ amount }) => amount },
      { name: 'currency', get: ({ currency }) => currency },
      { name: 'cost', amount: true, get: ({ cost }) => cost },
      { name: 'state', get: ({ state }) => state },
      { name: 'why', get: ({ why }) => why },
    ],
  },
  heads: ['ROW', 'NAME', 'CORRIDOR', 'AMOUNT', 'COST EUR', 'STATE'],
  cells: ({ key, name, type, amount, currency, cost, state }) => [
    key,
    name,
    type,
    money(amount, currency) ?? '',
    cost === null ? '' : euros(cost),
    stateWords(state),
  ],
  sums(all) {
    const [paid, held] = ['paid', 'in_error'].map((state) => all.filter((line) => line.state === state));
    return {
      [`less ${paid?.length} paid out`]: paid ?? [],
      [`less ${held?.length} in error, held`]: held ?? [],
      refunded: [],
    };
  },
  next: [
    ['remit batch template NGN::Bank', 'a file to fill in'],
    ['remit batch plan FILE --name NAME', 'your own run; remit sandbox start gives you a sandbox'],
    ['remit batch --help', 'everything else about pay runs'],
  ],
};
