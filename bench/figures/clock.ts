/** Moving the clock over ten times as many due tasks takes ten times as long, and not much more. */
import { type Child, startChild } from '../support/children.ts';
import { atMost, type Figure, type Place } from '../support/figure.ts';
import { median } from '../support/statistics.ts';

const FEW = 10_000;
const MANY = 100_000;

export async function clockMoves({ programs, quick }: Place): Promise<Figure[]> {
  const scale = quick ? 10 : 1;
  const child: Child<object, { ms: number }> = startChild(programs, 'clock-server');
  const times = async (tasks: number, rounds: number): Promise<number[]> => {
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) all.push((await child.ask({ tasks })).ms);
    return all;
  };
  await times(FEW / scale, 1);
  const few = median(await times(FEW / scale, 5));
  const many = median(await times(MANY / scale, 3));
  await child.stop();
  return [
    atMost(
      `the clock over ${MANY / scale} tasks / ${FEW / scale}`,
      many / few,
      12,
      `median ${many.toFixed(0)} ms against ${few.toFixed(0)} ms`,
    ),
  ];
}
