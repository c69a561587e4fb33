/** A sandbox over a data file with so many recipients, one in a hundred in error. */
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { openData } from './support/data-file.ts';
import { fill } from './support/fill.ts';
import { credentials } from './support/signed.ts';
import { median } from './support/statistics.ts';

const IN_ERROR = 100;

serveParent<{ recipients: number }, { path: string; count: number }>(async ({ recipients }) => {
  const data = await openData();
  await fill(data, recipients, (index) => (index % IN_ERROR === 0 ? 'error' : 'success'));
  const sandbox = await createSandbox({ credentials, data });
  const headers = {
    host: '127.0.0.1:1',
    'authorization-key': credentials.key,
    'authorization-secret': credentials.secret,
  };
  return async ({ path, count }) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const before = performance.now();
      const answer = await sandbox.handle({ method: 'GET', url: `/v1${path}`, headers });
      times.push(performance.now() - before);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    }
    return { ms: median(times) };
  };
});
