/** Every operation of the catalogue: served or named in a 501; answers inside the schemas and the enums; the same bytes twice. */
import { describe, expect, test } from 'vitest';
import { operationIds } from '../../src/contract/operations/index.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';
import { senderStates } from '../../src/contract/states/sender.ts';
import { transactionStates } from '../../src/contract/states/transaction.ts';
import { type Reply, startBench } from '../support/sandbox.ts';
import { row, visitAll } from '../support/visits.ts';

describe('answers', () => {
  test('are inside the schema of their operation, with a status that it declares', async () => {
    const visits = await visitAll(await startBench());
    expect([...new Set(visits.map(({ id }) => id))].sort()).toEqual([...operationIds].sort());
    for (const { id, reply } of visits) {
      expect([row(id).status, ...row(id).failures], `${id} ${reply.text.slice(0, 300)}`).toContain(
        reply.status,
      );
      if (reply.status === 404) continue;
      const read = row(id).answer.safeParse(reply.body);
      expect(read.success, `${id} ${JSON.stringify(read.error)}`).toBe(true);
    }
  });

  test('use no state that the service does not have', async () => {
    const visits = await visitAll(await startBench());
    for (const { id, reply } of visits) {
      const objects = [reply.body.object].flat();
      for (const object of objects) {
        if (id.startsWith('transactions') && object?.state) {
          expect(Object.keys(transactionStates)).toContain(object.state);
        }
        if (id.startsWith('recipients') && object?.state) {
          expect(Object.keys(recipientStates)).toContain(object.state);
        }
        if (object?.sender?.state) expect(Object.keys(senderStates)).toContain(object.sender.state);
      }
    }
  });

  test('are the same bytes for the same seed and the same requests', async () => {
    const texts = async (seed: string) => (await visitAll(await startBench({ seed }))).map(withoutOwnNonces);
    const first = await texts('a');
    expect(await texts('a')).toEqual(first);
    expect(await texts('b')).not.toEqual(first);
  });
});

/** Our own nonces and signatures differ from run to run; the logs of requests show them. */
function withoutOwnNonces({ reply }: { reply: Reply }): string {
  return reply.text.replace(/"n-\d+"/g, '"n"').replace(/[0-9a-f]{8}…/g, '…');
}
