/** Metadata by flag: one member, or an object as JSON; several flags are laid together. */
import { usage } from '../../core/problem.ts';
import { type Flag, flagMany, type Input } from './flag.ts';
import { readPairs } from './pairs.ts';

type FlagName = 'metadata' | 'recipient-metadata' | 'payout-metadata';

export const metadataFlag = (name: FlagName = 'metadata', thing = 'it'): Flag => ({
  flags: `--${name} <name=value>`,
  summary: `a note of your own to keep with ${thing}, such as invoice=2024-17, or a JSON object; repeat it`,
  many: true,
});

/** Undefined where none was given. @throws Problem (usage) */
export function readMetadata(input: Input, name: FlagName = 'metadata'): Record<string, unknown> | undefined {
  const given = flagMany(
    input,
    name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  if (given.length === 0) return undefined;
  const isJson = (text: string): boolean => !/^[^"{[=]+=/.test(text);
  const objects = given.filter(isJson).map((text) => parsed(text, name));
  return Object.assign(
    {},
    ...objects,
    readPairs(
      given.filter((text) => !isJson(text)),
      `--${name}`,
    ),
  );
}

function parsed(text: string, name: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw usage(
    `--${name} takes NAME=VALUE or a JSON object`,
    `such as --${name} invoice=2024-17, or --${name} '{"invoice":"2024-17"}'`,
  );
}
