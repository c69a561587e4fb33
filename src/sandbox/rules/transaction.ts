/**
 * A transaction of a request, read as a whole: what would be created, or the refusal that repeats what was sent with every
 * problem at its place and dotted on the parent.
 */
import { balanceCurrency } from '../../contract/corridors/balance.ts';
import { checkSenderRequirements } from '../../contract/corridors/check.ts';
import { inputCurrencies } from '../../core/currency.ts';
import { sum } from '../../core/money.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';
import { payinAnswer } from './discovery.ts';
import { type PayinDraft, type PayinReading, readPayin } from './payin.ts';
import type { PayoutDraft } from './payout.ts';
import { Problems } from './problems.ts';
import { isBlank, isPlain, readFlag, readMap, readText } from './reading.ts';
import { parseRecipient, type RecipientDraft, type RecipientReading } from './recipient.ts';
import { readSenderReference, type SenderDraft } from './sender-reference.ts';

export interface TransactionDraft {
  externalId: string | null;
  inputCurrency: string;
  inputAmount: string;
  sender: SenderDraft;
  recipients: RecipientDraft[];
  payins: PayinDraft[];
  traits: { account_validation: boolean; auto_refund: boolean };
  metadata: Plain;
}

export interface TransactionReading {
  draft: TransactionDraft | null;
  problems: Problems;
  /** The refused object; problems that were added after reading are in it. */
  refused: () => Plain;
  /** Each payin method as sent, with an `errors` of its own, empty where the flow is open. */
  payinAnswers: () => Plain[];
}

interface How {
  /** Flows that are not open are said, and refuse nothing. */
  payinsMayFail: boolean;
}

export function parseTransaction(
  sandbox: SandboxState,
  sent: Plain,
  { payinsMayFail }: How = { payinsMayFail: false },
): TransactionReading {
  const problems = new Problems();
  const inputCurrency = readInputCurrency(sent.input_currency, problems);
  const own = {
    externalId: readText(sent.external_id, 'external_id', problems),
    metadata: readMap(sent.metadata, 'metadata', problems),
    traits: readTraits(sandbox, sent.traits, problems),
  };
  const recipients = readList(sent.recipients, 'recipients', true, problems).map((each) =>
    parseRecipient(sandbox, each, inputCurrency),
  );
  const payins = readList(sent.payin_methods, 'payin_methods', false, problems).map((each) =>
    readPayin(each, inputCurrency),
  );
  const sender = readSender(sandbox, sent.sender, recipients, problems);
  for (const each of recipients) problems.nest('recipients', each.problems);
  if (!payinsMayFail) for (const each of payins) problems.nest('payin_methods', each.problems);
  checkSameCurrency(sandbox, { inputCurrency, recipients, collects: payins.length > 0 }, problems);
  const whole = !problems.any && inputCurrency !== null && sender.draft !== null;
  return {
    draft: whole && sender.draft ? draftOf(own, inputCurrency, sender.draft, recipients, payins) : null,
    problems,
    refused: () => refusedTransaction(sent, sender.problems, recipients, payins, problems),
    payinAnswers: () => payins.map(payinAnswer),
  };
}

function draftOf(
  own: Pick<TransactionDraft, 'externalId' | 'metadata' | 'traits'>,
  inputCurrency: string,
  sender: SenderDraft,
  recipients: readonly RecipientReading[],
  payins: readonly PayinReading[],
): TransactionDraft {
  const drafts: RecipientDraft[] = [];
  for (const { draft } of recipients) if (draft) drafts.push(draft);
  /* Member by member, as the records are stored: taking over the rest of an object is slow. */
  return {
    externalId: own.externalId,
    inputCurrency,
    inputAmount: sum(drafts.map(({ inputAmount }) => inputAmount)),
    sender,
    recipients: drafts,
    payins: payins.flatMap(({ draft }) => draft ?? []),
    traits: own.traits,
    metadata: own.metadata,
  };
}

function readTraits(sandbox: SandboxState, sent: unknown, problems: Problems): TransactionDraft['traits'] {
  const traits = isPlain(sent) ? sent : {};
  if (!isBlank(sent) && !isPlain(sent)) problems.add('traits', 'invalid');
  const { account_validation } = sandbox.settings;
  return {
    account_validation: readFlag(
      traits.account_validation,
      account_validation,
      'traits.account_validation',
      problems,
    ),
    auto_refund: readFlag(traits.auto_refund, true, 'traits.auto_refund', problems),
  };
}

function readInputCurrency(value: unknown, problems: Problems): string | null {
  if (typeof value === 'string' && inputCurrencies.includes(value)) return value;
  problems.add('input_currency', isBlank(value) ? 'blank' : 'invalid');
  return null;
}

function readList(value: unknown, field: string, required: boolean, problems: Problems): readonly unknown[] {
  const items = Array.isArray(value) ? value : null;
  if (items === null && !isBlank(value)) problems.add(field, 'invalid');
  else if (required && (items === null || items.length === 0)) problems.add(field, 'blank');
  return items ?? [];
}

function readSender(
  sandbox: SandboxState,
  sent: unknown,
  recipients: readonly RecipientReading[],
  problems: Problems,
): { draft: SenderDraft | null; problems: Problems } {
  if (!isPlain(sent)) problems.add('sender', isBlank(sent) ? 'blank' : 'invalid');
  const full = recipients.some(({ payout }) => payout?.corridor?.simplifiedSenders === false);
  const reading = readSenderReference(sandbox, sent, full);
  if (reading.draft) checkCorridorNeeds(reading.draft, recipients, reading.problems);
  problems.nest('sender', reading.problems);
  return reading;
}

/** Checks what the corridors ask of the sender beyond what every sender needs. */
function checkCorridorNeeds(
  sender: SenderDraft,
  recipients: readonly RecipientReading[],
  problems: Problems,
): void {
  for (const { payout } of recipients) {
    if (!payout?.corridor) continue;
    const parties = { sender: sender.kind, recipient: payout.recipientKind };
    const wrong = checkSenderRequirements(payout.corridor, parties, sender.fields, payout.details);
    for (const [field, words] of Object.entries(wrong)) for (const word of words) problems.add(field, word);
  }
}

interface Currencies {
  inputCurrency: string | null;
  recipients: readonly RecipientReading[];
  /** True where the money comes from a payin. */
  collects: boolean;
}

/**
 * Input and output in one currency are taken only by those who hold a balance in it. What is collected to a balance opens it.
 * @assumes balance-opens
 */
function checkSameCurrency(
  sandbox: SandboxState,
  { inputCurrency, recipients, collects }: Currencies,
  problems: Problems,
): void {
  if (inputCurrency === null || sandbox.ledger.hasWallet(inputCurrency)) return;
  const opens = ({ type }: PayoutDraft) => collects && balanceCurrency(type) !== null;
  const same = recipients.some(
    ({ payout }) => payout?.currency === inputCurrency && payout !== null && !opens(payout),
  );
  if (!same) return;
  problems
    .add('input_currency', 'invalid')
    .say(`there is no ${inputCurrency} balance for a payment in one currency`);
}

function refusedTransaction(
  sent: Plain,
  sender: Problems,
  recipients: readonly RecipientReading[],
  payins: readonly PayinReading[],
  problems: Problems,
): Plain {
  return {
    ...sent,
    ...(isPlain(sent.sender) ? { sender: { ...sent.sender, errors: sender.wire } } : {}),
    ...(recipients.length > 0 ? { recipients: recipients.map((each) => each.refused()) } : {}),
    ...(payins.length > 0 ? { payin_methods: payins.map((each) => each.refused()) } : {}),
    errors: problems.wire,
  };
}
