import type { CategoryInfo } from '../../contract/categories.ts';

/** `the service: wait for webhooks`, by the category of a reason. */
export const whoActs = ({ actor, next }: Pick<CategoryInfo, 'actor' | 'next'>): string =>
  actor === 'nobody' ? 'nobody' : `${actor === 'service' ? 'the service' : actor}: ${next}`;

const WAYS = {
  fund: 'fund it',
  edit: 'edit it',
  cancel: 'cancel it',
  request_cancel: 'request a cancel from the provider (--request)',
  retry: 'try it again',
} as const;
type Way = keyof typeof WAYS;

const isWay = (word: string): word is Way => Object.hasOwn(WAYS, word);

/** `edit it, or cancel it`, of what can be done oneself. */
export const waysOf = (can: readonly string[]): string =>
  can
    .filter(isWay)
    .map((word) => WAYS[word])
    .join(', or ');

/** `ask the operator; or you: edit it, or cancel it`. */
export function askOperator(can: readonly string[]): string {
  const ways = waysOf(can);
  return `ask the operator${ways === '' ? '' : `; or you: ${ways}`}`;
}
