/**
 * A verdict is the meaning of one payment's outcome for its row and for the run. The words for a refusal say
 * which member is wrong, and never its value: an account number or a name stands in no reason of a run.
 */
import { NOT_FUNDED } from '../client/create-plan.ts';
import { ApiError, isTemporary, NetworkError, NotReadyError } from '../client/errors.ts';
import type { Conflict, Outcome } from '../client/outcome.ts';

import type { Transaction } from '../contract/resources/transaction.ts';
import { money } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { add, gt, mul } from '../core/money.ts';
import { refusalWords } from '../core/refusal.ts';
import { newsOf } from './states.ts';
import type { PayRow, RowNews } from './store/port.ts';
import { columnOf, conflictWords, endedWords, membersOf, unfundedWords } from './taken-id-words.ts';

export type PauseCode =
  | 'balance'
  | 'key'
  | 'corridor'
  | 'refused_alike'
  | 'rate'
  | 'ceiling'
  | 'dearer'
  | 'service'
  | 'asked'
  | 'paid_before'
  | 'approvals';

export interface Pause {
  code: PauseCode;
  why: string;
}

export interface RowVerdict {
  news: RowNews;
  /** The service has too much to do, or cannot be reached: fewer at once, and later. */
  isTooMuch: boolean;
  pause?: Pause;
  /** Refusals that read alike are counted: ten in a row are no accident. */
  refusal?: string;
}

const ALIKE = 10;

/** Counts refusals that come one after the other and read alike. */
export class Alike {
  #words: string | undefined;
  #times = 0;

  count({ refusal }: RowVerdict): Pause | undefined {
    this.#times = refusal === undefined ? 0 : refusal === this.#words ? this.#times + 1 : 1;
    this.#words = refusal;
    if (this.#times < ALIKE) return undefined;
    return { code: 'refused_alike', why: `${ALIKE} rows in a row were refused alike: ${refusal}` };
  }
}

/** Worth another try within the run. */
export const isRetriable = ({ news, isTooMuch }: RowVerdict): boolean =>
  news.state === 'unknown' || (news.state === 'planned' && isTooMuch);

export function verdictOn(outcome: Outcome<Transaction>, row: PayRow, tolerance: string): RowVerdict {
  switch (outcome.kind) {
    case 'applied':
      return applied(outcome.value, row, tolerance);
    case 'conflict':
      if (outcome.madeFor !== undefined) return otherwise(outcome, row, tolerance);
      return taken(
        outcome.differences.includes(NOT_FUNDED) ? unfundedWords : conflictWords(outcome.differences),
      );
    case 'unknown':
      return {
        news: {
          state: 'unknown',
          code: codeOf(outcome.error),
          why:
            outcome.answeredId !== undefined
              ? `the service answered with transaction ${outcome.answeredId}, which reads otherwise than the row: look at it`
              : outcome.overAt === undefined
                ? 'it is not known whether it was applied'
                : `its first try had no answer, and the service refuses it now: settle it after ${isoTime(outcome.overAt)}, and where it is still refused and not found, it was not applied`,
        },
        isTooMuch: isTooMuch(outcome.error),
        ...keyPause(outcome.error),
      };
    case 'not_applied':
      return outcome.why === undefined ? notApplied(outcome.error) : refused('never_funded', outcome.why);
  }
}

function applied(value: Transaction, row: PayRow, tolerance: string): RowVerdict {
  const news = newsOf(value);
  const { cost } = news;
  const most = add(row.estimate, mul(row.estimate, tolerance));
  const verdict: RowVerdict = { news: { state: 'created', ...news }, isTooMuch: false };
  if (cost === undefined || !gt(cost, most)) return verdict;
  return {
    ...verdict,
    pause: {
      code: 'dearer',
      why: `row ${row.key} cost ${money(cost, row.inputCurrency)}, and ${money(row.estimate, row.inputCurrency)} was planned`,
    },
  };
}

/** The run made it, with other money or another payee: it is paid for, and a person has to look at it. The other rows are paid. */
function otherwise({ value, differences }: Conflict, row: PayRow, tolerance: string): RowVerdict {
  const verdict = applied(value as Transaction, row, tolerance);
  const why = `the service made it otherwise than asked: ${membersOf(differences)}`;
  return { ...verdict, news: { ...verdict.news, found: 'otherwise', code: 'made_otherwise', why } };
}

function taken(why: string): RowVerdict {
  const code = 'external_id_taken';
  return { ...refused(code, why), news: { state: 'conflict', code, why } };
}

/** The id of the row is used up: it is paid under another one, or not at all. */
export const usedUp = (how: string): RowVerdict => refused('external_id_used_up', endedWords(how));

function refused(code: string, why: string): RowVerdict {
  return { news: { state: 'refused', code, why }, isTooMuch: false, refusal: code };
}

/** Whatever became of this row, the next ones would fare alike. */
const keyPause = (error: unknown): Pick<RowVerdict, 'pause'> =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
    ? { pause: { code: 'key', why: `the service did not accept the key (${error.status})` } }
    : {};

/** The service did not answer a read before the row: nothing of it was sent. */
function notReady({ cause }: NotReadyError): RowVerdict {
  if (isTooMuch(cause)) return { ...again(cause, 'the service did not answer'), isTooMuch: true };
  const status = cause instanceof ApiError ? cause.status : undefined;
  const why =
    status === undefined
      ? `the service did not answer as it should: ${cause.message}`
      : status === 401 || status === 403
        ? `the service did not accept the key (${status})`
        : `the service answered a read with ${status}`;
  return { ...again(cause, why), isTooMuch: false, pause: { code: 'key', why } };
}

const again = (error: unknown, why: string): Pick<RowVerdict, 'news'> => ({
  news: { state: 'planned', code: codeOf(error), why },
});

function notApplied(error: unknown): RowVerdict {
  if (error instanceof NotReadyError) return notReady(error);
  if (!(error instanceof ApiError))
    return { ...again(error, 'it did not reach the service'), isTooMuch: true };
  if (error.fields.some(({ words }) => words.includes('insufficient_balance')))
    return {
      ...again(error, 'the balance was too small'),
      isTooMuch: false,
      pause: { code: 'balance', why: 'the balance is too small' },
    };
  if (isTooMuch(error)) return { ...again(error, `the service answered ${error.status}`), isTooMuch: true };
  return refusal(error);
}

function refusal(error: ApiError): RowVerdict {
  const of = (isSender: boolean): string =>
    error.fields
      .filter(({ path }) => isOfSender(path) === isSender)
      .map(
        ({ path, words }) =>
          `${columnOf(path)} ${words.filter(isWord).map(said).join(' and ') || 'is refused'}`,
      )
      .join('; ');
  const [payment, sender] = [of(false), of(true)];
  const faults = [payment, sender && `of the sender: ${sender}`].filter(Boolean);
  const why = faults.length > 0 ? faults.join('; ') : `the service answered ${error.status}`;
  const isCorridor = error.fields.some(({ path }) => path.endsWith('payout_method.type'));
  if (!isCorridor) return { ...refused(codeOf(error), why), refusal: `${error.status} ${why}` };
  // The row is not to blame: it is paid when the corridor is open again.
  return {
    ...again(error, why),
    isTooMuch: false,
    pause: { code: 'corridor', why: `the service does not take this payout type now: ${why}` },
  };
}

/** `blank`, `invalid`, `taken`: a sentence of the service may repeat what was sent. */
const isWord = (word: string): boolean => /^[a-z_]{2,40}$/.test(word);
const said = (word: string): string => refusalWords(word) ?? `is ${word.replaceAll('_', ' ')}`;

const isOfSender = (path: string): boolean => path.split('.').at(-2) === 'sender';

const isTooMuch = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && isTemporary(error));

function codeOf(error: unknown): string {
  if (error instanceof ApiError) {
    const [first] = error.fields;
    return first === undefined
      ? `http_${error.status}`
      : (first.words.find(isWord) ?? `http_${error.status}`);
  }
  return error instanceof NetworkError ? error.code.toLowerCase() : 'no_answer';
}
