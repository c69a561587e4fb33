/** All payments of the books, the newest first: read piece by piece as the user scrolls. What was read stays as it is until the user asks for it again. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Listed } from '../../wire.ts';
import { callServer } from '../call.ts';
import { Download } from '../download.tsx';
import { bind } from '../keys.ts';
import { type Loaded, NOT_LOADED, pageFailure } from '../loaded.ts';
import { LongRows, type Virtual } from '../long-rows.tsx';
import { Loading, Notes, ProblemBox, Small } from '../parts.tsx';
import type { Times } from '../period.tsx';
import { OF_PAYMENT } from '../rows.tsx';
import { Sync } from './sync.tsx';

/** It outlives the view: a user who comes back from a payout finds the list as it was. */
const held = signal<Loaded<Listed>>(NOT_LOADED);
const begun = (of: Times) => ({ of, ids: new Set<string>(), virtual: undefined as Virtual | undefined });
let kept = begun({ since: '', until: '' });

async function readMore(): Promise<void> {
  const { data: before, isLoading } = held.value;
  const { ids, of } = kept;
  if (isLoading || before?.behind === null) return;
  held.value = { ...NOT_LOADED, data: before, isLoading: true };
  const read = await callServer('list', { behind: before?.behind ?? null, ...of }).then(
    (piece) => {
      // A payment that was added while the user reads may move another one into the next piece.
      const fresh = piece.rows.filter(({ id }) => !ids.has(id));
      for (const { id } of fresh) ids.add(id);
      const notes = before?.notes ?? piece.notes;
      return { ...NOT_LOADED, data: { ...piece, rows: [...(before?.rows ?? []), ...fresh], notes } };
    },
    (error: unknown) => ({ ...NOT_LOADED, data: before, problem: pageFailure(error) }),
  );
  // Another list may have begun meanwhile.
  if (kept.ids === ids) held.value = read;
}

async function readAnew(of = kept.of): Promise<void> {
  held.value = NOT_LOADED;
  kept = begun(of);
  await readMore();
}

/** The place in the list at an entry of the browser's history, for a user who comes back to it. */
const placeBefore = (): number => Number((history.state as { y?: unknown } | null)?.y ?? 0);

const NO_LIST: Listed = { rows: [], notes: [], behind: null, hasBooks: true };

export function All({ since, until }: Times) {
  const { data, problem, isLoading } = held.value;
  const { rows, notes, behind, hasBooks } = data ?? NO_LIST;
  useLayoutEffect(() => {
    const isSame = kept.of.since === since && kept.of.until === until && rows.length > 0;
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
      {data !== undefined && <Sync hasBooks={hasBooks} onDone={readAnew} />}
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
      {data !== undefined && rows.length === 0 && hasBooks && <p>There is no payment in this time.</p>}
      {isLoading && <Loading what="Reading the books" />}
      <ProblemBox problem={problem}>
        <Small onClick={() => void readMore()}>Read on</Small>
      </ProblemBox>
    </section>
  );
}
