/** The auditor's own arithmetic: whole hundred-millionths of a currency, so that nothing is rounded and nothing is shared. */

const PLACES = 8;

export type Units = bigint;

/** An amount as the wire shows it. @throws when it is none */
export function units(amount: unknown): Units {
  const match = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(String(amount));
  if (!match) throw new Error(`${JSON.stringify(amount)} is no amount`);
  const [, sign, whole = '', fraction = ''] = match;
  const value = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -value : value;
}

export function shown(value: Units): string {
  const text = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  return `${value < 0n ? '-' : ''}${text.slice(0, -PLACES)}.${text.slice(-PLACES).replace(/0{1,6}$/, '')}`;
}

const WHOLE = new Set('GNF JPY KES KRW NGN TZS UGX VND XAF XOF'.split(' '));

/** Whether an amount has no more decimals than its currency. */
export function fits(amount: Units, currency: string): boolean {
  const places = currency === 'BTC' ? 8 : WHOLE.has(currency) ? 0 : 2;
  return amount % 10n ** BigInt(PLACES - places) === 0n;
}

/** Amounts by name, such as `wallet:EUR`; what is nothing is left out when they are compared. */
export class Sums {
  readonly #values = new Map<string, Units>();

  add(name: string, amount: Units): void {
    this.#values.set(name, this.get(name) + amount);
  }

  get(name: string): Units {
    return this.#values.get(name) ?? 0n;
  }

  merge(other: Sums, sign: 1n | -1n = 1n): void {
    for (const [name, amount] of other.#values) this.add(name, sign * amount);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  /** The names under which the two differ. */
  differences(other: Sums): string[] {
    const names = new Set([...this.names(), ...other.names()]);
    return [...names].filter((name) => this.get(name) !== other.get(name)).sort();
  }
}
