/** Sentences without anything that is a secret, an account or a person. It is the second net: what may be of that kind is left out before (`report.ts`). */
import type { Env } from '../../core/env.ts';
import { MASK } from '../../desk/words/mask.ts';

const HIDDEN = MASK.repeat(3);

/** Whatever looks like an address, a number of somebody, or a key; ids of the service are taken along. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S*/gi, HIDDEN],
  [/(?<!\S)\S*@\S*/g, HIDDEN],
  [/[A-Za-z0-9_+=-]{20,}/g, HIDDEN],
  [/\+?\d[\d ().-]{4,}\d/g, HIDDEN],
];

/** Shorter values are words such as `1` or `csv`: they would be taken out of the middle of others. */
const SHORTEST = 4;

/** The values that no report may have: of remit's variables, and of those that name this user and this machine. */
const ENVIRONMENT = /^(?:REMIT_.*|.*PROXY|HOME|USERPROFILE|USER|LOGNAME|USERNAME|HOSTNAME|XDG_.*|PG.*)$/i;

export type Scrub = (text: string) => string;

/** @param known whole texts that must not stand in it: keys, secrets, names of profiles */
export function scrubber(env: Env, known: readonly string[]): Scrub {
  const values = Object.entries(env).flatMap(([name, value]) =>
    ENVIRONMENT.test(name) && value ? [value] : [],
  );
  const hidden = [...new Set([...values, ...known])]
    .filter((value) => value.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const without = hidden.reduce((left, value) => left.replaceAll(value, HIDDEN), text);
    return KINDS.reduce((left, [kind, instead]) => left.replace(kind, instead), without);
  };
}

/** The host alone: a path can be a password too, and so can a user. */
export function hostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return HIDDEN;
  }
}
