/** Every operation of the catalogue: served or named in a 501; answers inside the schemas and the enums; the same bytes twice. */
import { describe, expect, test } from 'vitest';
import { operationIds } from '../../src/contract/operations/index.ts';
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
