/** A sandbox in memory that is paid to until it is full, or has so many payments. */
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials, headersInClear } from './support/signed.ts';

const AT_ONCE = 40;

serveParent<object, { most: number }>(async () => {
  const machine = { now: () => Date.now() };
  const sandbox = await createSandbox({
    credentials,
    clock: { mode: 'running', machine },
    balances: { EUR: '900000000000' },
  });
  const pay = async (number: number): Promise<number> => {
    const { body } = prepare('127.0.0.1:1', 'room', number);
    const answer = await sandbox.handle({ method: 'POST', url: PATH, headers: headersInClear, body });
    // As a listener does, which makes one text of its parts.
    Buffer.byteLength(answer.body);
    return answer.status;
  };
  return async ({ most }) => {
    for (let made = 0; made < most; made += AT_ONCE) {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => pay(made + k)));
      sandbox.runDue();
      const refused = statuses.find((status) => status !== 201);
      if (refused !== undefined) return { made, status: refused };
    }
    return { made: most, status: 201 };
  };
});
