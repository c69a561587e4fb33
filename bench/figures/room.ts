/** How many payments a sandbox in memory takes, and that it says so when it takes no more, where Node has little memory too. */
import { startChild } from '../support/children.ts';
import type { Figure, Place } from '../support/figure.ts';

const ASKED = 1_000_000;
const LITTLE_MB = 400;

interface Ending {
  made: number;
  status: number;
}

export async function room({ programs, quick }: Place): Promise<Figure[]> {
  const little = await ending(programs, [`--max-old-space-size=${LITTLE_MB}`]);
  const figures = [
    {
      name: `how a sandbox with ${LITTLE_MB} MB ends`,
      value: String(little.status),
      asked: '507',
      ok: little.status === 507,
      facts: `after ${little.made} payments; it goes on with everything else`,
    },
  ];
  if (quick) return figures;
  const usual = await ending(programs, []);
  const name = 'payments that a sandbox in memory takes';
  const facts = `the next is answered ${usual.status}; at most ${ASKED} are tried`;
  return [
    ...figures,
    { name, value: String(usual.made), asked: `>= ${ASKED}`, ok: usual.made >= ASKED, facts },
  ];
}

async function ending(programs: string, flags: readonly string[]): Promise<Ending> {
  const child = startChild<object, Ending>(programs, 'room-server', {}, 'measured', flags);
  const found = await child.ask({ most: ASKED });
  await child.stop();
  return found;
}
