/** One half of the examples that change something. */
import { runHalf } from '../support/changing-examples.ts';
import { some } from '../support/long.ts';

runHalf(1, (examples) => some(examples, 36));
