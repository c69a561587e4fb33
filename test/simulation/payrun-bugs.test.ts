/**
 * Bugs that are planted in desk/payruns on purpose: each must be found, by the auditor, or by holding what remit claims of its rows
 * against the ledger. Without one, nothing is found.
 */

import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { type Transport, TransportError } from '../../src/core/transport.ts';
import { byName } from '../../src/payments/confirmation.ts';
import type { Desk } from '../../src/payments/desk.ts';
import { authorizeWrite, noConfirmer } from '../../src/payments/gate.ts';
import type { PayRun, PayRuns } from '../../src/runs/store/port.ts';
import type { PayStore } from '../../src/runs/terms.ts';
import { deskOver } from '../support/desk.ts';
import { isLong, some } from '../support/long.ts';
import { memoryTransport } from '../support/memory-transport.ts';
import { openStore } from '../support/open-store.ts';
import { auditRun, balanceOf, everyTransaction, fileOfRows } from '../support/payrun-audit.ts';
import { type Bench, person, startBench } from '../support/sandbox.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROWS = 24;
/** The row that somebody cancels while it is about to be sent, and the one of which every answer is lost. */
const CANCELLED = 'E-11';
const LOST = 'E-17';
/** The bank refuses this one; its payment is cancelled, and its money comes back. */
const REFUNDED = 'E-5';

/** Each process has dice of its own. */
let opened = 0;

/** One piece of text of a file of desk/payruns in place of another. */
type Bug = readonly (readonly [file: string, from: string, to: string])[];

const OPENS = '    const opened = await this.#store.payruns.open(';
const FENCED = "    if (opened === 'lost') return 'lost';";
const SENDS = 'await carryOut(planFor(client, asked));';
const SETTLES = ': settle(plan));';
const OTHER_ID =
  '{ ...askedOf(planned), transaction: { ...askedOf(planned).transaction, external_id: row.externalId + "-again" } }';
const NAMES = 'export const externalIdOf = (name: string, key: string): string =>';
const CLOSES = 'closing: proven,';

const bugs: Record<string, Bug> = {
  'the intent is written after the call': [['pay-row.ts', OPENS, `${SENDS}\n${OPENS}`]],
  'a row is sent without a look at window and row': [
    ['pay-row.ts', FENCED, `if (opened === 'lost') { ${SENDS} return 'lost'; }`],
  ],
  'the external id has the time in it': [['plan-text.ts', NAMES, `${NAMES} process.hrtime.bigint() +`]],
  'a refund is counted as paid': [['states.ts', "return 'refunded'", "return 'paid'"]],
  'what is unknown is taken for refused': [
    ['verdict.ts', "state: 'unknown'", "state: 'refused'"],
    [
      'pay-row.ts',
      CLOSES,
      `closing: outcome.kind === 'unknown' ? { state: 'not_applied' as const } : proven,`,
    ],
  ],
  'what is unknown is sent again as another payment': [
    ['pay-row.ts', SETTLES, `: carryOut(planFor(this.#sending.client, ${OTHER_ID})));`],
  ],
  'what was paid is left to be paid': [
    [
      'remaining.ts',
      "['planned', 'refused', 'cancelled', 'handed_on']",
      "['planned', 'refused', 'cancelled', 'created', 'paid']",
    ],
    ['remaining.ts', 'return refunded || transactionId === undefined;', 'return true;'],
    ['remaining.ts', 'named.standing !== undefined', 'false'],
  ],
};

const SRC = resolve(import.meta.dirname, '../../src');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The slices as they are, by links, and a copy of runs with the bug in it. */
async function planted(bug: Bug) {
  const folder = temporaryFolder();
  folders.push(folder);
  const link = (name: string): void => symlinkSync(join(SRC, name), join(folder, name));
  for (const name of readdirSync(SRC)) if (name !== 'runs') link(name);
  const payruns = join(folder, 'runs');
  cpSync(join(SRC, 'runs'), payruns, { recursive: true });
  for (const [file, from, to] of bug) {
    const text = readFileSync(join(payruns, file), 'utf8');
    expect(text, `${file} has the text in which the bug is planted`).toContain(from);
    writeFileSync(join(payruns, file), text.replaceAll(from, to));
  }
  const load = <Module>(name: string): Promise<Module> => import(join(payruns, name));
  const [
    { authorizeRun },
    { checkRows },
    { readRows },
    { observeByList },
    { payRun },
    { planRun },
    { remainingRows },
  ] = await Promise.all([
    load<typeof import('../../src/runs/approve.ts')>('approve.ts'),
    load<typeof import('../../src/runs/files/check.ts')>('files/check.ts'),
    load<typeof import('../../src/runs/files/read.ts')>('files/read.ts'),
    load<typeof import('../../src/runs/observe.ts')>('observe.ts'),
    load<typeof import('../../src/runs/pay.ts')>('pay.ts'),
    load<typeof import('../../src/runs/plan.ts')>('plan.ts'),
    load<typeof import('../../src/runs/remaining.ts')>('remaining.ts'),
  ]);
  return { authorizeRun, checkRows, readRows, observeByList, payRun, planRun, remainingRows };
}
type Planted = Awaited<ReturnType<typeof planted>>;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

interface Play {
  bench: Bench;
  file: string;
  wrong: string[];
}

class Stage {
  readonly #bench: Bench;
  readonly #desk: Planted;
  readonly #file: string;
  readonly wrong: string[] = [];
  /** Rows that remit said it cancelled. */
  cancelled = 0;
  /** After so many payments arrived the process is dead: nothing it does has an effect any more. */
  #left = Number.POSITIVE_INFINITY;
  #isDead = false;
  #losing = false;
  #path = temporaryStorePath();

  constructor({ bench, file }: Omit<Play, 'wrong'>, desk: Planted) {
    this.#bench = bench;
    this.#file = file;
    this.#desk = desk;
  }

  readonly #served: Transport = memoryTransport((request) => this.#bench.sandbox.fetch(request));
  readonly #transport: Transport = async (request) => {
    if (this.#isDead) throw new Error('killed');
    const isPayment = request.url.endsWith('/create_and_fund');
    const isLost =
      this.#losing &&
      (isPayment
        ? request.body?.includes(`:${LOST}"`)
        : decodeURIComponent(request.url).includes(`:${LOST}`));
    const answer = await this.#served(request);
    if (isPayment && --this.#left <= 0) {
      this.#isDead = true;
      throw new Error('killed');
    }
    if (isLost) throw new TransportError('may_have_arrived', 'ECONNRESET', 'the connection was cut');
    return answer;
  };

  async #open(): Promise<{ desk: Desk; store: PayStore; close(): void }> {
    const clock = standingClock(Date.UTC(2026, 0, 5, 9));
    const kept = await openStore(this.#path, { clock, random: seededRandom(++opened) });
    const payruns = this.#mortal(await kept.payruns());
    const desk = deskOver({ transport: this.#transport, clock, store: kept });
    return { desk, store: { intents: kept.intents, payruns }, close: () => kept.close() };
  }

  /** A dead process writes nothing. */
  #mortal(runs: PayRuns): PayRuns {
    const dying = Object.entries(runs).map(([name, work]) => [
      name,
      (...given: unknown[]) =>
        this.#isDead
          ? Promise.reject(new Error('killed'))
          : (work as (...all: unknown[]) => unknown)(...given),
    ]);
    return Object.fromEntries(dying) as PayRuns;
  }

  async #plan(desk: Desk, store: PayStore): Promise<PayRun> {
    const rows = this.#desk.readRows(bytesOf(this.#file), {
      name: 'wages.csv',
      clock: { now: 0, zone: 'UTC' },
    });
    const ended = await this.#desk.planRun(desk, store, {
      name: 'wages',
      rows: this.#desk.checkRows(rows, { allowDuplicates: false, accounts: 'refuse' }),
      maxInput: { EUR: '1000' },
      tolerance: '0.005',
      repeats: [],
      askCeiling: async () => ({}),
    });
    if (ended.kind !== 'planned') throw new Error('the file has faults');
    return ended.planned.run;
  }

  /** Pays until it is through, or dead after so many payments. */
  async pay(
    dieAfter = Number.POSITIVE_INFINITY,
    meanwhile?: (store: PayStore, run: PayRun) => Promise<void>,
  ): Promise<void> {
    const { desk, store, close } = await this.#open();
    const admitted = await this.#plan(desk, store)
      .then((run) => this.#desk.authorizeRun(desk, store, { run, confirmer: noConfirmer }))
      .catch((error: Error) => this.wrong.push(`the run that stands is refused: ${error.message}`));
    if (typeof admitted === 'number') return close();
    const { permit, run } = admitted;
    this.#left = dieAfter;
    const payruns: PayRuns = {
      ...store.payruns,
      open: async (lease, n, intent) => {
        if (intent.externalId?.includes(`:${CANCELLED}`)) await meanwhile?.(store, run);
        return store.payruns.open(lease, n, intent);
      },
    };
    await this.#desk
      .payRun(desk, { ...store, payruns }, { run, permit: permit, inFlight: 3, perSecond: undefined })
      .catch((error: Error) => {
        if (!this.#isDead) throw error;
      });
    this.#isDead = false;
    this.#left = Number.POSITIVE_INFINITY;
    close();
  }

  loseAnswers(yes: boolean): void {
    this.#losing = yes;
  }

  deleteStore(): void {
    rmSync(dirname(this.#path), { recursive: true, force: true });
  }

  /** What remit says surely did not happen must not be in the ledger; what it says is paid must be. */
  async holdClaims(looks: 'looks' | undefined = undefined): Promise<ReadonlyMap<string, string>> {
    const { desk, store, close } = await this.#open();
    const [run] = await store.payruns.list({});
    if (run === undefined) throw new Error('there is no run');
    if (looks === 'looks') await this.#desk.observeByList(desk, store.payruns, run);
    const taken = new Set(
      (await everyTransaction(this.#bench))
        .filter(({ paid_amount: paid }) => Number(paid ?? 0) > 0)
        .map(({ recipients }) => recipients[0].payout_method.details.bank_account as string),
    );
    const account = (body: string): string =>
      JSON.parse(body).recipients[0].payout_method.details.bank_account;
    try {
      const { left } = await this.#desk.remainingRows(desk, store.payruns, run, { refunded: false });
      for (const { key, body } of left)
        if (taken.has(account(body)))
          this.wrong.push(`row ${key} is said not to have happened, and was paid for`);
    } catch (error) {
      // Of what is unknown it makes no file, and so claims nothing.
      if ((error as { facts?: { code: string } }).facts?.code !== 'rows_unknown') throw error;
    }
    const rows = await store.payruns.rows(run.id);
    for (const { key, state, body } of rows)
      if (state === 'refused' && taken.has(account(body)))
        this.wrong.push(`row ${key} is said to be refused, and was paid for`);
      else if ((state === 'cancelled' || this.cancelled > 0) && key === CANCELLED && taken.has(account(body)))
        this.wrong.push(`row ${key} is said to be cancelled, and was paid for`);
    close();
    return new Map(rows.map(({ key, state }) => [key, state]));
  }

  async settleLast(): Promise<void> {
    const { desk, store, close } = await this.#open();
    const [run] = await store.payruns.list({});
    if (run === undefined) throw new Error('there is no run');
    const permit = await authorizeWrite(
      desk,
      { effect: 'money', what: [], confirm: byName('it') },
      noConfirmer,
    );
    await this.#desk.payRun(desk, store, {
      run,
      permit: permit,
      inFlight: 3,
      perSecond: undefined,
      only: 'settle',
    });
    close();
  }
}

async function play(bug: Bug): Promise<string[]> {
  const bench = await startBench();
  await bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-1' } });
  const opening = balanceOf(bench);
  const file = fileOfRows(ROWS, { ending: (i) => (`E-${i}` === REFUNDED ? '19' : '00') });
  const stage = new Stage({ bench, file }, await planted(bug));
  // Killed when the seventh payment had arrived; what it claims then; and its store is lost.
  await stage.pay(7);
  await stage.holdClaims();
  stage.deleteStore();
  // The same file under the same name: one row is cancelled just before it is sent, and one loses every answer.
  stage.loseAnswers(true);
  await stage.pay(Number.POSITIVE_INFINITY, async ({ payruns }, run) => {
    stage.cancelled += await payruns.cancelRows(run.id, [CANCELLED]);
  });
  stage.loseAnswers(false);
  await stage.holdClaims();
  await stage.settleLast();
  await stage.pay();
  // One was refused by the bank: it is cancelled, and its money comes back.
  await bench.sandbox.drain();
  const refused = (await everyTransaction(bench)).find(({ recipients }) => recipients[0].state === 'error');
  if (refused !== undefined) await bench.call('DELETE', `/recipients/${refused.recipients[0].id}`);
  await bench.sandbox.drain();
  const said = await stage.holdClaims('looks');
  const { wrong } = await auditRun({
    bench,
    file,
    opening,
    said,
    isUpToDate: true,
    mayMiss: ({ key }) => key === CANCELLED,
  });
  await bench.sandbox.close();
  return [...new Set([...stage.wrong, ...wrong])];
}

it.runIf(isLong)('without a bug nothing is found', async () => {
  expect(await play([])).toEqual([]);
});

it.each(some(Object.entries(bugs), 2))('found: %s', async (_, bug) => {
  // Where the program itself keeps it from going on, it is found too: a plan that pays the same again is refused.
  const found = await play(bug).catch((error: unknown) => [String(error)]);
  expect(found).not.toEqual([]);
});
