/** One half of the examples that change something. */
import { runHalf } from '../support/changing-examples.ts';

runHalf(0);
