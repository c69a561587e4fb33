/** The built program, before any test: the terminal, kill and start-up tests run it as a user does. Built where it is stale. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export default function build(): void {
  if (!isStale()) return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe', shell: process.platform === 'win32' });
}

function isStale(): boolean {
  const built = at('dist/start.cjs');
  if (!existsSync(built)) return true;
  const builtAt = statSync(built).mtimeMs;
  const sources = readdirSync(at('src'), { recursive: true, encoding: 'utf8' }).map((name) =>
    at(`src/${name}`),
  );
  return [...sources, at('rolldown.config.js'), at('package.json')].some(
    (path) => statSync(path).mtimeMs > builtAt,
  );
}
