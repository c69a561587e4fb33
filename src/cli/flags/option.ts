/** A declared flag as commander takes it. */
import { Option } from 'commander';
import type { GlobalFlag } from './globals.ts';

export class FlagOption extends Option {
  /** Its variable is not commander's `env`, which reads the environment: it is weighed with the profile (globals.ts). */
  readonly flag: GlobalFlag;

  constructor(flag: GlobalFlag) {
    super(flag.flags, flag.summary);
    this.flag = flag;
    if (flag.choices) this.choices([...flag.choices]);
    const check = this.parseArg;
    if (flag.many) this.argParser((value, all?: string[]) => [...(all ?? []), check?.(value, '') ?? value]);
  }
}
