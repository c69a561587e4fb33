import { useSignal } from '@preact/signals';
import { call } from '../call.ts';
import { problemOf } from '../loaded.ts';
import { Small } from '../parts.tsx';

/** Copies the payments to this machine, so that a search needs no call and goes back to the first one. */
export function Sync({ hasBooks, onDone }: { hasBooks: boolean; onDone: () => Promise<void> }) {
  const words = useSignal<string | null>(null);
  const isRunning = useSignal(false);
  const run = async (): Promise<void> => {
    isRunning.value = true;
    try {
      for (;;) {
        const { isDone, words: now } = await call('sync', {});
        words.value = now;
        if (isDone) break;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await onDone();
    } catch (error) {
      words.value = problemOf(error).message;
    }
    isRunning.value = false;
  };
  return (
    <p>
      <Small disabled={isRunning.value} onClick={run}>
        {hasBooks ? 'Read what is newer' : 'Copy all payments to this machine'}
      </Small>{' '}
      <span role="status">{words.value}</span>
    </p>
  );
}
