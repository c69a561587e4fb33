/** Every invariant that the auditor holds, by name, and the error that names the one that was broken. */
export const invariants = {
  wallet: 'a balance moves by what was funded, refunded and credited, and by nothing else',
  ledger: 'every book holds what the transactions add up to, and the books of a currency come to nothing',
  'funded once': 'a transaction is funded at most once, and what was paid in never changes',
  'funded in time': 'what was not funded within an hour is cancelled and takes no funds',
  collected: 'a collection has money only when its payin says so',
  'paid once': 'paid and refunded together are at most what was funded, and neither happens without funds',
  'ends stay': 'an end is an end: nothing leaves it',
  'allowed moves': 'a state follows another only where the description lets it',
  story: 'what the sandbox explains is what was seen: every state, in order, by allowed moves',
  'webhook truth': 'a webhook shows a state only if it was true',
  'external id': 'an external id names one transaction for ever',
  identity: 'ids are unique, and what was acknowledged stays',
  amounts: 'what is due is what is asked less what is paid, in decimals that the currency has',
  permissions: 'may_cancel and editable follow from the state',
  agreement: 'a transaction and its recipients agree on their states',
  edit: 'an edit that was accepted is there afterwards',
  time: 'time never runs backwards',
  claims: 'what the client claims of a write is so',
  lists: 'lists show every transaction once, newest first',
  rest: 'in the end nothing is held but what waits for people, a mandate or a provider',
} as const;

export type Invariant = keyof typeof invariants;

export class Broken extends Error {
  override readonly name = 'Broken';
  constructor(
    readonly invariant: Invariant,
    detail: string,
  ) {
    super(`${invariant} (${invariants[invariant]}): ${detail}`);
  }
}

/** @throws Broken, with the detail in words */
export function must(holds: boolean, invariant: Invariant, detail: () => string): asserts holds {
  if (!holds) throw new Broken(invariant, detail());
}
