/** The end of a command about a run: where it stands, and the exit code of its ending. */
import type { Conclusion } from '../../../../desk/payruns/conclusion.ts';
import { type Result, result } from '../../../command.ts';
import { exitOfEnding } from '../../../exit-codes.ts';
import { standingView } from '../../../views/payrun-standing.ts';

export const showConclusion = ({ shown, ending, notes }: Conclusion): Result =>
  result(standingView, shown, { exit: exitOfEnding(ending), notes });
