/**
 * Decisions about a pay run on the page, by the use cases that the commands have. None of them sends a payment but `settle`,
 * which looks for rows of unknown outcome. A signature is given in the terminal, where its key is.
 *
 * If this process dies before a decision is kept, the run is as it was; after it, the decision stands (`runs/{approve,sign,hold,settle}.ts`).
 */
import type { Hint, Next } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import type { Confirmer } from '../../payments/gate.ts';
import { checkReason } from '../../payments/manual-outcome.ts';
import { USUAL } from '../../payments/shared-store.ts';
import { ownApprovers } from '../../profiles/approver-store.ts';
import { shownDigest } from '../../profiles/digest.ts';
import { approvedNote, heldNotes, refuseUnsignedApproval, rejectedNote } from '../../runs/approval-notes.ts';
import { approveRun, refuseOtherDigest } from '../../runs/approve.ts';
import { findRun } from '../../runs/find-run.ts';
import { holdRun, releaseRun } from '../../runs/hold.ts';
import { openPayStore } from '../../runs/open-store.ts';
import { settleRows } from '../../runs/settle.ts';
import { rejectRun } from '../../runs/sign.ts';
import type { PayStore } from '../../runs/terms.ts';
import { type ActDone, type Call, done } from '../call.ts';
import { RUN_ACTS, type RunAct } from '../wire/runs.ts';
import type { Wish } from '../wire.ts';

type Run = Awaited<ReturnType<typeof findRun>>;

interface About {
  run: Run;
  store: PayStore;
  confirmer: Confirmer;
  because: string | undefined;
}

/** @param asks names what its button is about */
async function runAct(call: Call, wish: Wish, asks: Confirmer & { of: string }): Promise<ActDone> {
  const { desk, account, renderHint, text } = call;
  const [shown] = wish.of;
  const store = await openPayStore(desk, USUAL);
  const run = await findRun(desk, store.payruns, shown?.id ?? '', 'write');
  refuseOtherDigest(run, shown?.digest ?? '');
  asks.of = `${run.name} in ${account.name}`;
  const act = wish.act as RunAct;
  const about = { run, store, confirmer: asks, because: wish.details?.because };
  const { ending, notes, same } = await DO[act](call, about);
  return { ...done(run.id, `${run.name}: ${ending}`), notes: notes.map(text), command: renderHint(same) };
}

type Ended = { ending: string; notes: Hint[]; same: Next };

const approval = ({ name, digest }: Run) =>
  ({ do: 'approve_run', name, digest: shownDigest(digest) }) as const;

const DO: Readonly<Record<RunAct, (call: Call, about: About) => Promise<Ended>>> = {
  async approve({ desk }, { run, store, confirmer }) {
    await refuseWhereSigned(desk);
    const approved = await approveRun(desk, store, { run, digest: run.digest, confirmer });
    return {
      ending: 'approved',
      notes: [approvedNote(run, approved), ...heldNotes(approved)],
      same: approval(run),
    };
  },
  async reject({ desk }, { run, store, confirmer, because }) {
    await refuseWhereSigned(desk);
    const reason = checkReason(because, { of: 'a rejection', such: '"Ada Obi left in May"' });
    const how = { run, digest: run.digest, confirmer, because: reason, signer: undefined };
    await rejectRun(desk, store, how);
    return { ending: 'rejected', notes: [rejectedNote(undefined)], same: { ...approval(run), reject: true } };
  },
  async hold({ desk }, { run, store, because }) {
    const reason = checkReason(because, { of: 'a hold', such: '"the bank asks about E-1007"' });
    await holdRun(desk, store.payruns, run, reason);
    const notes = ['Nothing more of it is sent until somebody releases it.'];
    return { ending: 'on hold', notes, same: { do: 'hold_run', name: run.name } };
  },
  async release({ desk }, { run, store, confirmer }) {
    await releaseRun(desk, store.payruns, { run, confirmer });
    return { ending: 'goes on', notes: [], same: { do: 'release_run', name: run.name } };
  },
  async settle_run({ desk }, { run, store, confirmer }) {
    const { notes, shown } = await settleRows(desk, store, { run, said: undefined, confirmer });
    return { ending: shown.status, notes: [...notes], same: { do: 'settle_run', name: run.name } };
  },
};

/** @throws Problem (usage) where an approval is a signature, or this machine has a key that gives one */
async function refuseWhereSigned(desk: Call['desk']): Promise<void> {
  if (isSignedHere(desk)) throw usage(SIGNED, 'the page shows the command');
  await refuseUnsignedApproval(desk);
}

export const isSignedHere = ({ machine }: Call['desk']): boolean => ownApprovers(machine.env).length > 0;
export const SIGNED = 'this machine has the key of an approver, and a signature is given in the terminal';

type RunDoing = typeof runAct;
/** Each decision is carried out in the same way. */
export const runActs = Object.fromEntries(RUN_ACTS.map((act) => [act, runAct])) as Record<RunAct, RunDoing>;
