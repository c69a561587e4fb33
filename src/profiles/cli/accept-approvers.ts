/**
 * Tells whose signatures a profile takes. Each key that was not accepted before is shown with its fingerprint, and a user types it as the approver
 * told it: write access to the file alone adds none. What was accepted is kept in the settings.
 */
import { resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import type { Context } from '../../payments/cli/context.ts';
import { problemOf } from '../../payments/problem-of.ts';
import { type ApproverKey, approversIn, fingerprintOf } from '../approver-key.ts';
import { isNamed, OF_A_KEY, shownDigest } from '../digest.ts';
import { readFileText } from '../profiles.ts';
import type { Profile } from '../schema.ts';
import type { Setting } from './profile-settings.ts';

/**
 * The settings with the keys that they mean. @throws Problem (usage) where a fingerprint is missing, is of no key in the file, or more
 * approvals are needed than there are approvers; (config) for a file that is not one
 */
export async function withApprovers(
  context: Context,
  profile: Profile,
  settings: readonly Setting[],
  fingerprints: readonly string[],
): Promise<Setting[]> {
  const about = settings.filter(({ name }) => name === 'approvers' || name === 'approvals_needed');
  if (about.length === 0) return [...settings];
  const others = settings.filter((setting) => !about.includes(setting));
  const given = about.findLast((setting) => setting.name === 'approvers');
  const number = about.findLast((setting) => setting.name === 'approvals_needed');
  const file = given === undefined ? profile.approvers : pathIn(context, given.value);
  if (file === undefined) {
    if (number?.value !== undefined) throw usage('approvals_needed goes with approvers=FILE');
    return [...others, ...settingsOf(undefined, undefined, undefined)];
  }
  const accepted =
    given === undefined
      ? (profile.accepted_approvers ?? {})
      : await acceptedIn(context, file, profile, fingerprints);
  const needed = (number === undefined ? profile.approvals_needed : number.value) ?? 1;
  const count = Object.keys(accepted).length;
  if (count < needed)
    throw usage(
      `approvals_needed is ${needed}, and there ${count === 1 ? 'is 1 approver' : `are ${count} approvers`}: nobody could pay a run`,
      'add approvers to the file first, or need fewer',
    );
  return [...others, ...settingsOf(file, needed, accepted)];
}

const pathIn = ({ process }: Context, value: unknown): string | undefined =>
  typeof value === 'string' ? resolve(process.cwd, value) : undefined;

const settingsOf = (
  file: string | undefined,
  needed: number | undefined,
  accepted: Readonly<Record<string, string>> | undefined,
): Setting[] => [
  { name: 'approvers', value: file },
  { name: 'approvals_needed', value: needed },
  { name: 'accepted_approvers', value: accepted },
];

async function acceptedIn(
  context: Context,
  file: string,
  profile: Profile,
  fingerprints: readonly string[],
): Promise<Record<string, string>> {
  const inFile = approversIn(readFileText(file), file);
  const known = profile.accepted_approvers ?? {};
  const news = inFile.filter(
    ({ name, key }) => !Object.hasOwn(known, name) || known[name] !== fingerprintOf(key),
  );
  refuseStrayPrints(inFile, fingerprints);
  for (const one of news) await accept(context, one, fingerprints);
  return Object.fromEntries(inFile.map(({ name, key }) => [name, fingerprintOf(key)]));
}

/** @throws Problem (usage) for a fingerprint of no key there: it was copied wrongly, or the file has another key */
function refuseStrayPrints(inFile: readonly ApproverKey[], fingerprints: readonly string[]): void {
  const stray = fingerprints.find(
    (given) => !inFile.some(({ key }) => isNamed(fingerprintOf(key), given, OF_A_KEY)),
  );
  if (stray !== undefined)
    throw usage(`no key in the file of approvers has the fingerprint ${stray}`, 'nothing was changed');
}

async function accept(
  context: Context,
  { name, key }: ApproverKey,
  fingerprints: readonly string[],
): Promise<void> {
  const print = fingerprintOf(key);
  const shown = shownDigest(print);
  context.say(`${name} may approve pay runs, with the key ${shown}`);
  if (fingerprints.some((given) => isNamed(print, given, OF_A_KEY))) return;
  if (!context.interactive)
    throw usage(
      `the key of ${name} was never accepted here: its fingerprint is ${shown}`,
      `ask ${name} for the fingerprint, by another way than the file came; if it is the same: --fingerprint ${shown}`,
    );
  const { askText } = await import('../../frame/terminal/prompt.ts');
  await askText(context, `Type the fingerprint as ${name} told it to you`, {
    required: true,
    validate: (typed) => judge(print, typed),
  });
}

function judge(print: string, typed: string): true | string {
  try {
    return (
      isNamed(print, typed, OF_A_KEY) ||
      'This is another fingerprint. If it is what you were told, the key is not theirs: Ctrl-C'
    );
  } catch (error) {
    return problemOf(error).message;
  }
}
