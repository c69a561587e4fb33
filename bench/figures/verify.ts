/** `verifyWebhook` of the built library over raw bytes, beside the same two digests with nothing but `node:crypto`. */
import { join } from 'node:path';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

/** Of a thousand deliveries each: thirty are the warm-up. */
const WARM_UP = 30;
const EACH = 20;

export async function verifying({ programs, root, quick }: Place): Promise<Figure[]> {
  const library = join(root, 'dist', 'webhooks.cjs');
  const child = startChild<object, Sample>(programs, 'verify-loops', { library }, 'measured');
  const turn = (side: 'ours' | 'bare') => () => child.ask({ side, rounds: EACH });
  for (const side of ['ours', 'bare']) await child.ask({ side, rounds: WARM_UP });
  const turns = await takeTurns({ ours: turn('ours'), bare: turn('bare') }, quick ? 8 : 20);
  await child.stop();
  const facts = `${sidesOf(turns, 'ours', 'bare')}, 1.5 kB`;
  return [
    judged('bare node:crypto / verifyWebhook', turns, [turns.ratio('bare', 'ours')], { least: 0.85 }, facts),
  ];
}
