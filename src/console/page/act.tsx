/**
 * The dialog of an act. What the gate says before its question stands in it, and the button carries profile and amount. The button works
 * once. What it sends names what stood on the screen: where that changed, nothing is sent, and it says so.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Acted, Failure, PayoutRow, Wish } from '../wire.ts';
import { callServer, randomText } from './call.ts';
import { PageForm } from './card.tsx';
import { pageFailure } from './loaded.ts';
import { CommandText, Loading, Notes, ProblemBox, State, Their } from './parts.tsx';

export type Send = (details: Readonly<Record<string, string>>) => void;

interface Acting {
  title: string;
  act: Wish['act'];
  of: readonly Pick<PayoutRow, 'id' | 'digest'>[];
  /** Asked before anything: a correction needs its details. */
  form?: (send: Send) => ComponentChildren;
  /** Called when it is closed; `changed` where something may have been done. */
  onClose: (changed: boolean) => void;
}

type Stage = { kind: 'form' | 'asking' | 'sending' } | Acted | { kind: 'failed'; problem: Failure };

/** The act that is under way on this view, if any, and its dialog. @param onChanged looks again, where something may have been done */
export function useActing(onChanged: () => unknown) {
  const [begun, begin] = useState<Omit<Acting, 'onClose'> | null>(null);
  const onClose = (changed: boolean): void => {
    begin(null);
    if (changed) void onChanged();
  };
  return { begin, dialog: begun && <ActDialog {...begun} onClose={onClose} /> };
}

function ActDialog({ title, act, of, form, onClose }: Acting) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { stage: now, isTried, send, back, answer, begin } = useAct(act, of, form !== undefined);
  useEffect(() => {
    dialog.current?.showModal();
    if (form === undefined) void send();
  }, []);
  const close = (): void => dialog.current?.close();
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
      {now.kind === 'asks' && <Question question={now} onYes={answer} onNo={close} />}
      {now.kind === 'done' && <Done done={now} />}
      {now.kind === 'failed' && <ProblemBox problem={now.problem} />}
      {now.kind !== 'sending' && now.kind !== 'asks' && (
        <p class="row buttons">
          {now.kind === 'failed' && form !== undefined && (
            <button type="button" onClick={back}>
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
  const [stage, setStage] = useState<Stage>({ kind: hasForm ? 'form' : 'asking' });
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
    setStage({ kind: wish.current.answers.length === 0 ? 'asking' : 'sending' });
    try {
      const acted = await callServer('act', wish.current);
      isTried.current ||= acted.kind === 'done';
      setStage(acted);
    } catch (error) {
      isTried.current = true;
      setStage({ kind: 'failed', problem: pageFailure(error) });
    }
  };
  return {
    stage,
    isTried,
    send,
    back: () => setStage({ kind: 'form' }),
    answer(shown: string, typed: string | undefined): void {
      wish.current = { ...wish.current, answers: [...wish.current.answers, { shown, typed }] };
      void send();
    },
    /** Other details are another wish. */
    begin(details: Parameters<Send>[0]): void {
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
  const [typed, setTyped] = useState('');
  const first = useRef<HTMLElement>(null);
  // Enter on what stands first does nothing: a key that was meant for the page before it sends nothing.
  useLayoutEffect(() => first.current?.focus(), [shown]);
  return (
    <PageForm onSubmit={() => onYes(shown, type === null ? undefined : typed)}>
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
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      <p class="row buttons">
        <button type="submit" class="act" disabled={type !== null && typed.trim() === ''}>
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
    </PageForm>
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
    <Notes of={notes} class="" />
    <p class="quiet">In the terminal:</p>
    <CommandText text={command} />
  </div>
);
