/** A sandbox in memory with so many payments, of one recipient each: paid, but one in a hundred in error. It answers within its process. */
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { askList, type ListQuestion } from './support/asking.ts';
import { serveParent } from './support/children.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials, headersInClear } from './support/signed.ts';

/** What the number of an account ends in decides what becomes of the payment. */
const WRONG = '0123456719';
const RIGHT = '0123456700';

serveParent<{ recipients: number }, ListQuestion>(async ({ recipients }) => {
  const sandbox = await createSandbox({ credentials, balances: { EUR: '900000000000' } });
  for (let i = 0; i < recipients; i++) {
    const { body } = prepare('127.0.0.1:1', 'fill', i, i % 100 === 0 ? WRONG : RIGHT);
    const answer = await sandbox.handle({ method: 'POST', url: PATH, headers: headersInClear, body });
    if (answer.status !== 201) throw new Error(`transaction ${i} was refused: ${answer.body}`);
  }
  await sandbox.drain();
  return (question) => askList(sandbox, question);
});
