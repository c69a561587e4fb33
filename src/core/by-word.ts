/**
 * A table that is read by words from outside. Every plain object has `constructor` and `__proto__` too: a bank's name, a member of a file
 * or a typed word that is called like that would find a function. Here it finds nothing, as the type says.
 */
export const byWord = <Value>(rows: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, Value>, rows));
