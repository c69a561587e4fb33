/**
 * The stage on which pay runs are killed: a sandbox that meets every fault it knows, at every operation that a run calls, a
 * network that cuts connections, a listener that keeps the webhooks for `batch watch`, and somebody who cancels payouts meanwhile.
 * At the end an auditor compares what remit says with the file and the ledger.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createNetworkTransport, type NetworkTransport } from '../../src/client/network-transport.ts';
import { type FaultName, faultInfo, faultNames } from '../../src/contract/controls/faults.ts';
import { eventNames } from '../../src/contract/events.ts';
import type { OperationId } from '../../src/contract/operations/index.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import type { Transport } from '../../src/core/transport.ts';
import { senderFlags } from './cli.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { type KillStage, useKillStage } from './kill-stage.ts';
import { auditRun, balanceOf, fileOfRows } from './payrun-audit.ts';
import { type Program, runRemit } from './program.ts';
import type { Json } from './sandbox.ts';
import { shown, units } from './simulation/amounts.ts';
import { type Arm, nameOf, Weather } from './simulation/weather.ts';

/** What planning, paying, settling and watching ask of the service. */
const OPERATIONS: readonly OperationId[] = [
  'transactions.create_and_fund',
  'transactions.list',
  'accounts.list',
  'currencies.in',
  'senders.list',
  'recipients.list',
];

type Place = ReturnType<typeof faultInfo>['place'];

const AT: Readonly<Record<Place, (fault: FaultName) => Arm[]>> = {
  call: (fault) => OPERATIONS.flatMap((operation) => callsOf({ fault, operation, times: 1 })),
  webhook: (fault) => [{ fault, times: 3 }],
  payout: (fault) => [{ fault, times: 3 }],
};

/**
 * Each fault of the catalogue, wherever a run can meet it: a fault that is added to the catalogue is in it. A dearer price is no failure: it pauses a
 * run, which a person looks at (`test/runs/spending.test.ts`).
 */
const occasions: readonly Arm[] = faultNames
  .filter((fault) => fault !== 'rate-moved')
  .flatMap((fault) => AT[faultInfo(fault).place](fault));

function callsOf(arm: Arm): Arm[] {
  if (arm.fault === 'slow') return [{ ...arm, delayMs: 20 }];
  if (arm.fault === '5xx') return [503, 500].map((status) => ({ ...arm, status }));
  return [arm];
}

/** By the last digits of its account, a payout is pending for two hours, or fails with a code of the recipient or of the provider. */
const ENDINGS: Readonly<Record<number, string>> = { 5: '01', 11: '19', 17: '08', 23: '01' };
const ending = (i: number): string => ENDINGS[i % 30] ?? '00';

/** The service refuses an account that ends so, where the stage has it refuse some. */
const REFUSED = '66';
const SENT_TO_REFUSED = /"bank_account":"\d*66"/;
const refusing = (i: number): string => ([2, 14, 20].includes(i % 30) ? REFUSED : ending(i));

/** Between two kills. */
const GOES_BY_MS = 10 * 60_000;
/** Longer than a payout is pending, or goes round. */
const AT_LAST_MS = 3 * 60 * 60_000;

const AN_HOUR_MS = 61 * 60_000;

/** Of the pieces that pass the network, so many are cut. */
const SHARE = 0.01;

interface StageOptions {
  seed: number;
  /** Where the runs are kept; in the settings folder, if it is not said. */
  store?: () => string;
  /** The service refuses three accounts of thirty, and somebody corrects them. */
  refuses?: boolean;
}

/** What was met until all was well again. */
export interface Met {
  rows: number;
  cuts: number;
  fired: Record<string, number>;
  /** Occasions that never came. */
  missed: string[];
}

export class PayrunStage {
  readonly #base: KillStage;
  readonly #options: StageOptions;
  readonly #random: Random;
  readonly #deck: Arm[] = [];
  readonly #names: string[] = [];
  readonly #files: string[] = [];
  /** Recipients whose payouts do not end at once. */
  readonly #slow: string[] = [];
  readonly #running: Program[] = [];
  #network: NetworkTransport | undefined;
  #watching: Program | undefined;
  #proxy!: CuttingProxy;
  #weather!: Weather;
  #opening: unknown;
  #rows = 0;
  #isTroubled = false;
  #happening = Promise.resolve();
  /** How long the last command took that was waited for. */
  #tookMs = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#base = useKillStage(() => ({ transport: this.#deliver }));
    beforeEach(() => this.#open());
    afterEach(() => this.#close());
  }

  /** How many payments there are. */
  count = (): number => this.#base.count();
  until: KillStage['until'] = (isReached) => this.#base.until(isReached);
  killAfter: KillStage['killAfter'] = (...given) => this.#base.killAfter(...given);

  async #open(): Promise<void> {
    const random = seededRandom(this.#options.seed + 1);
    this.#proxy = await startCuttingProxy(this.#base.port, { random, share: SHARE });
    this.#proxy.calm();
    this.#isTroubled = false;
    this.#weather = new Weather(this.#base.bench.sandbox);
    for (const list of [this.#deck, this.#names, this.#files, this.#slow]) list.length = 0;
    this.#rows = 0;
    if (this.#options.refuses) this.#refuseSome();
    await this.remit('sender', 'create', ...senderFlags('customer-1'));
    this.#opening = balanceOf(this.#base.bench);
  }

  async #close(): Promise<void> {
    for (const one of this.#running) one.signal('SIGKILL');
    await Promise.all(this.#running.map(({ ended }) => ended));
    this.#running.length = 0;
    await this.#proxy.close();
    await this.#network?.close();
    this.#network = undefined;
  }

  #refuseSome(): void {
    const { sandbox } = this.#base.bench;
    const handle = sandbox.handle.bind(sandbox);
    const errors = { 'recipients.0.payout_method.bank_account': [{ error: 'invalid' }] };
    const body = JSON.stringify({ object: { errors }, meta: {} });
    sandbox.handle = async (request) =>
      request.url.endsWith('/create_and_fund') && SENT_TO_REFUSED.test(String(request.body))
        ? { status: 422, headers: { 'content-type': 'application/json' }, body }
        : handle(request);
  }

  /** Somebody corrects a row that was refused, and may be killed while at it. The file is what the store says afterwards. */
  async correct(name: string, mayKill: boolean): Promise<'killed' | 'kept' | 'nothing'> {
    const index = this.#names.indexOf(name);
    const { stdout } = await this.remit(
      'batch',
      'rows',
      name,
      '--state',
      'refused',
      '--reveal',
      '-o',
      'json',
    );
    const refused = stdout === '' ? [] : (JSON.parse(stdout).data as Json[]);
    const row = refused[Math.floor(this.#random.next() * refused.length)];
    if (row === undefined) return 'nothing';
    const [old] = String(row.account).split(' ').slice(-1);
    const account = `9${old?.slice(1, 8)}00`;
    const program = this.start('batch', 'fix', name, row.key, '--set', `bank_account=${account}`, '--yes');
    const isKilled = mayKill && (await this.killAtAnyTime(program));
    await program.ended;
    const now = await this.#data('batch', 'show', name, row.key, '--reveal');
    const isKept = String(now.account).endsWith(account);
    if (isKept) this.#files[index] = this.#files[index]?.replace(`,${old}\n`, `,${account}\n`) ?? '';
    return isKilled ? 'killed' : isKept ? 'kept' : 'nothing';
  }

  isHeld = async (name: string): Promise<boolean> =>
    (await this.#data('batch', 'status', name)).held_by !== null;

  /** Somebody stops the run, or lets it go on, and is killed while at it. */
  async hold(name: string): Promise<void> {
    const argv = (await this.isHeld(name))
      ? ['release', name, '--yes']
      : ['hold', name, '--because', 'a question'];
    await this.killAtAnyTime(this.start('batch', ...argv));
  }

  async release(name: string): Promise<void> {
    await this.remit('batch', 'release', name, '--yes');
  }

  /** Deliveries go out over the network; on the way it is noted whose payouts are slow. */
  readonly #deliver: Transport = async (request) => {
    const { event, object } = JSON.parse(request.body ?? '{}') as Json;
    const account: string = object.payout_method?.details?.bank_account ?? '00';
    if (event === 'recipient.pending' && !account.endsWith('00')) this.#slow.push(object.id);
    this.#network ??= await createNetworkTransport();
    return this.#network.send(request);
  };

  /** From now on the network cuts, payouts fail and wait, and a listener keeps their webhooks where `batch watch` finds them. */
  async beginTrouble(): Promise<void> {
    this.#isTroubled = true;
    this.#proxy.storm();
    const program = this.start('webhooks', 'listen', '--no-register', '--no-catch-up', '-o', 'ndjson');
    const { url } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
    const events = eventNames.filter((name) => name.startsWith('recipient.'));
    const webhook = { url: `${url}/`, events, metadata: {} };
    expect((await this.#base.bench.call('POST', '/webhooks', { webhook })).status).toBe(201);
  }

  #env(): Record<string, string> {
    const { store } = this.#options;
    return { ...this.#base.env(this.#proxy.port), ...(store === undefined ? {} : { REMIT_STORE: store() }) };
  }

  start(...argv: string[]): Program {
    const program = this.#base.start(argv, this.#env());
    this.#running.push(program);
    return program;
  }

  /** A run is watched from another terminal, by one at a time: whoever did before is killed. */
  watch(name: string): void {
    this.#watching?.signal('SIGKILL');
    this.#watching = this.start('batch', 'watch', name, '--timeout', '60s');
  }

  async remit(...argv: string[]): ReturnType<typeof runRemit> {
    const from = performance.now();
    const ended = await runRemit(argv, this.#env());
    this.#tookMs = performance.now() - from;
    return ended;
  }

  /** Before, among or behind what it does: a busy machine takes seconds to start it. */
  killAtAnyTime(program: Program): Promise<boolean> {
    return this.killAfter(program, () => true, this.#random.next() * 2.5 * this.#tookMs);
  }

  async #data(...argv: string[]): Promise<Json> {
    const { stdout, stderr } = await this.remit(...argv, '-o', 'json');
    expect(stdout, stderr).not.toBe('');
    return JSON.parse(stdout).data;
  }

  /** Plans so many rows that no other run has, however often it takes. Its digest. */
  async plan(name: string, rows: number): Promise<string> {
    const file = fileOfRows(rows, {
      from: this.#rows,
      ...(this.#isTroubled ? { ending: this.#options.refuses ? refusing : ending } : {}),
    });
    this.#rows += rows;
    this.#files.push(file);
    return this.#planFile(name, file);
  }

  /** Its digest. */
  async #planFile(name: string, file: string): Promise<string> {
    const path = join(this.#base.dir, `${name}.csv`);
    writeFileSync(path, file);
    const argv = ['batch', 'plan', path, '--name', name, '--max-input', 'EUR=100000', '-o', 'json'];
    let planned = await this.remit(...argv);
    for (let tries = 1; planned.code !== 0 && tries < 10; tries++) planned = await this.remit(...argv);
    expect(planned.code, planned.stderr).toBe(0);
    this.#names.push(name);
    return JSON.parse(planned.stdout).data.digest;
  }

  /** The next faults of the list are armed; one that waits for its occasion already waits on. */
  async worsen(faults = 4): Promise<void> {
    const waiting = await this.#weather.waiting();
    for (let i = 0; i < faults; i++) {
      if (this.#deck.length === 0) this.#deck.push(...shuffled(occasions, this.#random));
      const next = this.#deck.pop();
      if (next !== undefined && !waiting.has(nameOf(next))) await this.#weather.arm(next);
    }
  }

  /** Somebody cancels a payout that does not end, and time goes by in the service: both begin, and nobody waits for them. */
  meanwhile(): void {
    this.#happening = this.#happening.then(async () => {
      const { call, sandbox } = this.#base.bench;
      const id = this.#slow[Math.floor(this.#random.next() * this.#slow.length)];
      if (id !== undefined) await call('DELETE', `/recipients/${id}`);
      await sandbox.advance(GOES_BY_MS);
    });
  }

  /** All is well again: every run is paid to its end, and what was refused is planned and paid anew. */
  async finish(): Promise<Met> {
    await this.#weather.clear();
    this.#proxy.calm();
    this.#watching?.signal('SIGKILL');
    await this.#happening;
    await Promise.all([...this.#names].map((name) => this.#payToTheEnd(name)));
    await this.#base.bench.sandbox.advance(AT_LAST_MS);
    await this.#base.bench.sandbox.drain();
    const fired = this.#weather.fired();
    const missed = [...new Set(occasions.map(nameOf))].filter((name) => (fired[name] ?? 0) === 0);
    return { rows: this.#rows, cuts: this.#proxy.cuts, fired, missed };
  }

  async #payToTheEnd(name: string, corrections = 0): Promise<void> {
    const pay = () => this.remit('batch', 'run', name, '--yes', '-o', 'json');
    let { code, stdout, stderr } = await pay();
    if (this.#options.refuses && code === 9) {
      // A row whose payer was killed is refused: an hour later that is certain.
      await this.#base.bench.sandbox.advance(AN_HOUR_MS);
      ({ code, stdout, stderr } = await pay());
    }
    expect([0, 10], stderr).toContain(code);
    if (JSON.parse(stdout).data.states.refused === undefined) return;
    if (this.#options.refuses) {
      expect(corrections, `rows of ${name} are refused however often they are corrected`).toBeLessThan(4);
      while ((await this.correct(name, false)) !== 'nothing');
      return this.#payToTheEnd(name, corrections + 1);
    }
    const file = join(this.#base.dir, `${name}-rest.csv`);
    const rest = await this.remit('batch', 'remaining', name, '--hand-on', file, '--yes');
    expect(rest.code, rest.stderr).toBe(0);
    await this.#planFile(`${name}-rest`, readFileSync(file, 'utf8'));
    await this.#payToTheEnd(`${name}-rest`);
  }

  /** Every row is paid for once; what remit says of each, and of all together, is so. */
  async audit(): Promise<void> {
    const said = new Map<string, string>();
    const sums = { paid: 0n, open: 0n, held: 0n, spent: 0n };
    if (this.#isTroubled) {
      const watched = await this.remit('batch', 'watch', this.#names[0] ?? '', '--timeout', '60s');
      expect([0, 10], watched.stderr).toContain(watched.code);
    }
    await Promise.all(
      this.#names.map(async (name) => {
        const { totals, spent, agrees, breaks } = await this.#data('batch', 'status', name, '--update');
        expect([agrees, breaks], name).toEqual([true, []]);
        for (const word of ['paid', 'open', 'held'] as const) sums[word] += units(totals[0][word]);
        sums.spent += units(spent.EUR ?? '0');
        const rows = await this.#data('batch', 'rows', name, '--all');
        // A row that was refused was handed on to a run of its own.
        for (const { key, state } of rows) if (state !== 'handed_on') said.set(key, state);
      }),
    );
    const { bench } = this.#base;
    const file = this.#files.map((text, i) => (i === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('');
    const audit = await auditRun({ bench, file, opening: this.#opening, said, isUpToDate: true });
    expect(audit.wrong).toEqual([]);
    expect([audit.funded, said.size]).toEqual([this.#rows, this.#rows]);
    const { paid, open, held, spent } = sums;
    expect(audit.sums).toEqual({
      paid: shown(paid),
      open: shown(open),
      held: shown(held),
      spent: shown(spent),
    });
    bench.sandbox.audit();
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(Math.floor(random.next() * left.length), 1));
}
