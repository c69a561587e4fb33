/**
 * The process is killed between any two steps: before and after each write to the journal, before and after each request.
 * Another process opens the same file: the same command is refused while nobody knows, is settled, and paid for once.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { settleIntent } from '../../src/client/settle-intent.ts';
import type { Intent, Intents } from '../../src/client/store/port.ts';
import { seededRandom } from '../../src/core/random.ts';
import { type Fault, faultyTransport } from '../support/faults.ts';
import { Life, live, mortalIntents, mortalTransport } from '../support/life.ts';
import { isLong, oneIn } from '../support/long.ts';
import { memoryTransport } from '../support/memory-transport.ts';
import { openStore, type Store } from '../support/open-store.ts';
import { clientOver, command, intentOf, Oracle } from '../support/runs.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';
import { type Undertaking, undertakings } from '../support/undertakings.ts';

/** One file for all: each world has a profile of its own in it. */
const path = temporaryStorePath();
let seeds = 0;

interface World {
  undertaking: Undertaking;
  profile: string;
  stores: Store[];
}

async function newWorld(name: string): Promise<World> {
  const undertaking = await undertakings[name]?.();
  if (!undertaking) throw new Error(`no undertaking ${name}`);
  seeds += 1;
  return { undertaking, profile: `p${seeds}`, stores: [] };
}

/** A process of its own: it opens the file anew, and the one before never closed it. */
async function process(world: World): Promise<Store> {
  seeds += 1;
  if (seeds % 100 === 0) await collect();
  const store = await openStore(path, { clock: standingClock(), random: seededRandom(seeds) });
  world.stores.push(store);
  return store;
}

const unsettled = async (intents: Intents, { profile }: World): Promise<Intent | undefined> =>
  (await intents.list({ limit: 5 })).find(
    (intent) => intent.profile === profile && (intent.state === 'open' || intent.state === 'unknown'),
  );

/** A closed database keeps its file open until its statements are collected: thousands of processes in one need a hand. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await new Promise((resolve) => setImmediate(resolve));
}

const closeAll = ({ stores }: World): void => {
  for (const store of stores) store.close();
};

/** The command in a process that lives so long; how many steps it had. */
async function commandUntil(world: World, life: Life, fault: Fault | undefined): Promise<void> {
  const { undertaking } = world;
  const { intents } = await process(world);
  const network = faultyTransport(
    memoryTransport(undertaking.bench.sandbox.fetch),
    // The first request is the read that shows that the key is accepted.
    new Map(fault ? [[2, fault]] : []),
  );
  const client = clientOver(mortalTransport(life, network.send));
  await live(life, () => command(client, mortalIntents(life, intents), world.profile, undertaking));
  await network.release('settling');
  await undertaking.audit();
}

/** Refused while it is not settled, and nothing is sent; then one try to settle it, which may be killed too. */
async function settleUntil(world: World, life: Life, mode: 'look' | 'send'): Promise<void> {
  const { undertaking } = world;
  const { intents } = await process(world);
  const intent = await unsettled(intents, world);
  if (!intent) return;
  const network = faultyTransport(memoryTransport(undertaking.bench.sandbox.fetch), new Map());
  const refused = await command(clientOver(network.send), intents, world.profile, undertaking);
  if (refused.kind !== 'refused' || network.requests > 0)
    throw new Error('the same was sent while one is unsettled');
  const client = clientOver(mortalTransport(life, network.send));
  await live(life, async () => {
    const kept = await intentOf(intents, intent.id);
    const settling = { intent: kept, account: kept, mode };
    const outcome = await settleIntent(client, mortalIntents(life, intents), settling);
    if (!life.isOver) await new Oracle(undertaking).hear(`settling (${mode})`, outcome.kind);
  });
  await undertaking.audit();
}

/** Whatever became of it, in the end the payment is made, once, and the journal says so. */
async function finish(world: World): Promise<void> {
  const { undertaking } = world;
  await settleUntil(world, new Life(), 'look');
  await settleUntil(world, new Life(), 'send');
  const { intents } = await process(world);
  if (await unsettled(intents, world)) throw new Error('it cannot be settled on a network that works');
  if (!(await undertaking.isApplied())) {
    const last = await command(
      clientOver(memoryTransport(undertaking.bench.sandbox.fetch)),
      intents,
      world.profile,
      undertaking,
    );
    if (last.kind !== 'carried_out' || last.outcome.kind !== 'applied')
      throw new Error('it was not carried out');
  }
  if (!(await undertaking.isApplied())) throw new Error('it is not applied in the end');
  await undertaking.audit();
  await answeredWithWhatStands(world, intents);
}

/** Every process was killed before it told anybody: the same payment again is answered, and made no second time. */
async function answeredWithWhatStands({ undertaking, profile }: World, intents: Intents): Promise<void> {
  const { plan } = undertaking.asked;
  if (plan !== 'create' && plan !== 'debit') return;
  const network = faultyTransport(memoryTransport(undertaking.bench.sandbox.fetch), new Map());
  const again = await command(clientOver(network.send), intents, profile, undertaking);
  if (again.kind !== 'refused' || again.earlier.kind !== 'untold' || network.requests > 0)
    throw new Error('a payment that nobody was told of was sent again');
}

async function stepsOf(name: string, work: (world: World, life: Life) => Promise<void>): Promise<number> {
  const life = new Life();
  const world = await newWorld(name);
  await work(world, life);
  closeAll(world);
  return life.lived;
}

/** The long form meets more faults, and kills the settling at every step: the short one at one of them, another for each step before. */
const met: (Fault | undefined)[] = [
  undefined,
  'answer lost',
  ...(isLong ? (['late, after the run', 'cut on the way', 'late, after the next'] as const) : []),
];
/** Prime to the steps of a settling, so that all of them are met. */
const STRIDE = 7;

async function killEverywhere(name: string): Promise<number> {
  let kills = 0;
  for (const fault of met) {
    const total = await stepsOf(name, (world, life) => commandUntil(world, life, fault));
    // In the short form every second step, and the others with the next fault.
    const [from, stride] = isLong ? [0, 1] : [met.indexOf(fault) % 2, 2];
    for (let steps = from; steps <= total; steps += stride) {
      const label = `${name}; ${fault ?? 'no fault'}; killed after step ${steps} of ${total}`;
      kills += await killAt(label, name, steps, fault);
    }
  }
  return kills;
}

/** Killed there, and then at every step of the first settling, and then not any more. */
async function killAt(label: string, name: string, steps: number, fault: Fault | undefined): Promise<number> {
  const settling = await stepsOf(name, async (world, life) => {
    await commandUntil(world, new Life(steps), fault);
    await settleUntil(world, life, 'send');
  });
  let kills = 0;
  const all = Array.from({ length: settling + 1 }, (_, second) => second);
  const met = isLong
    ? all.filter((second) => (second + steps) % oneIn === 0)
    : [(steps * STRIDE) % all.length];
  for (const second of met) {
    const world = await newWorld(name);
    try {
      await commandUntil(world, new Life(steps), fault);
      await settleUntil(world, new Life(second), 'send');
      await finish(world);
    } catch (error) {
      throw new Error(`${label}, then after step ${second} of ${settling}: ${(error as Error).message}`, {
        cause: error,
      });
    } finally {
      closeAll(world);
    }
    kills += settling === 0 ? 1 : 2;
  }
  return kills;
}

let kills = 0;

it.each(Object.keys(undertakings))('%s, killed at every step, and its settling too', async (name) => {
  const here = await killEverywhere(name);
  kills += here;
  expect(here).toBeGreaterThan(isLong ? 100 / oneIn : 4);
});

it('was that many kills', () => {
  expect(kills).toBeGreaterThan(isLong ? 1500 / oneIn : 90);
});
