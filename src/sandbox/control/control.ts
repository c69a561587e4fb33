/** Every control has its place here, or this does not compile. The library, the commands and scenarios ask the same ones. */

import {
  type ControlId,
  controls,
  type MandateDecision,
  type PayinOutcome,
  type PayoutOutcome,
  type ReviewDecision,
  type SenderDecision,
} from '../../contract/controls/index.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import { senderStates } from '../../contract/states/sender.ts';
import { transactionStates } from '../../contract/states/transaction.ts';
import { SnapshotError } from '../image-reader.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Service } from '../service.ts';
import { badSetting, badSettings, type SandboxSettings } from '../settings.ts';
import type { Plain } from '../store/records.ts';
import { wireTime } from '../views/json.ts';
import {
  answerPayout,
  decideMandate,
  decideReview,
  decideSender,
  postRefund,
  receivePayin,
  topUp,
} from './decisions.ts';
import { explainRecord } from './explain.ts';
import { armFault, faultsView } from './faults.ts';
import { type ControlAnswer, succeeded, unknownThing, wrong } from './said.ts';
import { SeedRefused, seed } from './seed.ts';

export interface ControlAsked {
  /** The parameter of the path. */
  id?: string;
  body?: Plain;
  bytes?: Uint8Array | AsyncIterable<Uint8Array>;
}

export interface Control {
  /** Any control by its name; a body is checked first. */
  ask(control: ControlId, asked?: ControlAsked): Promise<ControlAnswer>;
  /** Everything at a glance: clock, counts, balances, settings, rules broken on purpose. */
  state(): Plain;
  /** Changes settings; the names of those that are unknown or cannot have that value, and then nothing changes. */
  set(change: Partial<SandboxSettings>): string[];
}

export function controlOf(service: Service): Control {
  return {
    ask: (control, asked = {}) => ask(service, control, asked),
    state: () => stateOf(service.sandbox),
    set: (change) => applySettings(service, change),
  };
}

const MAX_ADVANCE_MS = 366 * 86_400_000;

async function ask(
  service: Service,
  control: ControlId,
  { id = '', body = {}, bytes }: ControlAsked,
): Promise<ControlAnswer> {
  const checked = controls[control].body?.safeParse(body);
  if (checked && !checked.success) {
    const [issue] = checked.error.issues;
    if (issue?.code === 'unrecognized_keys')
      return wrong('body', `${control} takes no ${issue.keys.join(', ')}`);
    const field = issue?.path.join('.') || 'body';
    return wrong(field, `${field}: ${issue?.message ?? 'not valid'}`);
  }
  return controlHandlers[control](service, { id, body, bytes: bytes ?? new Uint8Array() });
}

type ControlHandler = (
  service: Service,
  asked: Required<ControlAsked>,
) => ControlAnswer | Promise<ControlAnswer>;

const controlHandlers: Readonly<Record<ControlId, ControlHandler>> = {
  'sandbox.state': ({ sandbox }) => succeeded(stateOf(sandbox)),
  'sandbox.clock.show': showClock,
  'sandbox.clock.advance': (service, { body }) => advance(service, Number(body.advance_ms)),
  'sandbox.clock.set': (service, { body }) => setClock(service, String(body.now)),
  'sandbox.clock.run': (service) => switchClock(service, 'running'),
  'sandbox.clock.stop': (service) => switchClock(service, 'standing'),
  'sandbox.settings.show': ({ sandbox }) => succeeded({ ...sandbox.settings }),
  'sandbox.settings.change': changeSettings,
  'sandbox.senders.decide': ({ sandbox }, { id, body }) =>
    decideSender(sandbox, id, body.decision as SenderDecision, body.reason as string | undefined),
  'sandbox.payouts.answer': ({ sandbox }, { id, body }) =>
    answerPayout(sandbox, id, body as { outcome?: PayoutOutcome; code?: string }),
  'sandbox.payins.receive': ({ sandbox }, { id, body }) =>
    receivePayin(sandbox, id, body as { amount?: string; outcome?: PayinOutcome; code?: string }),
  'sandbox.reviews.decide': ({ sandbox }, { id, body }) =>
    decideReview(sandbox, id, body.decision as ReviewDecision),
  'sandbox.refunds.post': ({ sandbox }, { id }) => postRefund(sandbox, id),
  'sandbox.balances.credit': ({ sandbox }, { id, body }) => topUp(sandbox, id, String(body.amount)),
  'sandbox.mandates.decide': ({ sandbox }, { id, body }) =>
    decideMandate(sandbox, id, body.status as MandateDecision),
  'sandbox.faults.list': ({ sandbox }) => succeeded(faultsView(sandbox)),
  'sandbox.faults.arm': ({ sandbox }, { body }) => armFault(sandbox, body),
  'sandbox.faults.clear': ({ sandbox }) => {
    sandbox.faults.clear();
    return succeeded(faultsView(sandbox));
  },
  'sandbox.faults.disarm': ({ sandbox }, { id }) =>
    sandbox.faults.disarm(id) ? succeeded(faultsView(sandbox)) : unknownThing,
  'sandbox.seed': sow,
  'sandbox.reset': (service) => {
    service.reset();
    return succeeded(stateOf(service.sandbox));
  },
  'sandbox.snapshot': async (service) => ({ kind: 'bytes', bytes: await service.takeSnapshot() }),
  'sandbox.restore': restore,
  'sandbox.explain': ({ sandbox }, { id }) => explainRecord(sandbox, id),
};

function showClock({ sandbox }: Service): ControlAnswer {
  return succeeded(clockView(sandbox.clock));
}

async function advance(service: Service, ms: number): Promise<ControlAnswer> {
  if (!(ms <= MAX_ADVANCE_MS)) return wrong('advance_ms', 'at most 366 days at a time');
  await service.advance(ms);
  return showClock(service);
}

function setClock(service: Service, text: string): ControlAnswer | Promise<ControlAnswer> {
  const at = Date.parse(text);
  const ms = at - service.sandbox.clock.now();
  if (Number.isNaN(at)) return wrong('now', `${text} is no time: say it as 2026-01-31T09:00:00Z`);
  return ms < 0 ? wrong('now', 'time does not run backwards') : advance(service, ms);
}

function switchClock(service: Service, mode: 'running' | 'standing'): ControlAnswer {
  if (!service.sandbox.clock.switchTo(mode)) return wrong('mode', 'there is no machine clock to run with');
  return showClock(service);
}

function applySettings({ sandbox }: Service, change: Plain): string[] {
  const bad = badSettings(change);
  if (bad.length === 0) Object.assign(sandbox.settings, change);
  return bad;
}

function changeSettings(service: Service, { body }: Required<ControlAsked>): ControlAnswer {
  const [bad] = applySettings(service, body);
  if (bad !== undefined) return wrong(bad, badSetting(bad));
  return succeeded({ ...service.sandbox.settings });
}

function sow(service: Service, { body }: Required<ControlAsked>): ControlAnswer {
  try {
    return succeeded(seed(service.sandbox, Number(body.rounds ?? 1), () => service.runDue()));
  } catch (error) {
    if (error instanceof SeedRefused) return wrong('balance', `the samples were refused: ${error.message}`);
    throw error;
  }
}

async function restore(service: Service, { bytes }: Required<ControlAsked>): Promise<ControlAnswer> {
  try {
    await service.restoreFrom(bytes instanceof Uint8Array ? inParts(bytes) : bytes);
    return succeeded(stateOf(service.sandbox));
  } catch (error) {
    if (error instanceof SnapshotError) return wrong('snapshot', error.message);
    throw error;
  }
}

const PART = 65_536;

async function* inParts(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART);
}

/** Everything at a glance: how many of what in which state, what every book holds, what is armed and due. */
function clockView(clock: SandboxState['clock']): Plain {
  return { mode: clock.mode, now: wireTime(clock.now()) };
}

/** Follows the order in which the description names the states, whichever came first here. */
function inOrder(counts: Readonly<Record<string, number>>, states: object): Record<string, number> {
  const known = Object.keys(states).filter((state) => counts[state] !== undefined);
  return Object.fromEntries(known.map((state) => [state, counts[state] ?? 0]));
}

function stateOf(sandbox: SandboxState): Plain {
  const { clock, store, schedule, ledger, settings, broken, faults } = sandbox;
  const wallets = ledger.walletCurrencies().map((currency) => [currency, ledger.balance('wallet', currency)]);
  const next = schedule.nextDue();
  return {
    clock: clockView(clock),
    counts: {
      senders: store.senders.size,
      transactions: store.transactions.size,
      recipients: store.recipients.size,
      payout_methods: store.payoutMethods.size,
      documents: store.documents.size,
      mandates: store.mandates.size,
      debits: store.debits.size,
      webhooks: store.webhooks.size,
      webhook_logs: store.webhookLogs.size,
      api_logs: store.apiLogs.size,
      scheduled: schedule.size,
    },
    states: {
      senders: inOrder(store.senders.states(), senderStates),
      transactions: inOrder(store.transactions.states(), transactionStates),
      recipients: inOrder(store.recipients.states(), recipientStates),
    },
    next_due: next === undefined ? null : wireTime(next),
    balances: Object.fromEntries(wallets),
    ledger: ledger.totals(),
    settings: { ...settings },
    faults_armed: faults.state().armed.length,
    rules_broken: [...broken],
  };
}
