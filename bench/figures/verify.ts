/** `verifyWebhook` of the built library over raw bytes, beside the same two digests with nothing but `node:crypto`. */
import { join } from 'node:path';
import { type Child, startChild } from '../support/children.ts';
import { atLeast, type Figure, type Place } from '../support/figure.ts';
import { median, medianRatio } from '../support/statistics.ts';

export async function verifying({ programs, root, quick }: Place): Promise<Figure[]> {
  const child: Child<object, { micros: number }> = startChild(programs, 'verify-loops', {
    library: join(root, 'dist', 'webhooks.cjs'),
  });
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  const sides = ['ours', 'bare'] as const;
  for (let turn = -10; turn < (quick ? 40 : 200); turn++) {
    for (const side of turn % 2 === 0 ? sides : [...sides].reverse()) {
      const { micros } = await child.ask({ side, rounds: 2 });
      if (turn >= 0) took[side].push(micros);
    }
  }
  await child.stop();
  return [
    atLeast(
      'verifyWebhook / bare node:crypto',
      medianRatio(took.bare, took.ours),
      0.85,
      `median ${median(took.ours).toFixed(2)} us against ${median(took.bare).toFixed(2)} us, 1.5 kB`,
    ),
  ];
}
