/** A sandbox over a data file with so many recipients in these states, again and again; it listens, and answers within its process. */
import { listen } from '../src/sandbox/http/listen.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import type { RecipientRecord } from '../src/sandbox/store/records.ts';
import { askList, type ListQuestion } from './support/asking.ts';
import { serveParent } from './support/children.ts';
import { openData } from './support/data-file.ts';
import { fill } from './support/fill.ts';
import { credentials } from './support/signed.ts';

interface Argument {
  recipients: number;
  states: RecipientRecord['state'][];
}

serveParent<Argument, ListQuestion>(async ({ recipients, states }) => {
  const data = await openData();
  await fill(data, recipients, (index) => states[index % states.length] ?? 'error');
  const sandbox = await createSandbox({ credentials, data });
  const { url } = await listen(sandbox, { port: 0 });
  return async (question) => ({ ...(await askList(sandbox, question)), url });
});
