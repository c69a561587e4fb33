/** A list within the process of its sandbox: the same page so many times, or all its pages, a hundred records each. */
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { spent } from './processor.ts';
import { headersInClear } from './signed.ts';

export interface ListQuestion {
  path: string;
  /** How often; one answer's time is told. */
  count?: number;
  /** Once, every page; the time of all is told. */
  all?: boolean;
}

const PER = 100;

export async function askList(
  sandbox: Sandbox,
  { path, count = 1, all = false }: ListQuestion,
): Promise<{ micros: number }> {
  const get = async (target: string): Promise<string> => {
    const answer = await sandbox.handle({ method: 'GET', url: `/v1${target}`, headers: headersInClear });
    if (answer.status !== 200) throw new Error(`${target}: ${answer.status}`);
    return String(answer.body);
  };
  const { micros } = await spent(async () => {
    if (all) await everyPage(get, path);
    else for (let i = 0; i < count; i++) await get(path);
  });
  return { micros: micros / count };
}

/** Where the list ends stands at the end of each page. */
async function everyPage(get: (target: string) => Promise<string>, path: string): Promise<void> {
  const mark = path.includes('?') ? '&' : '?';
  for (let page = 1, isLast = false; !isLast; page++) {
    const text = await get(`${path}${mark}per=${PER}&page=${page}`);
    isLast = text.includes('"next_page":null');
  }
}
