import { parseDuration } from '../../../core/clock.ts';
import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { control } from '../control.ts';
import { clockView } from '../views/sandbox.ts';

type Move =
  | { action: 'show' | 'run' | 'stop' }
  | { action: 'advance'; advanceMs: number }
  | { action: 'set'; now: string };

export const command = defineCommand({
  description: `clock [show]           shows the time
clock advance 25h      moves it forward; all that falls due on the way happens,
                       each at its own instant
clock set 2026-03-01   moves it forward to an instant (UTC)
clock run              lets time run at the machine's pace
clock stop             lets it stand still`,
  args: [
    { name: 'ACTION', summary: 'show, advance, set, run or stop', optional: true },
    { name: 'TIME', summary: 'a duration such as 90s, 61m, 24h, 2d; for set a time', optional: true },
  ],
  shows: [clockView],
  effect: 'write',
  examples: ['remit sandbox clock', 'remit sandbox clock advance 61m', 'remit sandbox clock stop'],
  read(input): Move {
    const [action = 'show', time] = input.args;
    if (action === 'advance') return { action, advanceMs: readDuration(time ?? '') };
    if (action === 'set') return { action, now: readTime(time ?? '') };
    if (action !== 'show' && action !== 'run' && action !== 'stop')
      throw usage(`the clock has no action "${action}"`, 'show, advance, set, run or stop');
    if (time !== undefined) throw usage(`${action} takes no time`, `remit sandbox clock ${action}`);
    return { action };
  },
  async run(context, move) {
    if (move.action === 'advance')
      return result(
        clockView,
        await control(context, 'sandbox.clock.advance', { body: { advance_ms: move.advanceMs } }),
      );
    if (move.action === 'set')
      return result(clockView, await control(context, 'sandbox.clock.set', { body: { now: move.now } }));
    return result(clockView, await control(context, `sandbox.clock.${move.action}`));
  },
});

function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === null)
    throw usage(`"${text}" is not a duration`, 'such as 90s, 61m, 24h, 2d; time does not run backwards');
  return Math.round(ms);
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Without a zone it is UTC, whatever the machine's zone. */
function readTime(text: string): string {
  const zoned = /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  if (!TIME.test(text) || Number.isNaN(Date.parse(zoned)))
    throw usage(`"${text}" is not a time`, 'such as 2026-03-01 or 2026-03-01T09:30:00Z');
  return zoned;
}
