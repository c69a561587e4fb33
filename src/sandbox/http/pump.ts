/** Runs due work by itself: right after an answer went out, and on a running clock when the next task's time comes. */
import type { Sandbox } from '../sandbox.ts';

export interface Pump {
  wake(): void;
  stop(): void;
}

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createPump(sandbox: Sandbox): Pump {
  let waking: NodeJS.Immediate | undefined;
  let alarm: NodeJS.Timeout | undefined;
  let stopped = false;
  const setAlarm = () => {
    clearTimeout(alarm);
    const due = sandbox.nextDue();
    if (stopped || due === undefined || sandbox.clock.mode === 'standing') return;
    alarm = setTimeout(wake, Math.min(Math.max(0, due - sandbox.clock.now()), MAX_TIMER_MS));
    alarm.unref();
  };
  const run = () => {
    waking = undefined;
    sandbox.runDue();
    setAlarm();
  };
  const wake = () => {
    if (stopped) return;
    waking ??= setImmediate(run);
  };
  sandbox.onDue(wake);
  return {
    wake,
    stop() {
      stopped = true;
      clearImmediate(waking);
      clearTimeout(alarm);
    },
  };
}
