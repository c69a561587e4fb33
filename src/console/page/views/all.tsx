/** All payments of the books, the newest first: read piece by piece as somebody scrolls. What was read stays as it is until somebody asks for it again. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Failure, Listed } from '../../wire.ts';
import { call } from '../call.ts';
import { Download } from '../download.tsx';
import { bind } from '../keys.ts';
import { problemOf } from '../loaded.ts';
import { LongRows, type Virtual } from '../long-rows.tsx';
import { Loading, Notes, Problem, Small } from '../parts.tsx';
import type { Times } from '../period.tsx';
import { OF_PAYMENT } from '../rows.tsx';
import { Sync } from './sync.tsx';

interface Held extends Omit<Listed, 'behind'> {
  /** Undefined until the first piece came, null behind the oldest. */
  behind: Listed['behind'] | undefined;
  problem: Failure | undefined;
  isLoading: boolean;
}

const NONE: Held = {
  rows: [],
  behind: undefined,
  notes: [],
  hasBooks: true,
  problem: undefined,
  isLoading: false,
};
/** It outlives the view: whoever comes back from a payout finds the list as it was. */
const held = signal<Held>(NONE);
interface Kept {
  of: Times;
  ids: Set<string>;
  virtual: Virtual | undefined;
}
let kept: Kept = { of: { since: '', until: '' }, ids: new Set(), virtual: undefined };

async function readMore(): Promise<void> {
  const before = held.value;
  const { ids, of } = kept;
  if (before.isLoading || before.behind === null) return;
  held.value = { ...before, isLoading: true, problem: undefined };
  try {
    const { rows, notes, behind, hasBooks } = await call('list', { behind: before.behind ?? null, ...of });
    // Another list was begun meanwhile.
    if (kept.ids !== ids) return;
    // A payment that was added while somebody reads may move another one into the next piece.
    const fresh = rows.filter(({ id }) => !ids.has(id));
    for (const { id } of fresh) ids.add(id);
    const all = [...before.rows, ...fresh];
    const said = before.behind === undefined ? notes : before.notes;
    held.value = { rows: all, behind, notes: said, hasBooks, problem: undefined, isLoading: false };
  } catch (error) {
    if (kept.ids === ids) held.value = { ...before, problem: problemOf(error), isLoading: false };
  }
}

async function readAnew(of = kept.of): Promise<void> {
  held.value = NONE;
  kept = { of, ids: new Set(), virtual: undefined };
  await readMore();
}

/** Where in the list somebody was, of an entry of the history that they came back to. */
const placeBefore = (): number => Number((history.state as { y?: unknown } | null)?.y ?? 0);

export function All({ since, until }: Times) {
  const { rows, behind, notes, hasBooks, problem, isLoading } = held.value;
  useLayoutEffect(() => {
    const isSame = kept.of.since === since && kept.of.until === until && held.value.rows.length > 0;
    if (placeBefore() > 0 && isSame) scrollTo(0, placeBefore());
    else void readAnew({ since, until });
  }, [since, until]);
  useLayoutEffect(() => bind({ r: () => void readAnew() }), []);
  return (
    <section
      aria-labelledby="all"
      aria-busy={isLoading && rows.length === 0}
      onClickCapture={() => history.replaceState({ ...history.state, y: scrollY }, '')}
    >
      <h2 id="all">All payments, the newest first</h2>
      <Notes of={notes} />
      {behind !== undefined && <Sync hasBooks={hasBooks} onDone={readAnew} />}
      {rows.length > 0 && (
        <>
          <p>
            <Download rows={rows} what="list" />{' '}
            <span class="quiet">{behind === null ? 'These are all.' : 'More are read as you scroll.'}</span>
          </p>
          <LongRows
            label="All payments"
            rows={rows}
            shown={OF_PAYMENT}
            isWhole={behind === null}
            kept={kept}
            onNearEnd={() => {
              if (held.value.problem === undefined) void readMore();
            }}
          />
        </>
      )}
      {behind === null && rows.length === 0 && hasBooks && <p>There is no payment in this time.</p>}
      {isLoading && <Loading what="Reading the books" />}
      <Problem problem={problem}>
        <Small onClick={() => void readMore()}>Read on</Small>
      </Problem>
    </section>
  );
}
