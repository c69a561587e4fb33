/** Flags as rows of help: those with one letter first in line with those without. */
import type { Flag } from '../flags/flag.ts';
import { globalFlags } from '../flags/globals.ts';
import type { Row } from './layout.ts';

export function flagRow({ flags, summary, choices, env }: Flag & { env?: string }): Row {
  const said = choices?.every((choice) => summary.includes(choice)) ?? true;
  const extra = [said ? '' : `one of ${choices?.join(', ')}`, env === undefined ? '' : `(${env})`];
  const [text, ...more] = extra.filter((part) => part !== '');
  const tail = text === undefined ? '' : `${text.startsWith('(') ? ' ' : '; '}${[text, ...more].join(' ')}`;
  return [flags.startsWith('--') ? `    ${flags}` : flags, summary + tail];
}

/** Help and version are no flags of any command's own, so they are not in the list. */
export const helpRow: Row = ['-h, --help', 'show this help'];
export const versionRow: Row = ['-V, --version', 'print the version'];

export const globalRows = (): Row[] => globalFlags.map(flagRow);
