/** A sandbox that listens, with so many recipients that all need somebody. */
import { listen } from '../src/sandbox/http/listen.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { openData } from './support/data-file.ts';
import { fill } from './support/fill.ts';
import { credentials } from './support/signed.ts';

const STATES = ['error', 'manual', 'stuck', 'exception'] as const;

serveParent<{ recipients: number }, object>(async ({ recipients }) => {
  const data = await openData();
  await fill(data, recipients, (index) => STATES[index % STATES.length] ?? 'error');
  const sandbox = await createSandbox({ credentials, data });
  const { url } = await listen(sandbox, { port: 0 });
  return async () => ({ url });
});
