/** Figures of the process itself. */
import { readdirSync } from 'node:fs';
import type { World } from '../world.ts';
import { gauge, type Meter, type Readings } from './meter.ts';

const TICK_MS = 100;

/** Measures how late timers fire. @returns ends it */
export function watchEventLoop(meter: Meter): () => void {
  let due = performance.now() + TICK_MS;
  const handle = setInterval(() => {
    const now = performance.now();
    meter.observe('remit_event_loop_delay_seconds', Math.max(0, now - due) / 1000);
    due = now + TICK_MS;
  }, TICK_MS);
  handle.unref();
  return () => clearInterval(handle);
}

/** All of it in one turn: whoever waits for another one, waits behind all deliveries that came meanwhile. */
export function processReadings({ version }: World, beganAtMs: number): Readings {
  const { user, system } = process.cpuUsage();
  return {
    remit_build_info: [[[version], 1]],
    process_cpu_seconds_total: gauge((user + system) / 1e6),
    process_resident_memory_bytes: gauge(process.memoryUsage.rss()),
    process_start_time_seconds: gauge(beganAtMs / 1000),
    process_open_fds: gauge(openFiles()),
  };
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
