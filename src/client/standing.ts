/**
 * Keeps track of whether the service takes this key (docs/rules.md 1, decision 0006). A refusal after a write has
 * left proves nothing where something in front of the service may have answered. So no write leaves before a read of
 * the same client was answered as the service answers; and after an answer that the service would not give, the next
 * write waits for such a read again. Nothing of this is kept on disk. The service's time, as its answers say it, is
 * heard here too: all clients of one key share it.
 */
import type { Operation } from '../contract/operations/operation.ts';
import type { WireResponse } from '../core/transport.ts';
import { ApiError, isAnswerError, NotReadyError, UnreadableAnswerError } from './errors.ts';
import type { CallTerms } from './terms.ts';

/**
 * The first shows no one's data, and the service sets no limit to it (docs/wire.md 13). A key may lack the right to one kind of read:
 * then another is tried. Loaded when a write is about to leave: a command that only reads loads none of it.
 */
async function readsToTry() {
  const [{ listWebhookEvents }, { listTransactions }, { listAccounts }] = await Promise.all([
    import('../contract/operations/webhooks.ts'),
    import('../contract/operations/transactions.ts'),
    import('../contract/operations/accounts.ts'),
  ]);
  return [
    { operation: listWebhookEvents, query: {} },
    { operation: listTransactions, query: { per: 1 } },
    { operation: listAccounts, query: {} },
  ] as unknown as readonly {
    operation: Operation<never, unknown>;
    query: Readonly<Record<string, number>>;
  }[];
}

/** Terms of a write that its read has too. */
export type ReadTerms = Pick<CallTerms, 'timeoutMs' | 'retries'>;

type Read = (
  operation: Operation<never, unknown>,
  query: Readonly<Record<string, number>>,
  terms: ReadTerms,
) => Promise<unknown>;

export class KeyCheck {
  readonly #read: Read;
  #isAccepted = false;
  #underWay: Promise<void> | undefined;
  #dateMs = Number.NaN;

  constructor(read: Read) {
    this.#read = read;
  }

  get isAccepted(): boolean {
    return this.#isAccepted;
  }

  /** The service's time, in milliseconds; undefined before an answer told it. */
  get date(): number | undefined {
    return Number.isNaN(this.#dateMs) ? undefined : this.#dateMs;
  }

  /** Something was answered, be it a refusal. An answer without a `Date` says nothing of the time. */
  answered({ headers }: Pick<WireResponse, 'headers'>): void {
    if (headers.date !== undefined) this.#dateMs = Date.parse(headers.date);
  }

  /** A read was answered, and its answer fits the contract. */
  accepted(): void {
    this.#isAccepted = true;
  }

  /** A write was answered otherwise than the service answers it. */
  doubted(): void {
    this.#isAccepted = false;
  }

  /** Resolves once the key is known to be accepted. @throws NotReadyError: the write was not sent */
  async ready(terms: ReadTerms = {}): Promise<void> {
    if (this.#isAccepted) return;
    // Writes that begin together wait for one read.
    this.#underWay ??= this.prove(terms).finally(() => {
      this.#underWay = undefined;
    });
    await this.#underWay.catch((error: unknown) => {
      throw isAnswerError(error) ? new NotReadyError(error) : error;
    });
  }

  /** Reads anything that this key may read. @throws CallError of the read that failed */
  async prove({ timeoutMs, retries }: ReadTerms = {}): Promise<void> {
    let refused: unknown;
    for (const { operation, query } of await readsToTry()) {
      try {
        await this.#read(operation, query, { timeoutMs, retries });
        return;
      } catch (error) {
        if (!isOfThisRead(error)) throw error;
        refused ??= error;
      }
    }
    throw refused;
  }
}

/** The key has no right to it, or this deployment does not serve it as documented: another read may be answered. */
const isOfThisRead = (error: unknown): boolean =>
  error instanceof UnreadableAnswerError ||
  (error instanceof ApiError && (error.status === 403 || error.status === 404));
