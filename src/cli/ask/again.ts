/** On a terminal, payout details that the service refused are asked again, by the `fields` that came with the refusal. */
import { ApiError } from '../../client/errors.ts';
import { isRecord } from '../../client/fields.ts';
import { payoutMethod } from '../../contract/resources/payment-method.ts';
import type { FieldProblem } from '../../core/problem.ts';
import { Problem } from '../../core/problem.ts';
import { partyOf } from '../../desk/payments/details.ts';
import type { Context } from '../context.ts';
import { fieldLine } from '../output/report.ts';
import { accountJudge, askDetails } from './details.ts';

type Details = Readonly<Record<string, unknown>>;

/** Of a recipient or a payout method; undefined where nobody is there, or the refusal is about something else. */
export async function correctedDetails(
  context: Context,
  refusal: unknown,
  details: Details,
): Promise<Record<string, string> | undefined> {
  const refused = context.interactive ? refusedMethod(refusal) : undefined;
  if (refused === undefined) return undefined;
  const { type, fields, problems } = refused;
  const only = Object.keys(problems).filter((name) => Object.hasOwn(fields, name));
  if (only.length === 0 || only.length < Object.keys(problems).length) return undefined;
  const judge = await accountJudge(type, partyOf(details));
  return askDetails(context, fields, { only, current: details, problems, judge });
}

function refusedMethod(refusal: unknown) {
  const cause = refusal instanceof Problem ? refusal.cause : refusal;
  if (!(cause instanceof ApiError) || cause.kind !== 'validation') return undefined;
  const { resource, fields: problems } = cause.details;
  if (!isRecord(resource)) return undefined;
  const read = payoutMethod.safeParse(isRecord(resource.payout_method) ? resource.payout_method : resource);
  if (!read.success || !read.data.fields) return undefined;
  return { type: read.data.type ?? '', fields: read.data.fields, problems: byName(problems) };
}

const byName = (problems: readonly FieldProblem[]): Record<string, string> =>
  Object.fromEntries(
    problems.map(({ path, words }) => [
      path.replace(/^(?:payout_method\.)?(?:details\.)?/, ''),
      fieldLine({ path: '', words }).trim(),
    ]),
  );
