/**
 * Runs a regular expression from the wire where it can do no harm: translated from Ruby's syntax, in a worker, for at most
 * 50 ms. One that cannot be translated, or that takes longer, is left to the service: one shipped regex backtracks for ever.
 */
import { Worker } from 'node:worker_threads';
import { rubyFormatToJs } from '../contract/corridors/check.ts';

const LIMIT_MS = 50;
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source);
parentPort.postMessage('ready');
parentPort.once('message', () => parentPort.postMessage(pattern.test(workerData.text)));
`;

/** True or false, or null when it is not known here. */
export async function matchesFormat(format: string, text: string): Promise<boolean | null> {
  const source = rubyFormatToJs(format);
  if (source === null) return null;
  const worker = new Worker(SCRIPT, { eval: true, workerData: { source, text } });
  try {
    return await new Promise<boolean | null>((resolve) => {
      worker.once('error', () => resolve(null));
      worker.once('message', () => {
        // The time counts from the first character, not from the start of the worker.
        const limit = setTimeout(() => resolve(null), LIMIT_MS);
        worker.once('message', (matched: boolean) => {
          clearTimeout(limit);
          resolve(matched);
        });
        worker.postMessage('go');
      });
    });
  } finally {
    await worker.terminate();
  }
}
