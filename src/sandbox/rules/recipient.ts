/** One recipient of a request: its kind, its amount, and how it is paid. */
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { currencyRule } from '../../core/currency.ts';
import { exchangeRate, movedRate } from '../rates.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';
import { type Resolved, readRequested, resolveAmounts } from './amounts.ts';
import { type PayoutDraft, type PayoutReading, readPayout, refusedMethod, servesKind } from './payout.ts';
import { Problems } from './problems.ts';
import { isBlank, isPlain, readMap } from './reading.ts';
import { readKind } from './sender.ts';

export interface RecipientDraft extends Resolved {
  kind: PartyKind;
  requestedAmount: string;
  requestedCurrency: string;
  inputCurrency: string;
  payout: PayoutDraft;
  metadata: Plain;
}

export interface RecipientReading {
  draft: RecipientDraft | null;
  problems: Problems;
  /** Known even where the amounts are wrong, for what the corridor asks of the sender. */
  payout: PayoutDraft | null;
  /** The recipient as sent, with its problems: what a refusal repeats. */
  refused: () => Plain;
}

/** `inputCurrency` is null when the transaction has none that can be read. */
export function parseRecipient(
  sandbox: SandboxState,
  sent: unknown,
  inputCurrency: string | null,
): RecipientReading {
  const problems = new Problems();
  if (!isPlain(sent)) {
    problems.say('a recipient is an object');
    return { draft: null, problems, payout: null, refused: () => ({ errors: problems.wire }) };
  }
  const kind = readKind(sent.type, 'type', problems);
  const metadata = readMap(sent.metadata, 'metadata', problems);
  const reading = readMethod(sandbox, sent.payout_method, kind, problems);
  const amounts = readAmounts(sandbox, sent, inputCurrency, reading?.draft ?? null, problems);
  const payout = reading?.draft ?? null;
  if (payout && !servesKind(payout.corridor, kind)) problems.add('type', 'invalid');
  const complete = !problems.any && payout && amounts && inputCurrency !== null;
  return {
    draft: complete ? draftOf(amounts, { kind, metadata, payout, inputCurrency }) : null,
    problems,
    payout,
    refused: () => refusedRecipient(sandbox, sent, kind, reading, problems),
  };
}

/* Member by member, as the records are stored: taking over the rest of an object is slow. */
function draftOf(
  { requestedAmount, requestedCurrency, resolved }: Amounts,
  { kind, metadata, payout, inputCurrency }: Omit<RecipientDraft, keyof Resolved | keyof Amounts>,
): RecipientDraft {
  return {
    inputAmount: resolved.inputAmount,
    outputAmount: resolved.outputAmount,
    rate: resolved.rate,
    inputUsdAmount: resolved.inputUsdAmount,
    requestedAmount,
    requestedCurrency,
    kind,
    metadata,
    payout,
    inputCurrency,
  };
}

function readMethod(
  sandbox: SandboxState,
  sent: unknown,
  kind: PartyKind,
  problems: Problems,
): PayoutReading | null {
  if (!isPlain(sent)) {
    problems.add('payout_method', isBlank(sent) ? 'blank' : 'invalid');
    return null;
  }
  const reading = readPayout(sandbox, sent, kind);
  const type = reading.draft?.type;
  if (type !== undefined && inactive(sandbox, type)) {
    reading.problems.add('type', 'invalid').say(`${type} is not active at the moment`);
  }
  problems.nest('payout_method', reading.problems);
  return reading;
}

/** A corridor can be switched off for a while (docs/wire.md 8). */
function inactive({ faults, clock }: SandboxState, type: string): boolean {
  return faults.take('corridor-inactive', { corridor: type }, clock.now(), type) !== undefined;
}

interface Amounts {
  requestedAmount: string;
  requestedCurrency: string;
  resolved: Resolved;
}

function readAmounts(
  sandbox: SandboxState,
  sent: Plain,
  inputCurrency: string | null,
  payout: PayoutDraft | null,
  problems: Problems,
): Amounts | null {
  const currency = readCurrency(sent.requested_currency, 'requested_currency', problems);
  const read = readRequested(sent.requested_amount, currency ?? '');
  if ('word' in read) problems.add('requested_amount', read.word);
  if (currency === null || !payout || inputCurrency === null || 'word' in read) return null;
  if (!payout.corridor && currency !== payout.currency) {
    problems.add('requested_currency', 'invalid');
    return null;
  }
  const { faults, clock } = sandbox;
  const isMoved =
    faults.take('rate-moved', { corridor: payout.type }, clock.now(), payout.type) !== undefined;
  const rateOf = isMoved ? movedRate : exchangeRate;
  const resolved = resolveAmounts(read.amount, currency, inputCurrency, payout.currency, rateOf);
  if (resolved) return { requestedAmount: read.amount, requestedCurrency: currency, resolved };
  problems.add('requested_amount', 'invalid').say('the amount comes to nothing in the other currency');
  return null;
}

function readCurrency(value: unknown, field: string, problems: Problems): string | null {
  if (typeof value === 'string' && currencyRule(value)) return value;
  problems.add(field, isBlank(value) ? 'blank' : 'invalid');
  return null;
}

export function refusedRecipient(
  sandbox: SandboxState,
  sent: Plain,
  kind: PartyKind,
  reading: PayoutReading | null,
  problems: Problems,
): Plain {
  if (!reading?.problems.any) return { ...sent, errors: problems.wire };
  return {
    ...sent,
    payout_method: refusedMethod(sandbox, sent.payout_method as Plain, kind, reading),
    errors: problems.wire,
  };
}
