/** Metadata by flag: one member, or an object as JSON; several flags are laid together. */
import { readExactly } from '../../../core/exact-numbers.ts';
import { usage } from '../../../core/problem.ts';
import type { Flag } from '../../../frame/flags/flag.ts';
import { readPairs } from './details.ts';

type FlagName = 'metadata' | 'recipient-metadata' | 'payout-metadata';

export const metadataFlag = (thing = 'it') =>
  ({
    value: 'name=value',
    summary: `a note of your own to keep with ${thing}, such as invoice=2024-17, or a JSON object; repeat it`,
    many: true,
  }) as const satisfies Flag;

/** Undefined where none was given. @throws Problem (usage) */
export function readMetadata(
  given: readonly string[],
  name: FlagName = 'metadata',
): Record<string, unknown> | undefined {
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
    const value = readExactly(text, { isMetadata: true });
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw usage(
    `--${name} takes NAME=VALUE or a JSON object`,
    `such as --${name} invoice=2024-17, or --${name} '{"invoice":"2024-17"}'`,
  );
}
