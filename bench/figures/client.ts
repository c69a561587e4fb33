/** The client in a loop against a bare server, beside a bare undici Pool that sends the same signed bytes. */
import { type Child, startChild } from '../support/children.ts';
import { atLeast, type Figure, forComparison, type Place } from '../support/figure.ts';
import type { LoopAnswer, LoopQuestion } from '../support/loop.ts';
import { median, medianRatio } from '../support/statistics.ts';

type Runner = Child<LoopQuestion, LoopAnswer>;

const CONCURRENCY = 32;

export async function clientLoop({ programs, quick }: Place): Promise<Figure[]> {
  const server = startChild<object, { url: string; bytes: number }>(programs, 'accounts-server');
  const { url, bytes } = await server.ask({});
  const bare = (signsEach: boolean, reads: boolean): Runner =>
    startChild(programs, 'client-bare', { url, signsEach, reads });
  const runners = {
    ours: startChild(programs, 'client-ours', { url }) as Runner,
    signing: bare(true, false),
    reading: bare(true, true),
    signedOnce: bare(false, false),
  };
  const answers = await alternate(runners, quick ? 5 : 15, quick ? 2_000 : 3_000);
  await Promise.all([...Object.values(runners), server].map((child) => child.stop()));
  return figuresOf(answers, bytes);
}

async function alternate<Name extends string>(
  runners: Record<Name, Runner>,
  rounds: number,
  count: number,
): Promise<Record<Name, LoopAnswer[]>> {
  const names = Object.keys(runners) as Name[];
  const answers = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    LoopAnswer[]
  >;
  for (const name of names) await runners[name].ask({ count, concurrency: CONCURRENCY });
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order)
      answers[name].push(await runners[name].ask({ count, concurrency: CONCURRENCY }));
  }
  return answers;
}

function figuresOf(
  answers: Record<'ours' | 'signing' | 'reading' | 'signedOnce', LoopAnswer[]>,
  bytes: number,
): Figure[] {
  const rates = (name: keyof typeof answers) => answers[name].map(({ rate }) => rate);
  const cpu = (name: keyof typeof answers) => median(answers[name].map(({ cpuMicros }) => cpuMicros));
  const facts = (name: keyof typeof answers) =>
    `${Math.round(median(rates('ours')))}/s (${Math.round(cpu('ours'))} us of processor each) against ` +
    `${Math.round(median(rates(name)))}/s (${Math.round(cpu(name))} us)`;
  const ratio = (name: keyof typeof answers) => medianRatio(rates('ours'), rates(name));
  return [
    atLeast(
      'client loop / undici Pool that signs',
      ratio('signing'),
      0.8,
      `${facts('signing')}, ${bytes} bytes`,
    ),
    forComparison('client loop / Pool that signs and parses', ratio('reading').toFixed(3), facts('reading')),
    forComparison('client loop / Pool, signed once', ratio('signedOnce').toFixed(3), facts('signedOnce')),
  ];
}
