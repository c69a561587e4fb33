/** Every command of the tree as JSON and as YAML; in the long form on a terminal without input too. */
import { isLong } from '../support/long.ts';
import { walkThrough } from '../support/walk.ts';

walkThrough('as JSON', ['--yes', '-o', 'json'], {});
walkThrough('as YAML', ['--yes', '-o', 'yaml'], {});
if (isLong) walkThrough('on a terminal without input', ['--yes', '--no-input'], { tty: true, columns: 80 });
