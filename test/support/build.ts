/** The built program, fresh, before any test: the terminal, kill and start-up tests run it as a user does. */
import { execFileSync } from 'node:child_process';

export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe', shell: process.platform === 'win32' });
}
