/**
 * A write is known by its content and not by its number: a program that sends in another order, or sends again, is met at the same payment. What
 * differs between two runs without a fault (ids, dates, made-up names) is no content.
 */
import { createHash } from 'node:crypto';

/** A body, as the leaves of its JSON: path to value. Array places are not distinguished, since lists come in any order. */
export type Leaves = ReadonlyMap<string, string>;

export function leavesOf(body: string): Leaves {
  const leaves = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        walk(member, path === '' ? name : `${path}.${name}`);
    else leaves.set(path, `${leaves.get(path) ?? ''}${JSON.stringify(value)}`);
  };
  try {
    walk(JSON.parse(body), '');
  } catch {
    leaves.set('', body);
  }
  return leaves;
}

export interface WriteSent {
  operation: string;
  body: string;
}

/** By operation, the members that differ between two runs without a fault. */
export type Unstable = ReadonlyMap<string, ReadonlySet<string>>;

/** Pairs the writes of one operation by what they have in common, and notes where pairs differ. */
export function unstableOf(one: readonly WriteSent[], other: readonly WriteSent[]): Unstable {
  const unstable = new Map<string, Set<string>>();
  const rest = other.map((write) => ({ ...write, leaves: leavesOf(write.body) }));
  for (const { operation, body } of one) {
    const leaves = leavesOf(body);
    let best = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [at, candidate] of rest.entries()) {
      if (candidate.operation !== operation) continue;
      const count = differing(leaves, candidate.leaves).length;
      if (count < fewest) [best, fewest] = [at, count];
    }
    if (best < 0) continue;
    const [match] = rest.splice(best, 1);
    const known = unstable.get(operation) ?? new Set();
    for (const path of differing(leaves, match?.leaves ?? leaves)) known.add(path);
    unstable.set(operation, known);
  }
  return unstable;
}

function differing(one: Leaves, other: Leaves): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path));
}

/** Six hexadecimal digits. The path of the request does not count: the ids in it are the service's. */
export function keyOf({ operation, body }: WriteSent, unstable: Unstable): string {
  const left = unstable.get(operation);
  const stable = [...leavesOf(body)]
    .filter(([path]) => !left?.has(path))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([operation, stable]))
    .digest('hex')
    .slice(0, 6);
}
