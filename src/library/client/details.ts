/** Refuses details that must not be paid to, before anything is sent, by the rules of the command line (decision 0074). */
import { detailDifferences } from '../../client/compare.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import {
  faultPaths,
  type PayinNamed,
  partyOf,
  type WrongDetails,
  wrongDetailsIn,
  wrongPayinDetails,
  wrongPayoutDetails,
  wrongWords,
} from '../../contract/corridors/wrong-details.ts';
import type * as Public from '../client-types.ts';
import { CheckError } from './errors.ts';

/** Against a sandbox an account that looks wrong is sent: the numbers that the service documents are such, and none is paid. */
type Terms = Public.AccountOptions & { environment: string };

type Details = Readonly<Record<string, unknown>>;

/** @throws CheckError; nothing was sent */
function refuse(operation: string, wrong: WrongDetails | undefined, { environment }: Terms): void {
  if (wrong === undefined) return;
  if (wrong.code === 'wrong_account' && environment === 'sandbox') return;
  const problems = faultPaths(wrong).map(({ path, words }) => ({ path, message: words }));
  const said = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new CheckError(wrong.code, operation, `${wrongWords(wrong)}: ${said}`, problems);
}

/** @throws CheckError; nothing was sent */
export async function refuseWrongPayment(
  operation: string,
  payment: Public.TransactionWrite,
  terms: Terms,
): Promise<void> {
  if (terms.accountsAsWritten) return;
  refuse(operation, await wrongDetailsIn(payment), terms);
}

interface Change {
  details: Details;
  /** The details that the service has now, which the change is laid over. */
  standing?: Details | null | undefined;
  at: string;
}

/** @throws CheckError; nothing was sent */
export async function refuseWrongPayout(
  operation: string,
  { type, kind, details, standing, at }: Change & { type: string | null | undefined; kind?: PartyKind },
  terms: Terms,
): Promise<void> {
  if (terms.accountsAsWritten) return;
  const laid = laidOver(details, standing);
  refuse(
    operation,
    await wrongPayoutDetails({ type, kind: kind ?? partyOf(standing ?? details), ...laid, at }),
    terms,
  );
}

/** @throws CheckError; nothing was sent */
export function refuseWrongPayin(operation: string, method: PayinNamed & Change, terms: Terms): void {
  if (terms.accountsAsWritten) return;
  refuse(
    operation,
    wrongPayinDetails(method, { ...laidOver(method.details, method.standing), at: method.at }),
    terms,
  );
}

/** Judges only the details that change: an old account that is wrong blocks no correction of another detail. */
const laidOver = (details: Details, standing: Details | null | undefined) =>
  standing == null
    ? { details }
    : { details, standing, only: detailDifferences({ ...details }, { ...standing }) };
