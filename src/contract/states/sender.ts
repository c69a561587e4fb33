/** Sender states and moves (docs/wire.md 7 and 14). */
import { type Move, moves, type Start, type StateInfo } from './state.ts';

export const senderStates = {
  initial: { look: 'waiting', meaning: 'created, not checked yet', terminal: false, can: ['wait', 'edit'] },
  incomplete: {
    look: 'waiting',
    meaning: 'details or documents are missing',
    terminal: false,
    can: ['edit'],
  },
  verified: {
    look: 'good',
    meaning: 'passed the sanction lists, not the identity check yet',
    terminal: false,
    can: ['wait'],
  },
  approved: {
    look: 'good',
    meaning: 'may transact',
    terminal: false,
    finalWhen: 'nothing is found against it later',
    can: ['edit'],
  },
  banned: { look: 'bad', meaning: 'banned by the operator', terminal: false, can: ['contact_operator'] },
  rejected: { look: 'bad', meaning: 'failed the checks', terminal: false, can: ['edit', 'contact_operator'] },
  disabled: { look: 'over', meaning: 'switched off by a delete request', terminal: true, can: ['nothing'] },
} as const satisfies Record<string, StateInfo>;

export type SenderState = keyof typeof senderStates;

export type SenderTrigger =
  /** Passed the sanction lists. */
  | 'verify'
  | 'approve'
  | 'reject'
  /** Details or documents are missing. */
  | 'need_details'
  | 'edit'
  | 'ban'
  | 'unban'
  | 'disable';

export type SenderMove = Move<SenderState, SenderTrigger>;

export const senderStarts: readonly Start<SenderState>[] = [
  {
    when: 'kyc_waived',
    to: 'approved',
    basis: 'stated',
    rule: 'sender.create-waived',
    says: 'The account does its own checks: every sender is approved immediately.',
    events: ['sender.created', 'sender.approved'],
  },
  {
    when: 'kyc_needed',
    to: 'initial',
    basis: 'stated',
    rule: 'sender.create',
    says: 'Created, and to be checked by the operator.',
    events: ['sender.created'],
  },
];

export const senderMoves: readonly SenderMove[] = [
  ...moves(['initial', 'incomplete'], 'verify', {
    to: 'verified',
    basis: 'assumed',
    rule: 'sender.verify',
    says: 'The sender passed the sanction lists.',
  }),
  ...moves(['initial', 'incomplete', 'verified', 'rejected'], 'approve', {
    to: 'approved',
    basis: 'assumed',
    rule: 'sender.approve',
    says: 'The sender passed all checks and may transact.',
    events: ['sender.approved'],
  }),
  ...moves(['initial', 'incomplete', 'verified', 'approved'], 'reject', {
    to: 'rejected',
    basis: 'assumed',
    rule: 'sender.reject',
    says: 'The sender failed the checks.',
    events: ['sender.rejected'],
  }),
  ...moves(['initial', 'verified'], 'need_details', {
    to: 'incomplete',
    basis: 'assumed',
    rule: 'sender.need-details',
    says: 'Details or documents are missing.',
  }),
  ...moves(['incomplete', 'rejected'], 'edit', {
    to: 'initial',
    basis: 'assumed',
    rule: 'sender.edit-restarts',
    says: 'New details restart the checks.',
  }),
  ...moves(['initial', 'verified', 'approved', 'banned'], 'edit', {
    to: 'same',
    basis: 'assumed',
    rule: 'sender.edit',
    says: 'The details change, the state does not.',
  }),
  ...moves(['initial', 'incomplete', 'verified', 'approved', 'rejected'], 'ban', {
    to: 'banned',
    basis: 'assumed',
    rule: 'sender.ban',
    says: 'The operator banned the sender.',
  }),
  ...moves(['banned'], 'unban', {
    to: 'approved',
    basis: 'assumed',
    rule: 'sender.unban',
    says: 'The operator lifted the ban.',
    events: ['sender.approved'],
  }),
  ...moves(['initial', 'incomplete', 'verified', 'approved', 'banned', 'rejected'], 'disable', {
    to: 'disabled',
    basis: 'stated',
    rule: 'sender.disable',
    says: 'A delete request switches the sender off.',
    events: ['sender.disabled'],
  }),
];
