/** Lists from their first page to their last, against what is known. */
import { must } from './broken.ts';
import type { Eyes } from './eyes.ts';
import type { Json } from './look.ts';
import type { Model } from './model.ts';

/** Every transaction once, newest first; each is given to be observed. */
export async function sweepTransactions(
  eyes: Eyes,
  model: Model,
  observe: (view: Json) => Promise<void>,
): Promise<void> {
  const ids: string[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (let page: number | null = 1; page !== null; ) {
    const { object, meta } = await eyes.page('/transactions', page);
    for (const view of object) {
      must(Date.parse(view.created_at) <= last, 'lists', () => `${view.id} is older than the one after it`);
      last = Date.parse(view.created_at);
      ids.push(view.id);
      await observe(view);
    }
    page = meta.pagination.next_page;
  }
  const different = new Set(ids).size;
  const whole = different === ids.length && ids.length === model.size;
  must(whole, 'lists', () => `${ids.length} listed, ${different} of them different, of ${model.size}`);
}

export async function sweepRecipients(eyes: Eyes, model: Model): Promise<void> {
  for (const [name, count] of model.counts) {
    const [kind, state] = name.split(':');
    if (kind !== 'recipients') continue;
    const { meta } = await eyes.page(`/recipients?state%5B%5D=${state}`, 1, 1);
    const listed = meta.pagination.total_count;
    must(listed === count, 'lists', () => `${listed} recipients are listed as ${state}, ${count} are`);
  }
}

export async function sweepLogs(eyes: Eyes): Promise<void> {
  const { object } = await eyes.page('/api_logs', 1);
  for (const [index, { created_at }] of object.entries()) {
    const next = object[index - 1]?.created_at ?? created_at;
    must(Date.parse(created_at) <= Date.parse(next), 'time', () => `a log of ${created_at} before ${next}`);
  }
}
