import { usage } from '../../core/problem.ts';
import { looksMasked } from '../../desk/words/mask.ts';

/** `--detail bank_code=044 --detail bank_account=…` as an object of texts. @throws Failure (usage) */
export function readPairs(pairs: readonly string[], flag: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at < 1 || name === '') throw usage(`${flag} takes NAME=VALUE, not "${pair}"`);
    if (Object.hasOwn(found, name)) throw usage(`${flag} ${name} is given twice`);
    found[name] = refuseMasked(name, pair.slice(at + 1));
  }
  return found;
}

/** A masked value that was copied from a screen must never be sent back. */
export function refuseMasked(name: string, value: string): string {
  if (looksMasked(value)) throw usage(`${name} is a masked value (${value}): give it in full`);
  return value;
}
