import type { CategoryInfo } from '../../contract/categories.ts';

/** `the service: wait for webhooks`, by the category of a reason. */
export const whoActs = ({ actor, next }: Pick<CategoryInfo, 'actor' | 'next'>): string =>
  actor === 'nobody' ? 'nobody' : `${actor === 'service' ? 'the service' : actor}: ${next}`;
