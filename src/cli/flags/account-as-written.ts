/** An account that looks wrong is meant: every command that sends one has this flag. */
import { flags, type Input } from './flag.ts';

export const accountAsWrittenFlag = flags({
  accountAsWritten: {
    summary:
      'use the account though it looks wrong: a letter among digits, a length or check digits that do not fit',
  },
});

export const readAccountAsWritten = (input: Input<typeof accountAsWrittenFlag>): boolean =>
  input.flags.accountAsWritten;
