/** Small pieces that several views show. All text from outside is text: nothing here makes markup of it. */
import { signal } from '@preact/signals';
import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Labelled, ToldMoment } from '../../payments/shapes/told.ts';
import type { Failure, PayoutRow } from '../wire.ts';
import { addressOf, type PageAddress } from './address.ts';

/** The zone of times, as the terminal has it. */
export const zone = signal('UTC');

const MARKS: Readonly<Record<PayoutRow['state']['look'], string>> = {
  good: '✓',
  waiting: '…',
  bad: '!',
  over: '–',
  plain: '·',
};

/** A state: its word, and a mark that is not a colour alone. */
export const State = ({ state }: { state: PayoutRow['state'] }) => (
  <span class={`state ${state.look}`}>
    <span aria-hidden="true">{MARKS[state.look]}</span> {state.word}
  </span>
);

/** Local time, with UTC beside it. Nothing where there is none. */
export function Time({ at }: { at: string | null }): ComponentChildren {
  const ms = at === null ? Number.NaN : Date.parse(at);
  if (at === null || Number.isNaN(ms)) return at || null;
  const local = inZone(ms, zone.value);
  const utc = inZone(ms, 'UTC');
  const isSame = local === utc;
  return (
    <time dateTime={at} title={`${utc} UTC`}>
      {local} <span class="quiet">{isSame ? 'UTC' : `(${utc.slice(-5)} UTC)`}</span>
    </time>
  );
}

const MINUTE = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function inZone(ms: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...MINUTE, timeZone });
  formats.set(timeZone, format);
  return format.format(ms).replace(',', '');
}

/** Texts that hold times: each is shown in local time with UTC beside it. */
export const WithTimes = ({ text }: { text: string }) => (
  <>
    {text
      .split(/(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/)
      .map((part, index) =>
        index % 2 === 1 ? <Time key={part} at={part} /> : <Their key={part} text={part} />,
      )}
  </>
);

/** Text from outside: its direction is its own. */
export const Their = ({ text }: { text: string }) => <bdi>{text}</bdi>;

export const Lines = ({ of, class: name }: { of: readonly Labelled[]; class?: string }) => (
  <dl class={name}>
    {of.map(({ label, text }, index) => (
      <Fragment key={index}>
        <dt>
          <Their text={label} />
        </dt>
        <dd>
          <WithTimes text={text} />
        </dd>
      </Fragment>
    ))}
  </dl>
);

export const Moments = ({ of }: { of: readonly ToldMoment[] }) => (
  <ol class="moments">
    {of.map(({ at, by, text, note }, index) => (
      <li key={index} class={by}>
        <Time at={at} />
        <span>
          <Their text={text} /> <span class="quiet">{note && <Their text={note} />}</span>
        </span>
      </li>
    ))}
  </ol>
);

/** A button beside the thing that it is about. */
export const Small = (given: Omit<JSX.IntrinsicElements['button'], 'type' | 'class'>) => (
  <button {...given} type="button" class="small" />
);

/** Copies a text; says so for a moment. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [said, say] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say('copied');
    } catch {
      say('not copied: mark the text and copy it yourself');
    }
    setTimeout(() => say(''), 3_000);
  };
  return (
    <span class="row">
      <Small onClick={copy} aria-label={`Copy ${what}`}>
        Copy
      </Small>
      <span role="status" class="quiet">
        {said}
      </span>
    </span>
  );
}

export const CommandText = ({ text }: { text: string }) => (
  <p class="row command">
    <code class="quiet">
      {text.split(' ').flatMap((word, index) => [index === 0 ? '' : ' ', <span key={word}>{word}</span>])}
    </code>{' '}
    <Copy text={text} what="the command" />
  </p>
);

type Maybe<Value> = Value | null | undefined;

/** A problem in the words of the desk, with what may be done next. Shows nothing where there is none. */
export const ProblemBox = ({
  problem,
  children,
}: {
  problem: Maybe<Failure>;
  children?: ComponentChildren;
}) =>
  problem && (
    <div class="problem" role="alert">
      <p>
        <strong>{sentence(problem.message)}</strong>
      </p>
      {problem.fields.length > 0 && (
        <ul>
          {problem.fields.map(({ path, words }) => (
            <li key={path}>
              <code>{path}</code> {words.join('; ')}
            </li>
          ))}
        </ul>
      )}
      {problem.outcome !== null && <p>Outcome: {problem.outcome}.</p>}
      {problem.next !== null && <p>Next: {problem.next}</p>}
      {children}
    </div>
  );

/** The desk's messages begin low, as they stand behind `remit:` in a terminal. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!:)]$/.test(text) ? '' : '.'}`;

/** A link to a view, with an address of its own. */
export const To = ({ to, ...rest }: { to: PageAddress; children: ComponentChildren; class?: string }) => (
  <a href={addressOf(to)} {...rest} />
);

export const Loading = ({ what }: { what: string }) => (
  <p class="quiet" role="status">
    {what}…
  </p>
);

/** Shows what changed meanwhile. It lies over the page, so that nothing in a list moves when it comes. */
export const Newer = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <div class="newer" role="status">
    {count > 0 && (
      <button type="button" class="act" onClick={onShow}>
        {count} {count === 1 ? 'change' : 'changes'}, show
      </button>
    )}
  </div>
);

/** How far it was looked, how old it is, what is left out: in the words of the desk. */
export const Notes = ({ of, class: name = 'quiet' }: { of: readonly string[]; class?: string }) => (
  <>
    {of.map((note) => (
      <p class={name} key={note}>
        <WithTimes text={note} />
      </p>
    ))}
  </>
);
