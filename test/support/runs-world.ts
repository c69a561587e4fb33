/**
 * One file of wages, two machines with a store each, and a network that fails: the run is planned, paid, settled, handed on, taken back, cancelled and
 * set back to earlier copies, in any order, by commands as they are typed. Whatever happens, no account of the file gets its money twice, nobody else
 * gets any, and what a store says of a row is so at the service.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../src/core/random.ts';
import type { WireRequest } from '../../src/core/transport.ts';
import { type Bench, createBench, type Run, senderFlags } from './cli.ts';
import { type Fault, faults, faultyTransport } from './faults.ts';
import { fileOfRows } from './payrun-audit.ts';
import type { Json } from './sandbox.ts';

const ROWS = 4;
const ENDS = ['', '-wal'];
/** One payout fails, so that something is to be corrected. */
const ending = (i: number): string => (i === 2 ? '19' : '00');
const isPayment = ({ url }: WireRequest): boolean => url.endsWith('/create_and_fund');

interface Machine {
  dir: string;
  copies: number;
}

export class RunsWorld {
  readonly #bench: Bench;
  readonly #random: Random;
  readonly #machines: Machine[];
  readonly #file: string;
  readonly #handed: string[] = [];
  readonly #names = new Set(['wages']);
  #late: { release(stage: 'settling'): Promise<void> }[] = [];
  readonly log: string[] = [];

  constructor(bench: Bench, seed: number) {
    this.#bench = bench;
    this.#random = seededRandom(seed);
    this.#machines = ['a', 'b'].map((name) => {
      const dir = join(bench.dir, name);
      mkdirSync(dir);
      return { dir, copies: 0 };
    });
    this.#file = join(bench.dir, 'wages.csv');
    writeFileSync(this.#file, fileOfRows(ROWS, { ending }));
  }

  /** @throws where somebody is paid twice, or somebody else, or a store says what is not so */
  async live(steps: number): Promise<void> {
    await this.#type(
      ['batch', 'plan', this.#file, '--name', 'wages', '--max-input', 'EUR=100'],
      'good',
      this.#machines[0] as Machine,
    );
    for (let step = 0; step < steps; step++) {
      await this.#act();
      await this.#audit();
    }
    await this.#arrive();
    for (const machine of this.#machines)
      for (const name of this.#names) await this.#type(['batch', 'settle', name, '--yes'], 'good', machine);
    await this.#audit();
    for (const machine of this.#machines) for (const name of this.#names) await this.#compare(machine, name);
  }

  #dice(sides: number): number {
    return Math.floor(this.#random.next() * sides);
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#dice(all.length)] as T;
  }

  async #act(): Promise<void> {
    const name = this.#pick([...this.#names]);
    const roll = this.#dice(100);
    if (roll < 30) await this.#type(['batch', 'run', name, '--yes'], 'faulty');
    else if (roll < 42) await this.#plan();
    else if (roll < 52) await this.#type(['batch', 'settle', name, '--yes'], 'faulty');
    else if (roll < 66) await this.#handOn(name);
    else if (roll < 72) await this.#type(['batch', 'take-back', name, '--yes'], 'faulty');
    else if (roll < 76)
      await this.#type(['batch', 'cancel', name, '--rows', `E-${this.#dice(ROWS)}`, '--yes'], 'good');
    else if (roll < 82) await this.#arrive();
    else if (roll < 90) this.#copy(this.#pick(this.#machines));
    else this.#setBack(this.#pick(this.#machines));
  }

  /** A command as it is typed, on one of the machines. */
  async #type(
    argv: string[],
    network: 'faulty' | 'good',
    machine = this.#pick(this.#machines),
  ): Promise<Run> {
    const plan = new Map<number, Fault>();
    if (network === 'faulty')
      for (let at = 1; at <= 12; at++) if (this.#dice(5) === 0) plan.set(at, this.#pick(faults));
    const wire = faultyTransport(this.#bench.direct, plan);
    this.#late.push(wire);
    // What stands in the way is met by payments and looks alike: the sender is read once, and rates are asked for before.
    this.#bench.intercept((request, next) =>
      isPayment(request) || request.url.includes('/transactions?') ? wire.send(request) : next(request),
    );
    const run = await this.#bench.run(argv, { env: { REMIT_CONFIG_DIR: machine.dir } });
    this.#bench.restore();
    const words = [...plan].map(([at, fault]) => `${at}: ${fault}`).join('; ');
    this.log.push(
      `${this.#machines.indexOf(machine)} ${argv.join(' ')}  [${words}]: ${run.code} ${run.code === 0 ? '' : (run.stderr.split('\\n').find((line) => line.startsWith('remit:')) ?? '')}`,
    );
    if (run.stderr.includes('a defect')) throw new Error(`a defect: ${run.stderr}`);
    return run;
  }

  /** The file itself, or one that was handed on, on either machine. */
  async #plan(): Promise<void> {
    const handed = this.#handed.length === 0 ? undefined : this.#pick(this.#handed);
    const [file, name] =
      handed === undefined || this.#dice(3) === 0
        ? [this.#file, 'wages']
        : [handed, `rest-${this.#handed.indexOf(handed)}`];
    this.#names.add(name);
    const more = this.#dice(2) === 0 ? [] : ['--accept-paid-before', String(this.#dice(ROWS + 1))];
    const again = this.#dice(2) === 0 ? [] : ['--repeat', 'wages'];
    await this.#type(
      ['batch', 'plan', file, '--name', name, '--max-input', 'EUR=100', ...more, ...again],
      'faulty',
    );
  }

  async #handOn(name: string): Promise<void> {
    const file = join(this.#bench.dir, `rest-${this.#handed.length}.csv`);
    await this.#type(['batch', 'remaining', name, '--hand-on', file, '--yes'], 'faulty');
    if (existsSync(file)) this.#handed.push(file);
  }

  async #arrive(): Promise<void> {
    this.log.push('what is late arrives');
    for (const wire of this.#late.splice(0)) await wire.release('settling');
    await this.#bench.sandbox.drain();
  }

  #copy(machine: Machine): void {
    const at = machine.copies++;
    for (const end of ENDS)
      if (existsSync(join(machine.dir, `remit.db${end}`)))
        copyFileSync(join(machine.dir, `remit.db${end}`), join(machine.dir, `copy-${at}${end}`));
    this.log.push(`machine ${this.#machines.indexOf(machine)} is copied`);
  }

  #setBack(machine: Machine): void {
    if (machine.copies === 0) {
      this.#copy(machine);
      return;
    }
    const at = this.#dice(machine.copies);
    for (const end of ['', '-wal', '-shm']) rmSync(join(machine.dir, `remit.db${end}`), { force: true });
    for (const end of ENDS)
      if (existsSync(join(machine.dir, `copy-${at}${end}`)))
        copyFileSync(join(machine.dir, `copy-${at}${end}`), join(machine.dir, `remit.db${end}`));
    this.log.push(`machine ${this.#machines.indexOf(machine)} is set back to copy ${at}`);
  }

  async #audit(): Promise<void> {
    this.#bench.sandbox.audit();
    const paid = new Map<string, number>();
    for (const { amount, id, external_id } of await this.#payments()) {
      const key = Number(amount) - 1000;
      if (!(key >= 0 && key < ROWS))
        throw new Error(`${id} (${external_id}) pays ${amount}, which no row of the file asks for`);
      paid.set(String(key), (paid.get(String(key)) ?? 0) + 1);
    }
    for (const [key, times] of paid) if (times > 1) throw new Error(`E-${key} was paid ${times} times`);
  }

  /** The service's own records of what was paid: each has one recipient, and an amount that tells its row. */
  async #payments(): Promise<{ id: string; external_id: string; amount: string }[]> {
    const run = await this.#bench.run(['api', 'GET', '/transactions?per=100', '-o', 'json']);
    return (JSON.parse(run.stdout).object as Json[])
      .filter(({ paid_amount }) => Number(paid_amount) > 0)
      .map(({ id, external_id, recipients }) => ({
        id,
        external_id,
        amount: recipients[0].requested_amount,
      }));
  }

  /** What a store says of a row is so: paid where it says so, and nothing where it says that nothing was. */
  async #compare(machine: Machine, name: string): Promise<void> {
    const shown = await this.#bench.run(['batch', 'rows', name, '--all', '-o', 'json'], {
      env: { REMIT_CONFIG_DIR: machine.dir },
    });
    if (shown.code !== 0) return;
    const ids = new Set((await this.#payments()).map(({ external_id }) => external_id));
    for (const { key, state, external_id } of shown.data<Json[]>())
      if (['paid', 'created', 'in_error'].includes(state) && !ids.has(external_id))
        throw new Error(
          `machine ${this.#machines.indexOf(machine)} says that ${key} of ${name} is ${state}, and the service has no ${external_id}`,
        );
  }
}

/** @throws with every command, where something is not so */
export async function payThrough(seed: number, steps: number): Promise<void> {
  const bench = await createBench();
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
  const world = new RunsWorld(bench, seed);
  try {
    await world.live(steps);
    if (process.env.REMIT_SHOW) process.stdout.write(`${world.log.join('\n')}\n\n`);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${world.log.join('\n')}`, { cause: error });
  } finally {
    await bench.close();
  }
}
