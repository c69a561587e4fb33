/**
 * The dialog of an act. What the gate says before its question stands in it, and the button carries profile and amount. The button works
 * once. What it sends names what stood on the screen: where that changed, nothing is sent, and it says so.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Acted, Failure, Row, Wish } from '../wire.ts';
import { call, randomText } from './call.ts';
import { problemOf } from './loaded.ts';
import { Command, Loading, Problem, State, Their } from './parts.tsx';

interface Acting {
  title: string;
  act: Wish['act'];
  of: readonly Pick<Row, 'id' | 'digest'>[];
  /** Asked before anything: a correction needs its details. */
  form?: (send: (details: Record<string, string>) => void) => ComponentChildren;
  /** Called when it is closed; `changed` where something may have been done. */
  onClose: (changed: boolean) => void;
}

type Stage =
  | { kind: 'form' }
  | { kind: 'asking' }
  | { kind: 'sending' }
  | { kind: 'asks'; question: Extract<Acted, { kind: 'asks' }> }
  | { kind: 'done'; done: Extract<Acted, { kind: 'done' }> }
  | { kind: 'failed'; problem: Failure };

export function ActDialog({ title, act, of, form, onClose }: Acting) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { stage, isTried, send, answer, begin } = useAct(act, of, form !== undefined);
  useEffect(() => {
    dialog.current?.showModal();
    if (form === undefined) void send();
  }, []);
  const close = (): void => dialog.current?.close();
  const now = stage.value;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="act-title"
      onClose={() => onClose(isTried.current)}
      onCancel={(event) => {
        // Closing takes nothing back that was sent: its outcome is waited for.
        if (now.kind === 'sending') event.preventDefault();
      }}
    >
      <h2 id="act-title">{title}</h2>
      {now.kind === 'form' && form?.(begin)}
      {now.kind === 'asking' && <Loading what="Reading it again" />}
      {now.kind === 'sending' && <Loading what="Sent. Waiting for the outcome" />}
      {now.kind === 'asks' && <Question question={now.question} onYes={answer} onNo={close} />}
      {now.kind === 'done' && <Done done={now.done} />}
      {now.kind === 'failed' && <Problem problem={now.problem} />}
      {now.kind !== 'sending' && now.kind !== 'asks' && (
        <p class="buttons">
          {now.kind === 'failed' && form !== undefined && (
            <button
              type="button"
              onClick={() => {
                stage.value = { kind: 'form' };
              }}
            >
              Back to the details
            </button>
          )}
          <button type="button" onClick={close}>
            {now.kind === 'done' || now.kind === 'failed' ? 'Close' : 'Do nothing'}
          </button>
        </p>
      )}
    </dialog>
  );
}

/** One act from its first question to its outcome. Its id stays the same, so that it is carried out once. */
function useAct(act: Wish['act'], of: Acting['of'], hasForm: boolean) {
  const stage = useSignal<Stage>(hasForm ? { kind: 'form' } : { kind: 'asking' });
  const wish = useRef<Wish>({
    id: randomText(),
    act,
    of: of.map(({ id, digest }) => ({ id, digest })),
    answers: [],
  });
  /** True once something may have been done, or was found to be different: the page looks again then. */
  const isTried = useRef(false);
  const send = async (): Promise<void> => {
    // A browser may close the dialog although something is on its way: the page looks again then too.
    isTried.current ||= wish.current.answers.length > 0;
    stage.value = wish.current.answers.length === 0 ? { kind: 'asking' } : { kind: 'sending' };
    try {
      const acted = await call('act', wish.current);
      isTried.current ||= acted.kind === 'done';
      stage.value = acted.kind === 'asks' ? { kind: 'asks', question: acted } : { kind: 'done', done: acted };
    } catch (error) {
      isTried.current = true;
      stage.value = { kind: 'failed', problem: problemOf(error) };
    }
  };
  return {
    stage,
    isTried,
    send,
    answer(shown: string, typed: string | undefined): void {
      const given = typed === undefined ? { shown } : { shown, typed };
      wish.current = { ...wish.current, answers: [...wish.current.answers, given] };
      void send();
    },
    /** Other details are another wish. */
    begin(details: Record<string, string>): void {
      wish.current = { ...wish.current, id: randomText(), details, answers: [] };
      void send();
    },
  };
}

interface Asked {
  question: Extract<Acted, { kind: 'asks' }>;
  onYes: (shown: string, typed: string | undefined) => void;
  onNo: () => void;
}

function Question({ question: { heard, said, shown, type, button }, onYes, onNo }: Asked) {
  const typed = useSignal('');
  const first = useRef<HTMLElement>(null);
  // Enter on what stands first does nothing: a key that was meant for the page before it sends nothing.
  useLayoutEffect(() => first.current?.focus(), [shown]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onYes(shown, type === null ? undefined : typed.value);
      }}
    >
      <ul class="bare">
        {heard.map(({ text, weight }) => (
          <li key={text} class={weight}>
            <Their text={text.trim()} />
          </li>
        ))}
      </ul>
      <p class="question">
        <Their text={said} />
      </p>
      {type !== null && (
        <label for="typed">
          {type.asks}
          <input
            id="typed"
            ref={first as RefObject<HTMLInputElement>}
            value={typed.value}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
      <p class="buttons">
        <button type="submit" class="act" disabled={type !== null && typed.value.trim() === ''}>
          {button}
        </button>
        <button
          type="button"
          ref={type === null ? (first as RefObject<HTMLButtonElement>) : null}
          onClick={onNo}
        >
          Do nothing
        </button>
      </p>
    </form>
  );
}

const Done = ({ done: { endings, notes, command } }: { done: Extract<Acted, { kind: 'done' }> }) => (
  <div role="status">
    <ul class="bare">
      {endings.map(({ id, text, look, why }) => (
        <li key={id}>
          <State
            state={{ word: look === 'good' ? 'done' : look === 'waiting' ? 'waiting' : 'look at this', look }}
          />{' '}
          <Their text={text} />
          {why !== null && <p class="quiet">{why}</p>}
        </li>
      ))}
    </ul>
    {notes.map((note) => (
      <p key={note}>{note}</p>
    ))}
    <p class="quiet">In the terminal:</p>
    <Command text={command} />
  </div>
);
