/** What a sandbox received, by its own log: read as a program would, so that masks are taken off. */
import { runRemit } from './program.ts';
import type { Service } from './service.ts';

interface Logged {
  request_method: string;
  request_url: string;
  request_body: string;
}
/** Writes that the sandbox received, oldest first, the sender's creation left out. */
export async function writesReceived({
  env,
  url,
}: Pick<Service, 'env' | 'url'>): Promise<{ method: string; path: string; body: Record<string, never> }[]> {
  const { stdout } = await runRemit(['logs', 'api', '--reveal', '-o', 'json'], env);
  return (JSON.parse(stdout).data as Logged[])
    .filter(({ request_method }) => request_method !== 'GET')
    .reverse()
    .slice(1)
    .map(({ request_method, request_url, request_body }) => ({
      method: request_method,
      path: new URL(request_url, url).pathname.replace('/v1', ''),
      body: request_body ? JSON.parse(request_body) : {},
    }));
}
