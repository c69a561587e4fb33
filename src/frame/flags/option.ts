/** A declared flag as commander takes it. */
import { Option } from 'commander';
import { longName } from './flag.ts';
import type { GlobalFlag } from './globals.ts';

export class FlagOption extends Option {
  readonly key: string;
  /** Its variable is not commander's `env`, which reads the environment: it is weighed with the profile (globals.ts). */
  readonly flag: GlobalFlag;

  constructor(key: string, flag: GlobalFlag) {
    super(spelling(key, flag), flag.summary);
    this.key = key;
    this.flag = flag;
    if (flag.choices) this.chooseFrom(flag.choices);
    const check = this.parseArg;
    if (flag.many) this.argParser((value, all?: string[]) => [...(all ?? []), check?.(value, '') ?? value]);
  }

  /** The value for the command. commander keeps `--no-x` as false of `x`. */
  given(value: unknown): unknown {
    if (this.flag.many) return Array.isArray(value) ? value.map(String) : [];
    if (this.flag.value === undefined) return value === !this.negate;
    return typeof value === 'string' || (value === true && this.flag.isOptional) ? value : undefined;
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

/** `-f, --file <path>` */
export function spelling(key: string, { short, value, isOptional }: GlobalFlag): string {
  const shape = value === undefined ? '' : isOptional ? ` [${value}]` : ` <${value}>`;
  return `${short === undefined ? '' : `${short}, `}${longName(key)}${shape}`;
}
