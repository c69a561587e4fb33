/** Filters of a list, against the contract: one that the service does not know would be passed over, and everything be returned. */
import type { Operation, QueryKind } from '../contract/operations/operation.ts';
import { RequestError } from './errors.ts';
import type { Query, QueryValue } from './url.ts';

/** @throws RequestError for a filter that the call does not have, or that is of another kind; nothing was sent */
export function checkQuery({ id, query: known }: Pick<Operation, 'id' | 'query'>, query: Query = {}): void {
  const problems = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const parameter = known.find((one) => one.name === name);
    const message = parameter === undefined ? unknownFilter(name, known) : wrong(parameter.kind, value);
    return message === undefined ? [] : [{ path: name, message }];
  });
  if (problems.length > 0) throw new RequestError(id, problems);
}

function unknownFilter(name: string, known: Operation['query']): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (known.some((one) => one.name === snake)) return `is no filter of this call: did you mean ${snake}?`;
  const names = known.map((one) => one.name);
  return `is no filter of this call: ${names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`}`;
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

function wrong(kind: QueryKind, value: NonNullable<QueryValue>): string | undefined {
  if (kind === 'list') return undefined;
  if (typeof value === 'object') return 'takes one value';
  if (kind === 'integer' && !/^[1-9]\d*$/.test(String(value))) return 'is a whole number above 0';
  if (kind === 'date' && !DAY.test(String(value))) return 'is a day, such as 2026-01-31';
  return undefined;
}
