/**
 * Arguments and flags of a command, and what the user gave of them. A flag is declared once: its key is its name (`maxInput` is
 * `--max-input`), and its shape is the type of what is read of it.
 */

export interface Argument {
  name: string;
  summary: string;
  optional?: boolean;
  many?: boolean;
}

/** A switch where it has no `value`. */
export interface Flag {
  summary: string;
  /** `-f` */
  short?: `-${string}`;
  /** The word for its value in help: `path`. Only free text, `text`, may be empty. */
  value?: string;
  /** The value may be left out: `--watch` and `--watch 30s`. */
  isOptional?: true;
  choices?: readonly string[];
  /** May be given several times, collected in order. */
  many?: true;
}

/** For code that reads one flag, whatever its words in help. */
export type TextFlag = Flag & { value: string };
export type ManyFlag = Flag & { many: true };
export type SwitchFlag = Flag;

export type Flags = Readonly<Record<string, Flag>>;

type Given<F extends Flag> = F extends { many: true }
  ? string[]
  : F extends { isOptional: true }
    ? string | true | undefined
    : F extends { value: string }
      ? string | undefined
      : boolean;

export type GivenFlags<F extends Flags> = { readonly [Name in keyof F]: Given<F[Name]> };

/** @example `Input<typeof waitFlags>` has `flags.wait: boolean` and `flags.timeout: string | undefined` */
export interface Input<F extends Flags = Record<never, never>> {
  args: string[];
  flags: GivenFlags<F>;
}

/** Keeps the type of each flag. */
export const flags = <const F extends Flags>(declared: F): F => declared;

/** `maxInput` is `--max-input`. */
export const longName = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
