/** A view and its data, with each of their states: loading, there, failed, and there but older since they could not be read again. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Loaded } from './loaded.ts';
import { Loading, ProblemBox } from './parts.tsx';

interface Reading<Data> {
  now: Loaded<Data>;
  /** Said while there is nothing to show: `Reading the inbox`. */
  loading?: string;
  /** Said below the problem, where nothing could be read. */
  unknown?: string;
  /** Said below the problem, where what was read before is shown. */
  older?: string;
  children: (data: Data) => ComponentChildren;
}

const OLDER = 'What is below is older.';

export const Read = <Data,>({ now, loading, unknown, older = OLDER, children }: Reading<Data>) => {
  const { data, problem, isLoading } = now;
  return (
    <>
      <ProblemBox problem={problem}>
        <p>{data === undefined ? unknown : older}</p>
      </ProblemBox>
      {data === undefined && isLoading && loading && <Loading what={loading} />}
      {data !== undefined && children(data)}
    </>
  );
};

export function PageView<Data>({
  title,
  heading = title,
  before,
  ...reading
}: Reading<Data> & {
  /** In the title of the tab; the heading too, where no other is given. */
  title: string;
  heading?: ComponentChildren;
  /** Stands above the data, in each of their states. */
  before?: ComponentChildren;
}) {
  useTitle(title);
  return (
    <section aria-labelledby="view" aria-busy={reading.now.isLoading}>
      <h1 id="view">{heading}</h1>
      {before}
      <Read {...reading} />
    </section>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    const isProduction = document.documentElement.dataset.kind === 'production';
    document.title = `${isProduction ? 'LIVE · ' : ''}${title} · remit`;
  }, [title]);
}
