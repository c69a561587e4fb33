/**
 * Asks banks and operators about the accounts of a file, four at a time. An account that is not found is a fault; a name that reads
 * otherwise is said beside the name in the file; an outage is said once and stops nothing. What was found right is kept as prints, so
 * that the same check, broken off and begun again, asks only for the rest.
 */

import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atOnce } from '../../core/at-once.ts';
import { readOwnFile, replaceOwnFile } from '../../disk/own-file.ts';
import type { HolderAnswer } from '../../payments/cases/account-check.ts';
import { type AccountCheck, checkAccount } from '../../payments/cases/account-check.ts';
import type { Desk } from '../../payments/desk.ts';
import { configDir } from '../../profiles/paths.ts';
import { type Fault, faultAt } from '../../tables/row.ts';
import type { CheckedRows } from './check.ts';
import type { FilePayment } from './payment.ts';

const AT_ONCE = 4;
/** The number of checks without an answer, one after the other, after which no more are asked for. */
const MOST_UNANSWERED = 5;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;
const MOST_KEPT = 100_000;
const SAVE_EVERY = 100;

export interface AccountRemarks {
  /** `row 3: the account is in the name of …, which does not read as …`. */
  differ(words: string): void;
  /** Said once: what kept accounts from being checked. */
  unchecked(words: string): void;
}

/** Payments whose account is not found become faults. */
export async function* withAccounts(
  desk: Desk,
  batches: AsyncIterable<CheckedRows>,
  remarks: AccountRemarks,
): AsyncGenerator<CheckedRows> {
  const asking = new Asking(desk, remarks, await KeptAnswers.read(desk));
  try {
    for await (const { payments, faults, doubts } of batches) {
      const wrong = await asking.faultsOf(payments);
      const rows = new Set(wrong.map(({ row }) => row));
      yield {
        payments: wrong.length === 0 ? payments : payments.filter(({ n }) => !rows.has(n)),
        faults: [...faults, ...wrong].sort((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity)),
        doubts,
      };
    }
  } finally {
    asking.end();
  }
}

class Asking {
  readonly #desk: Desk;
  readonly #remarks: AccountRemarks;
  readonly #kept: KeptAnswers;
  #unanswered = 0;
  #unchecked = 0;
  #saidOutage = false;

  constructor(desk: Desk, remarks: AccountRemarks, kept: KeptAnswers) {
    this.#desk = desk;
    this.#remarks = remarks;
    this.#kept = kept;
  }

  async faultsOf(payments: readonly FilePayment[]): Promise<Fault[]> {
    const faults: Fault[] = [];
    const open = payments.filter((payment) => {
      payment.holder = this.#kept.answerOf(payment);
      return payment.holder === undefined;
    });
    await atOnce(AT_ONCE, open, async (payment) => {
      if (this.#unanswered >= MOST_UNANSWERED) this.#unchecked++;
      else this.#note(payment, await this.#ask(payment), faults);
    });
    return faults;
  }

  end(): void {
    this.#kept.save();
    if (this.#unchecked > 0)
      this.#remarks.unchecked(
        `${this.#unchecked} ${this.#unchecked === 1 ? 'account was' : 'accounts were'} not checked`,
      );
  }

  #ask({ type, body }: FilePayment): Promise<AccountCheck> {
    const details = body.recipients[0]?.payout_method.details ?? {};
    return checkAccount(this.#desk, type, details, Object.keys(details));
  }

  #note(payment: FilePayment, answer: AccountCheck, faults: Fault[]): void {
    if (answer.kind === 'unavailable') {
      this.#unchecked++;
      this.#unanswered++;
      if (!this.#saidOutage) this.#remarks.unchecked(answer.says);
      this.#saidOutage = true;
      return;
    }
    if (answer.kind === 'none') return;
    this.#unanswered = 0;
    if (answer.kind === 'known') payment.holder = { name: answer.name, at: this.#desk.clock.now() };
    if (answer.kind === 'unknown') faults.push(faultAt(payment, undefined, 'unknown_account', answer.says));
    else if (answer.differs) this.#remarks.differ(`row ${payment.n} (${payment.at}): ${answer.says}`);
    else this.#kept.keep(payment);
  }
}

/** Prints of accounts, with the names that they were asked with, that were found right; in a file of this user alone. */
class KeptAnswers {
  readonly #file: string;
  readonly #url: string;
  readonly #today: number;
  readonly #answers: Map<string, Kept>;
  #unsaved = 0;

  private constructor(file: string, url: string, today: number, answers: Map<string, Kept>) {
    this.#file = file;
    this.#url = url;
    this.#today = today;
    this.#answers = answers;
  }

  /** A file that cannot be read costs nothing but the questions. */
  static async read(desk: Desk): Promise<KeptAnswers> {
    const file = join(configDir(desk.machine.env), 'accounts-checked.json');
    const today = Math.floor(desk.clock.now() / DAY_MS);
    const { baseUrl } = await desk.connection();
    const answers = new Map<string, Kept>();
    for (const [print, one] of Object.entries(readAnswers(file)))
      if (isKept(one) && one.day <= today && one.day > today - KEPT_DAYS) answers.set(print, one);
    return new KeptAnswers(file, baseUrl, today, answers);
  }

  answerOf(payment: FilePayment): HolderAnswer | undefined {
    const kept = this.#answers.get(this.#print(payment));
    return kept && { name: kept.name, at: kept.day * DAY_MS };
  }

  keep(payment: FilePayment): void {
    if (this.#answers.size >= MOST_KEPT || payment.holder === undefined) return;
    this.#answers.set(this.#print(payment), { day: this.#today, name: payment.holder.name });
    if (++this.#unsaved >= SAVE_EVERY) this.save();
  }

  save(): void {
    if (this.#unsaved === 0) return;
    this.#unsaved = 0;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      replaceOwnFile(this.#file, JSON.stringify(Object.fromEntries(this.#answers)));
    } catch {
      // The next check asks again.
    }
  }

  #print({ type, body }: FilePayment): string {
    const details = body.recipients[0]?.payout_method.details;
    return hash('sha256', JSON.stringify([this.#url, type, details]), 'hex').slice(0, 32);
  }
}

interface Kept {
  day: number;
  name: HolderAnswer['name'];
}

const isKept = (one: unknown): one is Kept =>
  typeof one === 'object' && one !== null && 'day' in one && typeof one.day === 'number' && 'name' in one;

function readAnswers(file: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(readOwnFile(file) ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
