import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { refuseMasked } from '../../words/mask.ts';

/** `--detail bank_code=044 --detail bank_account=…` as an object of texts. @throws Problem (usage) */
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

/** An account that looks wrong is meant: every command that sends one has this flag. */
export const accountAsWrittenFlag = flags({
  accountAsWritten: {
    summary:
      'use the account though it looks wrong: a letter among digits, a length or check digits that do not fit',
  },
});

export const readAccountAsWritten = (input: Input<typeof accountAsWrittenFlag>): boolean =>
  input.flags.accountAsWritten;
