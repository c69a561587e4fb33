/** What a command may be given, and how what was given is read. */

export interface Argument {
  name: string;
  summary: string;
  optional?: boolean;
  many?: boolean;
}

export interface Flag {
  /** As commander writes it: `-f, --file <path>`, `--fund`, `--no-browser`. */
  flags: string;
  summary: string;
  choices?: readonly string[];
  /** May be given several times, collected in order. */
  many?: boolean;
}

export interface Input {
  args: string[];
  flags: Record<string, unknown>;
}

export const flagText = (input: Input, name: string): string | undefined => {
  const value = input.flags[name];
  return typeof value === 'string' ? value : undefined;
};
export const flagOn = (input: Input, name: string): boolean => input.flags[name] === true;
export const flagMany = (input: Input, name: string): string[] => {
  const value = input.flags[name];
  return Array.isArray(value) ? value.map(String) : [];
};
