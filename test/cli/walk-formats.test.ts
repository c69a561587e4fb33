/** Every command of the tree as JSON, and on a terminal without input. */
import { walkThrough } from '../support/walk.ts';

walkThrough('as JSON', ['--yes', '-o', 'json'], {});
walkThrough('on a terminal without input', ['--yes', '--no-input'], { tty: true, columns: 80 });
