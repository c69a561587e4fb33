/** Connections that send 16 kB of a body at once and then a byte a second: the first answer comes when all have had their moment. */
import { connect } from 'node:net';
import { serveParent } from './support/children.ts';
import { pause } from './support/processor.ts';

const AT_ONCE = 16 * 1024;
const BYTE_MS = 1_000;
/** A sender is slow when it had a quarter of a second. */
const MOMENT_MS = 500;

serveParent<{ host: string; connections: number }, object>(async ({ host, connections }) => {
  const [name = '', port] = host.split(':');
  const head = `POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 65536\r\n\r\n`;
  let gone = 0;
  const begin = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), name).on('error', () => {});
      const drip = setInterval(() => socket.write('a'), BYTE_MS);
      socket.resume().on('close', () => {
        clearInterval(drip);
        gone += 1;
        resolve();
      });
      socket.write(head + 'a'.repeat(AT_ONCE), () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, begin));
  await pause(MOMENT_MS);
  return async () => ({ gone });
});
