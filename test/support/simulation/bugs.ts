/**
 * Deliberate bugs, each in a part that is wrapped or handed in, or in a rule that can be broken on purpose: what the auditor is
 * proved by. Each says which invariants may notice it first.
 */
import { recipientMoves } from '../../../src/contract/states/recipient-moves.ts';
import type { Transport } from '../../../src/core/transport.ts';
import { Deliveries } from '../../../src/sandbox/deliver/deliveries.ts';
import { Ledger, type LedgerEntry, move } from '../../../src/sandbox/ledger/ledger.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { memoryTables } from '../../../src/sandbox/store/memory.ts';
import type { SandboxStore } from '../../../src/sandbox/store/port.ts';
import type { RecipientRecord } from '../../../src/sandbox/store/records.ts';
import type { Invariant } from './broken.ts';
import type { Json } from './look.ts';

export interface Bug {
  options?: Partial<SandboxOptions>;
  /** How requests get to the service and answers back. */
  wire?: (send: Transport) => Transport;
  /** Breaks what all sandboxes share, and returns how to mend it. */
  breaks?: () => () => void;
  opened?: (sandbox: Sandbox) => void;
  noticedBy: readonly Invariant[];
}

type Post = Ledger['post'];

/** After a posting, another that nobody asked for; it must leave no book short, or the ledger itself would refuse it. */
function alsoPosting(
  cause: RegExp,
  more: (ledger: Ledger, entries: readonly LedgerEntry[]) => LedgerEntry[],
): () => () => void {
  return () => {
    const { post } = Ledger.prototype;
    Ledger.prototype.post = function also(this: Ledger, ...[name, at, entries]: Parameters<Post>) {
      post.call(this, name, at, entries);
      if (!cause.test(name) || this.has(`${name} again`)) return;
      const extra = more(this, entries);
      if (extra.length > 0) post.call(this, `${name} again`, at, extra);
    };
    return () => {
      Ledger.prototype.post = post;
    };
  };
}

/** The same once more, where the book that gives still has as much. */
function again(ledger: Ledger, entries: readonly LedgerEntry[]): LedgerEntry[] {
  const takes = entries.filter(({ minor, book }) => minor < 0n && (book === 'wallet' || book === 'held'));
  const enough = takes.every(
    ({ book, currency, minor }) => BigInt(ledger.balance(book, currency).replace('.', '')) + minor >= 0n,
  );
  return enough ? [...entries] : [];
}

/** What is refunded is delivered too. */
function deliveredToo(ledger: Ledger, [first]: readonly LedgerEntry[]): LedgerEntry[] {
  if (!first) return [];
  const { currency, minor } = first;
  const entries = [
    { book: 'held', currency, minor },
    { book: 'delivered', currency, minor: -minor },
  ] as const;
  return again(ledger, entries);
}

/** The move in the table leads elsewhere. */
function misled(from: string, on: string, to: string): () => () => void {
  return () => {
    const row = recipientMoves.find((each) => each.from === from && each.on === on) as { to: string };
    const before = row.to;
    row.to = to;
    return () => {
      row.to = before;
    };
  };
}

/** Of every webhook of this event, the object says what is not so. */
function lying(event: string, change: (object: Json) => Json): () => () => void {
  return () => {
    const { emit } = Deliveries.prototype;
    Deliveries.prototype.emit = function lie(this: Deliveries, name, subject) {
      const render = name === event ? () => change(subject.render()) : subject.render;
      emit.call(this, name, { ...subject, render });
    };
    return () => {
      Deliveries.prototype.emit = emit;
    };
  };
}

type Rows = SandboxStore['recipients' | 'transactions'];

/** All stores in memory share their classes: what is changed there is changed in every one. */
function storing(table: 'recipients' | 'transactions', change: (rows: Rows) => () => void): () => () => void {
  return () => change(Object.getPrototypeOf(memoryTables()[table]));
}

/** No `external_id` is ever found to have been used, and the table has no index of them that would object. */
function forgetful(given: Rows): () => void {
  const rows = given as SandboxStore['transactions'];
  const { byExternalId, insert } = rows;
  rows.byExternalId = () => undefined;
  rows.insert = function unindexed(row) {
    const { externalId } = row;
    insert.call(this, Object.assign(row, { externalId: null }));
    row.externalId = externalId;
  };
  return () => Object.assign(rows, { byExternalId, insert });
}

/** Now and then a recipient that has been in this state for a while gets another one, by no rule and untold. */
function stirring(from: string, to: RecipientRecord['state']): (rows: Rows) => () => void {
  return (given) => {
    const rows = given as SandboxStore['recipients'];
    const { update } = rows;
    let updates = 0;
    let kept: RecipientRecord[] = [];
    rows.update = function stir(row, patch) {
      updates += 1;
      kept = kept.filter(({ state }) => state === from);
      const [old] = kept;
      if (old && updates % 20 === 0 && old !== row) update.call(this, old, { state: to });
      const updated = update.call(this, row, patch);
      if (patch.state === from) kept.push(updated);
      return updated;
    };
    return () => Object.assign(rows, { update });
  };
}

/** Answers of what can be read are changed on the way back. */
function answering(path: RegExp, change: (body: Json, path: string) => Json): (send: Transport) => Transport {
  return (send) => async (request) => {
    const answer = await send(request);
    const { pathname } = new URL(request.url);
    if (answer.status > 299 || !path.test(`${request.method} ${pathname}`)) return answer;
    return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body), pathname)) };
  };
}

export const bugs: Readonly<Record<string, Bug>> = {
  'a debit is posted twice': {
    breaks: alsoPosting(/^debit:/, again),
    noticedBy: ['wallet'],
  },
  'a refund posts nothing': {
    options: { breakRule: ['refund_posts_nothing'] },
    noticedBy: ['wallet'],
  },
  'twice the amount is refunded': {
    breaks: alsoPosting(/^refund:/, again),
    noticedBy: ['wallet'],
  },
  'a recipient is paid twice': {
    breaks: alsoPosting(/^payout:/, again),
    noticedBy: ['ledger', 'wallet'],
  },
  'what is cancelled is refunded and paid': {
    breaks: alsoPosting(/^refund:/, deliveredToo),
    noticedBy: ['ledger'],
  },
  'a balance is credited without a payin': {
    breaks: alsoPosting(/^payout:/, (_, entries) =>
      move('collected', 'wallet', entries[0]?.currency ?? 'EUR', '1'),
    ),
    noticedBy: ['wallet'],
  },
  'an external id is taken again': {
    breaks: storing('transactions', forgetful),
    noticedBy: ['external id'],
  },
  'nothing expires, and funds are taken for ever': {
    options: { breakRule: ['expiry_never'] },
    noticedBy: ['funded in time'],
  },
  'an edit is answered and ignored': {
    options: { breakRule: ['edit_ignored'] },
    noticedBy: ['edit'],
  },
  'what was refunded is open again': {
    breaks: storing('recipients', stirring('refunded', 'error')),
    noticedBy: ['ends stay'],
  },
  'a state changes by no rule': {
    breaks: storing('recipients', stirring('pending', 'manual')),
    noticedBy: ['story', 'allowed moves', 'agreement'],
  },
  'a payout begins in a state in which it may not': {
    breaks: misled('initial', 'payout_start', 'stuck'),
    noticedBy: ['allowed moves'],
  },
  'a change is not explained': {
    opened({ control }) {
      const { ask } = control;
      control.ask = async (name, asked) => {
        const said = await ask(name, asked);
        if (name === 'sandbox.explain' && said.kind === 'done') (said.object as Json).changes.pop();
        return said;
      };
    },
    noticedBy: ['story'],
  },
  'a webhook tells of a payout that failed that it was paid': {
    breaks: lying('recipient.error', (object) => ({ ...object, state: 'success' })),
    noticedBy: ['webhook truth'],
  },
  'a webhook tells of a state that never was': {
    breaks: lying('recipient.pending', (object) => ({ ...object, state: 'exception' })),
    noticedBy: ['webhook truth'],
  },
  'time runs backwards': {
    opened({ clock }) {
      const now = clock.now.bind(clock);
      let calls = 0;
      clock.now = () => {
        calls += 1;
        return calls % 2_000 < 40 ? now() - 3_600_000 : now();
      };
    },
    noticedBy: ['time'],
  },
  'the sandbox forgets what it acknowledged': {
    opened(sandbox) {
      const { advance } = sandbox;
      let calls = 0;
      let kept: Uint8Array | undefined;
      sandbox.advance = async (ms) => {
        calls += 1;
        if (calls === 8) kept = sandbox.snapshot();
        if (calls === 16 && kept) sandbox.restore(kept);
        await advance(ms);
      };
    },
    noticedBy: ['time', 'identity'],
  },
  'an answer says that it is cancelled, and the payout goes on': {
    wire: answering(/^DELETE .*\/recipients\//, (body) => ({
      ...body,
      object: { ...body.object, state: 'refunded' },
    })),
    noticedBy: ['ends stay', 'story'],
  },
  'a create is answered with the id of another': {
    wire: (send) => {
      let first: string | undefined;
      return answering(/^POST .*\/transactions$/, (body) => {
        first ??= body.object.id;
        return { ...body, object: { ...body.object, id: first } };
      })(send);
    },
    noticedBy: ['identity'],
  },
};
