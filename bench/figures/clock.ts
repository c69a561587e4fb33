/** Moving the clock over ten times as many due tasks takes ten times as long, and not much more. */
import { type Child, startChild } from '../support/children.ts';
import { atMost, type Figure, type Place } from '../support/figure.ts';
import { median } from '../support/statistics.ts';

const FEW = 10_000;
const MANY = 100_000;

export async function clockMoves({ programs, quick }: Place): Promise<Figure[]> {
  const scale = quick ? 10 : 1;
  const child: Child<object, { ms: number }> = startChild(programs, 'clock-server');
  const few: number[] = [];
  const many: number[] = [];
  /* In turns: what a long run leaves behind in the process slows the short one after it too. */
  for (let round = -1; round < 4; round++) {
    const shorter = (await child.ask({ tasks: FEW / scale })).ms;
    const longer = (await child.ask({ tasks: MANY / scale })).ms;
    if (round < 0) continue;
    few.push(shorter);
    many.push(longer);
  }
  await child.stop();
  return [
    atMost(
      `the clock over ${MANY / scale} tasks / ${FEW / scale}`,
      median(many) / median(few),
      12,
      `median ${median(many).toFixed(0)} ms against ${median(few).toFixed(0)} ms`,
    ),
  ];
}
