/** `remit demo`: four payments and how each ends. */

import { createSender } from '../../../contract/operations/senders.ts';
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { isPaidOut } from '../../../contract/states/money.ts';
import { isTriedAgain } from '../../../contract/states/recipient.ts';
import { money } from '../../../core/amount-words.ts';
import { type Decimal, eq } from '../../../core/money.ts';
import { demoPaymentShape } from '../../../payments/shapes/payments.ts';
import { stateWords } from '../../../payments/words/looks.ts';
import { type MaskLevel, maskData } from '../../../payments/words/mask.ts';
import { fullName } from '../../../payments/words/person.ts';
import { samplePerson } from '../../sample-person.ts';
import { shippedScenarios } from '../../scenario/shipped.ts';
import { demoRowShape } from '../shapes.ts';
import data from './payroll.json' with { type: 'json' };
import { type Demo, euros, hold } from './play.ts';
import type { DemoStage } from './stage.ts';

interface PaymentLine {
  external_id: string;
  story: string;
  state: string;
  input: string;
  /** The amount that it took from the balance in the end. */
  cost: Decimal;
}

const STORIES = {
  'demo-1': 'paid',
  'demo-2': 'refused, edited, paid',
  'demo-3': 'cancelled, refunded',
  'demo-4': 'not funded, cancelled by the service',
};

export const payments: Demo<PaymentLine> = {
  text: shippedScenarios.demo?.text ?? '',
  lines: async (_, made) =>
    Object.entries(STORIES).map(([external_id, story]) => {
      const found = made.find((payment) => payment.external_id === external_id);
      const [state, input] = [found?.state ?? '', euros(found?.input_amount ?? '0')];
      return { external_id, story, state, input, cost: state === 'paid' ? input : euros('0') };
    }),
  view: {
    shape: demoPaymentShape,
    columns: [
      { name: 'external_id', get: (row) => row.external_id },
      { name: 'story', get: (row) => row.story },
      { name: 'state', get: (row) => row.state },
      { name: 'input', get: (row) => row.input },
      { name: 'cost', get: (row) => row.cost },
    ],
  },
  heads: ['PAYMENT', 'WHAT HAPPENED', 'STATE', 'INPUT EUR', 'COST EUR'],
  cells: (row) => [row.external_id, row.story, row.state, row.input, row.cost],
  sums: (lines) => ({ 'less the cost of all four': lines }),
  next: [
    ['remit sandbox start', 'a sandbox to try things in, in a second terminal'],
    ['remit sandbox scenario --show demo', 'the steps above, to change and run again'],
    ['remit tx create', 'a payment, question by question'],
    ['remit webhooks listen', 'see webhooks arrive'],
    ['remit --help', 'everything else'],
  ],
};

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

/** `remit demo payroll`: a run of twelve, killed half way, run again and followed to the end. */
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
