/**
 * What the command line says is so: its words, the outcome, the exit code and the journal, of every command that writes, for
 * every fault on each request from the write on. Then the same command again, on a network that works: nothing is done twice.
 */
import { describe, expect, it } from 'vitest';
import type { Run } from '../support/cli.ts';
import { type Enterprise, enterprises } from '../support/enterprises.ts';
import { type Fault, faults, faultyTransport } from '../support/faults.ts';
import { isLong, oneIn } from '../support/long.ts';

/** In the short form every command meets these on its write; the long form has every fault, on each of three requests. */
const SHORT: readonly Fault[] = [
  'refused',
  'answer lost',
  'late, after the run',
  'the service does it and says 500',
  'sent twice, the second answered',
  'a success with an empty record',
  'a success with the record of another',
  'the service does it and says 401',
  'a gateway says 403 and passes it on later',
];
/** A 404 of what leaves no trace is believed, as the rules say. */
const LIE: Fault = 'the service does it and says 404';
/** A document has no id of ours, and a retry that fails again reads as before: looking finds neither. */
const TRACELESS = ['document create', 'payin-method retry'];

type Claim = 'applied' | 'not applied' | 'unknown';

const ABOUT_WRITES = /\/(calculate|account_validations)$/;

/** The faults begin at the first request that writes. */
function network(enterprise: Enterprise, at: number, fault: Fault) {
  const { bench } = enterprise;
  const faulty = faultyTransport(bench.direct, new Map([[at, fault]]));
  let begun = false;
  bench.intercept(async (request, next) => {
    begun ||= request.method !== 'GET' && !ABOUT_WRITES.test(new URL(request.url).pathname);
    return begun ? faulty.send(request) : next(request);
  });
  return {
    faulty,
    mend: () => bench.restore(),
  };
}

const isEnding = (argv: readonly string[]): boolean => argv.includes('cancel') && argv[0] !== 'payin-method';

/** What the run claims, by its words; and whether its exit code agrees. */
function claimOf({ argv }: Enterprise, run: Run): Claim {
  if (isEnding(argv) && run.stdout !== '') return claimOfEnding(run);
  if (run.code === 0) return 'applied';
  if (argv[0] === 'api') return claimOfRaw(run);
  const said = run.stderr.split('\n').findLast((line) => line.startsWith('{"error"'));
  if (said === undefined) throw new Error(`exit ${run.code} without an error: ${run.stderr}`);
  const { error } = JSON.parse(said);
  const claim = error.outcome as Claim | null;
  if (claim === null) throw new Error(`a failed write says nothing of its outcome: ${said}`);
  if ((claim === 'unknown') !== (run.code === 9))
    throw new Error(`outcome ${claim} and exit ${run.code}: ${said}`);
  if (claim === 'unknown' && !error.hint) throw new Error(`unknown, and no word how to find out: ${said}`);
  return claim;
}

const ENDINGS: Readonly<Record<string, Claim>> = {
  refunded: 'applied',
  'cancelled before funding': 'applied',
  'cancelled, refund pending': 'applied',
  'cancelled, refund needs the operator': 'applied',
  'cancellation requested': 'applied',
  'not cancelled': 'not applied',
  unknown: 'unknown',
};

function claimOfEnding(run: Run): Claim {
  const { data } = run.json<{ data: { ending: string } | { ending: string }[] }>();
  const [{ ending } = { ending: '' }] = [data].flat();
  const claim = ENDINGS[ending];
  if (claim === undefined) throw new Error(`an ending without a claim: ${ending}`);
  const codes = { applied: [0, 8, 10], 'not applied': [1, 2, 4, 5, 6, 75], unknown: [9] }[claim];
  if (!codes.includes(run.code)) throw new Error(`ending ${ending} and exit ${run.code}`);
  return claim;
}

/** An answer is printed as it came; the exit code is the claim. */
function claimOfRaw(run: Run): Claim {
  if (run.code !== 9) return 'not applied';
  if (!/history settle|"hint"/.test(run.stderr)) throw new Error(`unknown, and no word how: ${run.stderr}`);
  return 'unknown';
}

const STATES: Readonly<Record<string, Claim>> = {
  applied: 'applied',
  not_applied: 'not applied',
  conflict: 'not applied',
  unknown: 'unknown',
  open: 'unknown',
};

interface Shown {
  id: string;
  state: string;
  operation: string;
}

/** A payment under a limit is created and then debited: that it was created does not pay it. */
function claimOfIntent({ argv }: Enterprise, { state, operation }: Shown): Claim {
  const claim = STATES[state] ?? 'unknown';
  return isHalf(argv, operation) && claim === 'applied' ? 'not applied' : claim;
}

const isHalf = (argv: readonly string[], operation: string): boolean =>
  argv.includes('--fund') && operation === 'transactions.create';

async function newest({ bench }: Enterprise): Promise<Shown | undefined> {
  return (await bench.run(['history', '-o', 'json'])).data<Shown[]>()[0];
}

async function one(name: string, at: number, fault: Fault): Promise<Claim | undefined> {
  const enterprise = await (enterprises[name] as () => Promise<Enterprise>)();
  const { bench, argv } = enterprise;
  const before = await newest(enterprise);
  const { faulty, mend } = network(enterprise, at, fault);
  try {
    const run = await bench.run(argv[0] === 'api' ? argv : [...argv, '-o', 'json']);
    mend();
    if (faulty.requests < at) return undefined;
    const claim = claimOf(enterprise, run);
    await hold(enterprise, claim, 'the command');
    await agrees(enterprise, claim, before);
    await faulty.release('run');
    if (claim === 'not applied') await hold(enterprise, claim, 'later');
    await settled(enterprise);
    await faulty.release('settling');
    await again(enterprise);
    return claim;
  } catch (error) {
    throw new Error(`${name}; request ${at}: ${fault}: ${(error as Error).message}`, { cause: error });
  } finally {
    await bench.close();
  }
}

async function hold(enterprise: Enterprise, claim: Claim, when: string): Promise<void> {
  await enterprise.bench.sandbox.drain();
  const isApplied = await enterprise.isApplied();
  if (claim === 'applied' && !isApplied) throw new Error(`${when}: claimed applied, it is not`);
  if (claim === 'not applied' && isApplied) throw new Error(`${when}: claimed not applied, it is applied`);
  await enterprise.audit();
}

/** The journal says the same as the words did. */
async function agrees(enterprise: Enterprise, claim: Claim, before: Shown | undefined): Promise<void> {
  if (enterprise.isPlain) return;
  const intent = await newest(enterprise);
  if (intent === undefined || intent.id === before?.id) throw new Error('nothing of it is in the journal');
  if (claimOfIntent(enterprise, intent) !== claim)
    throw new Error(`the words say ${claim}, the journal says ${intent.state}`);
}

async function settled(enterprise: Enterprise): Promise<void> {
  const intent = await newest(enterprise);
  if (enterprise.isPlain || intent === undefined || STATES[intent.state] !== 'unknown') return;
  const run = await enterprise.bench.run(['history', 'settle', intent.id, '-o', 'json']);
  const now = await newest(enterprise);
  if (now === undefined) throw new Error('settling took it out of the journal');
  if (run.code !== 0 && run.code !== 9) throw new Error(`settling ended with ${run.code}: ${run.stderr}`);
  const claim = claimOfIntent(enterprise, now);
  // Created and not debited, it is not applied as it was wished, whatever the journal says of its creation.
  const isUnpaid = isHalf(enterprise.argv, now.operation) && now.state === 'applied';
  if ((claim === 'unknown' || isUnpaid) !== (run.code === 9))
    throw new Error(`settling ended with ${run.code}, the journal says ${now.state}`);
  await hold(enterprise, claim, 'settling');
}

/** Whatever it said: run again it moves no money twice. What moves none, and has no id of ours, is made again when asked again. */
async function again(enterprise: Enterprise): Promise<void> {
  const { bench, argv } = enterprise;
  const run = await bench.run(argv[0] === 'api' ? argv : [...argv, '-o', 'json']);
  await bench.sandbox.drain();
  if (!enterprise.isPlain) await enterprise.audit();
  if (/a defect of remit/.test(run.stderr)) throw new Error(run.stderr);
}

let cases = 0;
let turn = 0;
const tallies: Record<Claim, number> = { applied: 0, 'not applied': 0, unknown: 0 };

describe('every command that writes, and every fault from its write on', () => {
  it.each(Object.keys(enterprises))('%s', async (name) => {
    // In the short form a third of them, another third for the next command; so is the part that CI takes of the long one.
    turn += 1;
    const [all, share] = isLong ? [faults, oneIn] : [SHORT, 3];
    const met = all.filter((_, at) => (at + turn) % share === 0);
    for (const fault of met) {
      if (fault === LIE && TRACELESS.includes(name)) continue;
      for (let at = 1; at <= (isLong ? 3 : 1); at++) {
        const claim = await one(name, at, fault);
        if (claim === undefined) break;
        tallies[claim] += 1;
        cases += 1;
      }
    }
  });

  it('was that many cases, with every claim among them', () => {
    process.stdout.write(`claims of the command line held: ${cases} ${JSON.stringify(tallies)}\n`);
    expect(cases).toBeGreaterThan(isLong ? 850 / oneIn : 55);
    for (const claim of Object.values(tallies)) expect(claim).toBeGreaterThan(isLong ? 10 / oneIn : 4);
  });
});
