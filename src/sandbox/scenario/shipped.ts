/** Scenarios that come along, one for each failure that a partner must handle. They are run by the tests of this project. */
import { byWord } from '../../core/by-word.ts';
import shipped from './shipped.json' with { type: 'json' };

export interface ShippedScenario {
  title: string;
  text: string;
}

/** Its first step is on the second line, as `--show` prints it: the title stands above it. */
export const shippedScenarios: Readonly<Record<string, ShippedScenario>> = byWord(
  Object.fromEntries(
    Object.entries(shipped).map(([name, { title, steps }]) => [
      name,
      { title, text: `\n${steps.join('\n')}\n` },
    ]),
  ),
);
