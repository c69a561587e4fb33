/**
 * Where the values of a flag or of an argument come from. A source is words: `=` before words are those words, `+list` is a list (build-index.ts), `@kind` is
 * what this machine has seen (seen.ts), `file`, `atfile` (behind @) and `program` are the shell's own, `any` is nothing to offer.
 */

import { findOperation, operationIds } from '../../contract/operations/index.ts';
import { pathParameters } from '../../contract/operations/operation.ts';
import { byWord } from '../../core/by-word.ts';
import type { DescribedCommand, DescribedFlag } from '../../frame/help/described.ts';

/** By the command's words and the flag, or by the flag alone. Choices that the flag declares go before these. */
const BY_FLAG: Readonly<Record<string, string>> = byWord({
  '--output': '+formats',
  '--profile': '@profile',
  'login --profile': 'any',
  '--live': '@profile',
  '--sender': '@sender',
  '--mapping': '@mapping',
  '--old-mapping': '@mapping',
  '--tx': '@transaction',
  '--input-currency': '+currencies',
  '--from': '@transaction',
  '--currency': '+currencies',
  '--type': '+payouts',
  'document create --type': 'any',
  '--payin': '+payins',
  'sandbox payin --type': '+payins',
  '--corridor': '+payouts',
  '--event': '+events',
  '--operation': '+operations',
  'recipient list --state': '+recipient-states',
  'recipient triage --state': '+recipient-states',
  'tx list --state': '+transaction-states',
  'tx watch --until': '+transaction-states',
  'reconcile --against': 'file',
  '--show': '+scenarios',
  '--code': '+codes',
  '--detail': '+details',
  'batch approve --as': 'any',
  'api --raw-field': '+queries',
  'api --field': '+queries',
  'api --param': '+queries',
  'api --data': 'atfile',
  'api --input': 'file',
});

/** The choices at a place of a command, counted from 1. With a plus they hold for all places that follow. */
const BY_PLACE: Readonly<Record<string, string>> = byWord({
  'api 1': '+operations +methods',
  'profiles 1': '+profiles',
  'batch map 1': '=save list show delete',
  'history 1': '+history',
  'rates 1': '+currencies',
  'rates 2': '+currencies',
  'explain 1+': '+words',
  'sandbox explain 1': '@transaction,recipient',
  'sandbox mandate 1': '@transaction,recipient',
  'sandbox mandate 2': '+mandates',
  'sandbox review 2': '+reviews',
  'sandbox clock 1': '+clock',
  'sandbox scenario 1': '+scenarios file',
  'sandbox exec 1': 'program',
  'sandbox exec 2+': 'file',
  'completion 1': '+completion',
});

/** The choices at a place where the argument before it decides. */
const AFTER_WORD: Readonly<Record<string, string>> = byWord({
  'profiles use 2': '@profile',
  'profiles set 2': '@profile',
  'batch map save 2': '@mapping',
  'batch map show 2': '@mapping',
  'batch map delete 2': '@mapping',
  'history show 2': '@intent',
  'history settle 2': '@unsettled',
  'profiles set 3+': '+settings',
  'completion install 2': '+shells',
});

const BY_NAME: Readonly<Record<string, string>> = byWord({
  SENDER: '@sender',
  RUN: '@run',
  TX: '@transaction',
  FILE: 'file',
  LEDGER: 'file',
  CURRENCY: '+currencies',
  TYPE: '+payouts',
  FAULT: '+faults',
});

/** The kinds of id that the local index knows. */
const BY_GROUP: Readonly<Record<string, string>> = byWord({
  tx: '@transaction',
  recipient: '@recipient',
  sender: '@sender',
  'payin-method': '@transaction',
  mandate: '@recipient',
  sandbox: '@transaction',
});

export function sourceOfFlag(words: string, { long, value, choices }: DescribedFlag): string | undefined {
  if (value === null) return undefined;
  if (choices.length > 0) return `=${choices.join(' ')}`;
  const told = BY_FLAG[`${words} ${long}`] ?? BY_FLAG[long];
  return told ?? (/^(?:path|file)$/.test(value) ? 'file' : 'any');
}

/** Keys are `words place`, with a plus where it holds for all that follow. */
export function sourcesOfArguments({ words, args }: DescribedCommand): [key: string, source: string][] {
  return args.map(({ name, many }, index) => {
    const key = `${words} ${index + 1}${many ? '+' : ''}`;
    return [key, BY_PLACE[key] ?? sourceOfName(words, name)];
  });
}

function sourceOfName(words: string, name: string): string {
  if (name === 'ID' || name === 'EXTERNAL_ID') return BY_GROUP[words.split(' ')[0] ?? ''] ?? 'any';
  return BY_NAME[name] ?? 'any';
}

/** Places that depend on the word before: `profiles use NAME`, and the path parameters of `remit api OPERATION`. */
export function sourcesOfPlaces(): [key: string, source: string][] {
  const parameters = operationIds.flatMap((id) =>
    pathParameters(findOperation(id)?.path ?? '').flatMap((parameter, index): [string, string][] => {
      const kind = KIND_OF_PARAMETER[parameter];
      return kind === undefined ? [] : [[`api ${id} ${index + 2}`, kind]];
    }),
  );
  return [...Object.entries(AFTER_WORD), ...parameters];
}

/** A path takes the service's own id, and no other. */
const KIND_OF_PARAMETER: Readonly<Record<string, string>> = byWord({
  transaction_id: '@transaction-id',
  recipient_id: '@recipient-id',
  sender_id: '@sender-id',
});
