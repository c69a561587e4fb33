/** The alert rules of packaging/prometheus, and the series that each of them asks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './source-tree.ts';

export const RULES = join(ROOT, 'packaging/prometheus');
export const RULE_FILE = join(RULES, 'remit.rules.yml');

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; command: string };
}

const { groups } = parse(readFileSync(RULE_FILE, 'utf8')) as { groups: { rules: Rule[] }[] };
export const rules: readonly Rule[] = groups.flatMap((group) => group.rules);

/** A series that a rule asks for: each value of `a="x|y"` by itself, each of which must be told by somebody. */
export interface Asked {
  name: string;
  labels: Readonly<Record<string, string>>;
}

/** Labels that Prometheus gives by itself. */
const ITS_OWN = ['job', 'instance'];

/** @returns all that the expressions name, but for `up`, which is Prometheus' own */
export function askedBy(expressions: readonly string[]): Asked[] {
  return expressions.flatMap((text) =>
    [...text.matchAll(/\b((?:remit|process)_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name = '', matchers = '']) =>
      each(matchers).map((labels) => ({ name, labels })),
    ),
  );
}

function each(matchers: string): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [, label = '', values = ''] of matchers.matchAll(/(\w+)=~?"([^"]*)"/g))
    all = values.split('|').flatMap((value) => all.map((labels) => ({ ...labels, [label]: value })));
  return all;
}

/** Labels by which the expressions group or match, beside those of Prometheus. */
export const groupedBy = (expressions: readonly string[]): string[] =>
  expressions
    .flatMap((text) => [...text.matchAll(/\b(?:by|without|on|ignoring) ?\(([^)]*)\)/g)])
    .flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()))
    .filter((label) => label !== '' && !ITS_OWN.includes(label));

/** As a selector: `remit_run_rows{state="unknown"}`. */
export const selectorOf = ({ name, labels }: Asked): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;

/** True where a line of the figures is such a series. */
export const tells = (series: Iterable<string>, { name, labels }: Asked): boolean =>
  [...series].some((line) => {
    const [, told = '', rest = ''] = /^(\w+)(\{.*\})?$/.exec(line) ?? [];
    return (
      told === name && Object.entries(labels).every(([label, value]) => rest.includes(`${label}="${value}"`))
    );
  });
