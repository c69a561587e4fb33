import { useState } from 'preact/hooks';
import { lines } from '../call.ts';
import { pageFailure } from '../loaded.ts';
import { Small } from '../parts.tsx';

/** Copies the payments to this machine, so that a search needs no call and goes back to the first one. */
export function Sync({ hasBooks, onDone }: { hasBooks: boolean; onDone: () => unknown }) {
  const [words, say] = useState('');
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      for await (const { isDone, words } of lines('sync', {})) {
        say(words);
        if (isDone) await onDone();
      }
    } catch (error) {
      say(pageFailure(error).message);
    }
    setRunning(false);
  };
  return (
    <p>
      <Small disabled={isRunning} onClick={run}>
        {hasBooks ? 'Read what is newer' : 'Copy all payments to this machine'}
      </Small>{' '}
      <span role="status">{words}</span>
    </p>
  );
}
