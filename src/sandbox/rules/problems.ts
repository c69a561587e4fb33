/**
 * Problems of a request as the wire has them: `{field: [{error: word}]}`, nested ones dotted from the parent down.
 * The printed form has no index for a list, so two recipients share the parent's key and tell apart in their own `errors`.
 */
export type Errors = Record<string, { error: string }[]>;

/** `blank`, `invalid`, `taken`, `insufficient_balance`; under `base` a sentence for people. */
export class Problems {
  /** Undefined while there are none: a good request reads seven objects. */
  #errors: Map<string, string[]> | undefined;

  add(field: string, word: string): this {
    this.#errors ??= new Map();
    const words = this.#errors.get(field);
    if (!words) this.#errors.set(field, [word]);
    else if (!words.includes(word)) words.push(word);
    return this;
  }

  /** A sentence about the object as a whole. */
  say(sentence: string): this {
    return this.add('base', sentence);
  }

  /** Takes over a child's problems under its name. */
  nest(name: string, child: Problems): this {
    for (const [field, words] of child.#errors ?? []) {
      for (const word of words) this.add(`${name}.${field}`, word);
    }
    return this;
  }

  merge(more: Problems): this {
    for (const [field, words] of more.#errors ?? []) for (const word of words) this.add(field, word);
    return this;
  }

  get any(): boolean {
    return this.#errors !== undefined;
  }

  /** Undefined when there are none, so that the member is left out. */
  get wire(): Errors | undefined {
    if (!this.#errors) return undefined;
    const entries = [...this.#errors].map(([field, words]) => [field, words.map((error) => ({ error }))]);
    return Object.fromEntries(entries);
  }
}
