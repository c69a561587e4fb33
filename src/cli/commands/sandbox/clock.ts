import { parseDuration } from '../../../core/clock.ts';
import { command, result } from '../../command.ts';
import { usage } from '../../failure.ts';
import { control } from '../../sandbox-control.ts';
import { text, type View } from '../../view.ts';

export { clock as command };

const view: View<Record<string, unknown>> = {
  kind: 'clock',
  columns: [
    { name: 'now', get: (row) => text(row.now) },
    { name: 'mode', get: (row) => text(row.mode) },
  ],
};

const clock = command<{ advanceMs: number | undefined }>({
  description: `remit sandbox clock                 shows the time
remit sandbox clock advance 61m     moves it forward, and runs all that becomes due on the way`,
  args: [
    { name: 'ACTION', summary: 'advance', optional: true },
    { name: 'DURATION', summary: 'such as 90s, 61m, 24h, 2d', optional: true },
  ],
  examples: ['remit sandbox clock', 'remit sandbox clock advance 61m'],
  read(input) {
    const [action, duration = ''] = input.args;
    if (action === undefined || action === 'show') return { advanceMs: undefined };
    if (action !== 'advance')
      throw usage(`the clock has no action "${action}"`, 'remit sandbox clock advance 61m');
    const advanceMs = parseDuration(duration);
    if (advanceMs === null)
      throw usage(
        `"${duration}" is not a duration`,
        'such as 90s, 61m, 24h, 2d; time does not run backwards',
      );
    return { advanceMs: Math.round(advanceMs) };
  },
  async run(context, { advanceMs }) {
    if (advanceMs === undefined) return result(view, await control(context, 'GET', '/clock'));
    return result(view, await control(context, 'POST', '/clock', { advance_ms: advanceMs }));
  },
});
