/** The end of a command about a run: where it stands, and the exit code of its ending. */

import { exitOfEnding } from '../../../../frame/exit-codes.ts';
import { type Result, result } from '../../../../payments/cli/result.ts';
import type { RunConclusion } from '../../../conclusion.ts';
import { standingView } from '../../views/standing.ts';

export const showConclusion = ({ shown, ending, notes }: RunConclusion): Result =>
  result(standingView, shown, { exit: exitOfEnding(ending), notes });
