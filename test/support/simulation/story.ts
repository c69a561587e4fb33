/** What the sandbox explains of a transaction against what was seen of it, and against the hand-written tables. */
import { must } from './broken.ts';
import type { Json } from './look.ts';
import type { Claim } from './seen.ts';
import { type Kind, mayBegin, mayFollow } from './tables.ts';

/** What was seen of one object: the states of our own looks in order, and those that others told. */
export interface Trace {
  kind: Kind;
  id: string;
  looks: string[];
  claims: Claim[];
}

export function checkStory(changes: readonly Json[], traces: readonly Trace[]): void {
  checkTimes(changes);
  for (const trace of traces) {
    const chain = changes.filter(({ id }) => id === trace.id);
    checkChain(chain, trace);
    checkLooks(
      chain.map(({ to }) => to),
      trace,
    );
  }
}

function checkTimes(changes: readonly Json[]): void {
  for (const [index, { at, id }] of changes.entries()) {
    const before = changes[index - 1]?.at ?? at;
    must(Date.parse(before) <= Date.parse(at), 'time', () => `${id} changed at ${at}, after ${before}`);
  }
}

function checkChain(chain: readonly Json[], { kind, id }: Trace): void {
  for (const [index, { from, to, rule }] of chain.entries()) {
    const before = chain[index - 1]?.to ?? null;
    const follows = from === before && (from === null ? mayBegin(kind, to) : mayFollow(kind, from, to));
    must(follows, 'allowed moves', () => `${kind} ${id}: ${from} to ${to} by ${rule}`);
  }
}

function checkLooks(told: readonly string[], { kind, id, looks, claims }: Trace): void {
  let at = 0;
  for (const state of looks) {
    at = told.indexOf(state, at);
    must(at >= 0, 'story', () => `${kind} ${id} was seen ${looks.join(', ')}; told is ${told.join(', ')}`);
  }
  must(
    told.at(-1) === looks.at(-1),
    'story',
    () => `${kind} ${id} is ${looks.at(-1)}, told is ${told.at(-1)}`,
  );
  for (const { state, by } of claims) {
    const invariant = by.startsWith('webhook') ? 'webhook truth' : 'story';
    must(told.includes(state), invariant, () => `${by} showed ${kind} ${id} ${state}, which it never was`);
  }
}
