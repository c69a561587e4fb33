/** What passes by a sandbox: requests and answers, webhooks, what the client claims. It is noted, and judged where one look is enough. */
import type { Transport } from '../../../src/core/transport.ts';
import { must } from './broken.ts';
import type { Json } from './look.ts';
import type { Model } from './model.ts';
import { type Claim, claimsOf, idsAsked, type Passed, passed, subjectsOf } from './seen.ts';

export class Witness {
  readonly #model: Model;
  /** Transactions and senders that something was done to. */
  readonly touched = new Set<string>();
  readonly senders = new Set<string>();
  /** Successful fundings by transaction. */
  readonly #fundings = new Map<string, number>();
  #claims: { id: string; claimed: string; wasFunded: boolean }[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  /** The same transport, watched. */
  watch(send: Transport): Transport {
    return async (request) => {
      try {
        const answer = await send(request);
        this.#saw(passed(request, answer));
        return answer;
      } catch (error) {
        this.#saw(passed(request, undefined));
        throw error;
      }
    };
  }

  /** A webhook whose signature was right. */
  heard(event: string, object: Json): void {
    this.#told(claimsOf(object, `webhook ${event}`));
    for (const id of subjectsOf(object)) this.touched.add(id);
  }

  #told(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.#model.told(claim);
      if (claim.kind === 'sender') this.senders.add(claim.id);
    }
  }

  /** Something is done to it from outside: a sender, a transaction, a recipient or a payin of it. */
  touch(id: string): void {
    const owner = this.#model.ownerOf(id);
    if (owner !== undefined) this.touched.add(owner);
    if (this.#model.isSender(id)) this.senders.add(id);
  }

  #saw(exchange: Passed): void {
    for (const id of idsAsked(exchange)) this.touch(id);
    const { method, path, answer, body } = exchange;
    if (method === 'PATCH' && path.startsWith('/recipients/')) {
      const details = answer?.status === 200 ? body?.recipient?.payout_method?.details : undefined;
      this.#model.edited(path.slice('/recipients/'.length), details, answer === undefined);
    }
    if (!answer?.body) return;
    const objects = [answer.body.object, answer.body.meta?.existing?.transaction].flat().filter(Boolean);
    this.#told(claimsOf(objects, `${method} ${path}`));
    for (const id of subjectsOf(objects)) if (method !== 'GET') this.touched.add(id);
    if (method === 'POST' && answer.status === 201) this.#created(path, objects);
  }

  #created(path: string, objects: Json[]): void {
    if (path === '/transactions' || path === '/transactions/create_and_fund') {
      for (const { id } of objects) this.#model.isNew(id);
    }
    const funded = path === '/accounts/debits' ? objects.map(({ to_id }) => to_id) : [];
    if (path === '/transactions/create_and_fund') funded.push(objects[0]?.id);
    for (const id of funded) {
      const times = (this.#fundings.get(id) ?? 0) + 1;
      this.#fundings.set(id, times);
      must(times === 1, 'funded once', () => `transaction ${id} was funded ${times} times`);
      this.#model.fundable(id);
    }
  }

  /** What the client claims of a funding: to be so when it is looked at. */
  claims(id: string, claimed: string, wasFunded: boolean): void {
    this.#claims.push({ id, claimed, wasFunded });
    this.touched.add(id);
  }

  /** "Not applied" says something of the transaction only when nobody else tried to fund it meanwhile. */
  checkClaims(): void {
    const claims = this.#claims.splice(0);
    for (const { id, claimed, wasFunded } of claims) {
      const funded = this.#model.isFunded(id);
      const alone = claims.filter((each) => each.id === id).length === 1 && !wasFunded;
      const fits = claimed === 'applied' ? funded : claimed !== 'not_applied' || !alone || !funded;
      must(
        fits,
        'claims',
        () => `transaction ${id} is ${funded ? '' : 'not '}funded, claimed was ${claimed}`,
      );
    }
  }
}
