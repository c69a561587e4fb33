/** `remit demo payroll`: a run of twelve, killed half way, run again and followed to the end. Each step is checked against the service. */

import { pages } from '../../client/pages.ts';
import { listAccounts } from '../../contract/operations/accounts.ts';
import { createSender } from '../../contract/operations/senders.ts';
import { listTransactions } from '../../contract/operations/transactions.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { add, type Decimal, eq, sub } from '../../core/money.ts';
import type { demoRowShape } from '../../desk/shapes/payruns.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { money } from '../../desk/words/amount.ts';
import { type MaskLevel, maskData } from '../../desk/words/mask.ts';
import { fullName } from '../../desk/words/person.ts';
import { stateWords } from '../views/payrun.ts';
import { hold, type Narrator, onlyRecipient } from './acts.ts';
import { CURRENCY } from './cast.ts';
import { CSV, PEOPLE, RUN_NAME, SENDERS } from './payroll-cast.ts';
import type { Ended, PayrollStage } from './payroll-stage.ts';

export interface PayrollPlay {
  stage: PayrollStage;
  tell: Narrator;
  mask: MaskLevel;
}

export type PayrollLine = DataOf<typeof demoRowShape>;

export interface PayrollEnd {
  lines: PayrollLine[];
  opening: Decimal;
  paid: Decimal;
  held: Decimal;
  closing: Decimal;
}

const KILLED_AT = 6;

export async function performPayroll(play: PayrollPlay): Promise<PayrollEnd> {
  const { stage, tell } = play;
  tell.title('The sandbox, on this machine');
  const opening = await balance(play);
  tell.step(`the service answers at ${stage.baseUrl}; the balance is ${money(opening, CURRENCY)}`);
  for (const sender of SENDERS) await stage.client.call(createSender, { body: { sender } });
  await plan(play);
  await killHalfWay(play);
  await runAgain(play);
  return { opening, ...(await follow(play, opening)) };
}

async function plan({ stage, tell }: PayrollPlay): Promise<void> {
  tell.title('1. A file of twelve people, planned');
  const file = stage.keep('wages.csv', CSV);
  const checked = await stage.remit(['batch', 'check', file]);
  expectExit(checked, [0], 'the file has no fault that can be seen before it is sent');
  tell.step(`remit batch check wages.csv: ${firstLine(checked.stderr)}`);
  const planned = await stage.remit(
    `batch plan ${file} --name ${RUN_NAME} --max-input ${CURRENCY}=5000 -o json`.split(' '),
  );
  expectExit(planned, [0], 'the run is planned');
  const { digest, rows, still_needed: needed } = dataOf<Status>(planned);
  hold(rows === PEOPLE.length, 'the run has twelve rows');
  hold((await transactionsOf(stage)).length === 0, 'nothing was sent by the plan');
  tell.step(
    `remit batch plan wages.csv --name ${RUN_NAME}: about ${money(needed[CURRENCY], CURRENCY)}, digest ${digest}; nothing is sent`,
  );
}

async function killHalfWay({ stage, tell }: PayrollPlay): Promise<void> {
  tell.title('2. Paid, and killed half way');
  const killed = await stage.remitKilledAt(KILLED_AT, [...RUN, '--in-flight', '2']);
  hold(killed.signal === 'SIGKILL', 'the run was killed while it paid');
  tell.step(
    `remit batch run ${RUN_NAME}: kill -9 when payment ${KILLED_AT} reached the service; its answer reached nobody`,
  );
  const made = (await transactionsOf(stage)).length;
  const status = dataOf<Status>(await stage.remit(['batch', 'status', RUN_NAME, '-o', 'json']));
  const { created = 0, sending = 0, planned = 0 } = status.states;
  hold(sending > 0 && planned > 0, 'some rows wait for an answer, and some were not sent');
  hold(made > created, 'the service has a payment whose answer was not heard');
  tell.step(
    `on disk: ${created} paid for, ${sending} sent without an answer, ${planned} not sent; the service has ${made}`,
  );
}

async function runAgain({ stage, tell }: PayrollPlay): Promise<void> {
  tell.title('3. The same command again');
  const again = await stage.remit([...RUN, '-o', 'json']);
  expectExit(again, [10], 'the rest is paid, but for one row that is refused');
  const { states, agrees } = dataOf<Status>(again);
  const exist = (states.created ?? 0) + (states.in_error ?? 0) + (states.paid ?? 0);
  hold(exist === 11 && states.refused === 1 && agrees, 'eleven rows are paid for, and one is refused');
  const made = await transactionsOf(stage);
  const ids = new Set(made.map(({ external_id: id }) => id));
  hold(made.length === 11 && ids.size === 11, 'the service has each payment once');
  tell.step('it asked the service about rows without an answer, found the payment, and sent the rest');
  tell.step('the service has 11 payments, no row twice; 1 row was refused');
}

async function follow(play: PayrollPlay, opening: Decimal): Promise<Omit<PayrollEnd, 'opening'>> {
  const { stage, tell } = play;
  tell.title('4. Followed to the end');
  const watched = await stage.remit(['batch', 'watch', RUN_NAME, '--timeout', '20s', '-o', 'json']);
  expectExit(watched, [10], 'every row came to an end');
  const rows = dataOf<Row[]>(await stage.remit(['batch', 'rows', RUN_NAME, '-o', 'json']));
  const lines = linesOf(rows, await transactionsOf(stage), play.mask);
  for (const { key, state, why, cost } of lines.filter((line) => line.state !== 'paid'))
    tell.step(
      `${key} is ${stateWords(state)}: ${why}; ${cost === null ? 'no money was taken for it' : 'the service holds the money until you correct or cancel it'}`,
    );
  const sum = (wanted: string): Decimal =>
    lines.reduce((all, { state, cost }) => (state === wanted ? add(all, cost ?? '0') : all), '0');
  const [paid, held, closing] = [sum('paid'), sum('in_error'), await balance(play)];
  hold(eq(sub(opening, add(paid, held)), closing), 'every amount adds up');
  return { lines, paid, held, closing };
}

const RUN = ['batch', 'run', RUN_NAME, '--yes'];

/** Returns a line for each row. Remit must say of each row what the service says of its payment. */
function linesOf(rows: readonly Row[], made: readonly Transaction[], mask: MaskLevel): PayrollLine[] {
  hold(rows.length === PEOPLE.length, 'there are twelve rows');
  return PEOPLE.map(({ key, first, last, fate }) => {
    const row = rows.find((one) => one.key === key);
    const payment = made.find(({ id }) => id === row?.transaction_id);
    hold(row?.state === fate, `${key} is ${stateWords(fate)} (it is ${row?.state})`);
    hold(
      (payment === undefined) === (fate === 'refused'),
      `${key} is at the service where it was not refused`,
    );
    if (payment !== undefined) {
      hold(eq(payment.input_amount ?? '0', row?.cost ?? '1'), `${key} cost what the service says`);
      const state = fate === 'paid' ? 'success' : 'error';
      hold(onlyRecipient(payment).state === state, `the service says of ${key} that it is ${state}`);
    }
    const { type = '', amount = '', currency = '', cost = null, why = null } = row ?? {};
    const name = fullName(maskData({ first_name: first, last_name: last }, mask));
    return { key, name, type, amount, currency, cost, state: fate, why };
  });
}

interface Status {
  rows: number;
  digest: string;
  states: Record<string, number>;
  still_needed: Record<string, string>;
  agrees: boolean;
}

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

const dataOf = <T>({ stdout, stderr }: Ended): T => {
  hold(stdout.startsWith('{'), `the program answers in JSON (${firstLine(stderr)})`);
  return JSON.parse(stdout).data as T;
};

function expectExit({ code, stderr }: Ended, wanted: readonly number[], sentence: string): void {
  hold(wanted.includes(code ?? -1), `${sentence} (exit ${code}: ${firstLine(stderr)})`);
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

async function transactionsOf({ client }: PayrollStage): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for await (const page of pages(client, listTransactions, { query: { per: 100 } })) all.push(...page);
  return all;
}

async function balance({ stage }: PayrollPlay): Promise<Decimal> {
  const { object } = await stage.client.call(listAccounts);
  return object.find(({ currency }) => currency === CURRENCY)?.amount ?? '0';
}
