/** A declared flag as commander takes it. */
import { Option } from 'commander';
import type { GlobalFlag } from './globals.ts';

export class FlagOption extends Option {
  /** Its variable is not commander's `env`, which reads the environment: it is weighed with the profile (globals.ts). */
  readonly flag: GlobalFlag;

  constructor(flag: GlobalFlag) {
    super(flag.flags, flag.summary);
    this.flag = flag;
    if (flag.choices) this.chooseFrom(flag.choices);
    const check = this.parseArg;
    if (flag.many) this.argParser((value, all?: string[]) => [...(all ?? []), check?.(value, '') ?? value]);
  }

  /** In any case: `--state PAID` is `--state paid`. */
  private chooseFrom(choices: readonly string[]): void {
    this.choices([...choices]);
    const check = this.parseArg;
    const spelt = (value: string): string =>
      choices.find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
    this.argParser((value: string, all: unknown) => check?.(spelt(value), all as never) ?? value);
  }
}
