/** A sandbox with so many transactions, and the longest time for which one of its controls stops the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { openData } from './support/data-file.ts';
import { pause, spent } from './support/processor.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials, headersInClear } from './support/signed.ts';

interface Argument {
  transactions: number;
  kept: boolean;
}

type Controlled = 'sandbox.state' | 'sandbox.snapshot' | 'sandbox.restore';

const AT_ONCE = 40;
const NANOS_IN_MS = 1_000_000;

serveParent<Argument, { control: Controlled }>(async ({ transactions, kept }) => {
  const data = kept ? await openData() : undefined;
  const sandbox = await createSandbox({ credentials, data, balances: { EUR: '900000000000' } });
  const pay = async (number: number) => {
    const { body } = prepare('127.0.0.1:1', 'fill', number);
    const answer = await sandbox.handle({ method: 'POST', url: PATH, headers: headersInClear, body });
    if (answer.status !== 201) throw new Error(`transaction ${number} was refused: ${answer.body}`);
  };
  for (let i = 0; i < transactions; i += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => pay(i + k)));
  await sandbox.drain();
  const bytes = await sandbox.control
    .ask('sandbox.snapshot')
    .then((answer) => ('bytes' in answer ? answer.bytes : new Uint8Array()));
  return async ({ control }) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    await pause(50);
    delay.enable();
    const { micros } = await spent(async () => {
      const answer = await sandbox.control.ask(control, control === 'sandbox.restore' ? { bytes } : {});
      if (answer.kind !== 'done' && answer.kind !== 'bytes') throw new Error(`${control}: ${answer.kind}`);
    });
    await pause(20);
    delay.disable();
    return { micros, ms: delay.max / NANOS_IN_MS };
  };
});
