/** Data that a view reads, with each of their states: loading, there, failed, and there but stale since they could not be read again. */
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  type AnswerOf,
  type Failure,
  type LiveName,
  type PlainName,
  pageRefusal,
  type QuestionOf,
} from '../wire.ts';
import { CallFailed, callServer, endedBecause, lines, sayAwake } from './call.ts';

export interface Loaded<Data> {
  data: Data | undefined;
  /** Why the last look failed: what is shown is older then. */
  problem: Failure | undefined;
  isLoading: boolean;
}

export const NOT_LOADED = { data: undefined, problem: undefined, isLoading: false };

/**
 * A question, and what came of it. An answer to an older question is not shown under a newer one.
 * @param keeps shows the answer of before where a newer one could not be had, with the problem; else the problem stands alone
 */
export function useAsked<Name extends PlainName>(name: Name, keeps = false) {
  const now = useSignal<Loaded<AnswerOf<Name>>>({ ...NOT_LOADED, isLoading: keeps });
  const latest = useRef('');
  const ask = async (question: QuestionOf<Name>): Promise<AnswerOf<Name> | undefined> => {
    const mine = JSON.stringify(question);
    latest.current = mine;
    const { data, problem } = now.value;
    now.value = { data, problem: keeps ? problem : undefined, isLoading: true };
    const found = await callServer(name, question).then(
      (data) => ({ ...NOT_LOADED, data }),
      (error: unknown) => ({
        ...NOT_LOADED,
        data: keeps ? now.value.data : undefined,
        problem: pageFailure(error),
      }),
    );
    if (latest.current === mine) now.value = found;
    return found.problem === undefined ? found.data : undefined;
  };
  return { now, ask };
}

/** Asks at once, and again where the question is another one or `again` is called. */
export function useLoaded<Name extends PlainName>(name: Name, question: QuestionOf<Name>) {
  const { now, ask } = useAsked(name, true);
  const present = useRef(question);
  present.current = question;
  useEffect(() => {
    now.value = NOT_LOADED;
    void ask(question);
  }, [JSON.stringify(question)]);
  return { now, again: () => ask(present.current) };
}

/** Looks repeatedly while the page is visible. @param of the thing that is looked at; undefined where there is none to look at */
export function useFollowing(
  of: string | undefined,
  everyMs: number,
  look: (isOver: () => boolean) => Promise<unknown>,
): void {
  useEffect(() => {
    if (of === undefined) return undefined;
    let isOver = false;
    const timer = setInterval(() => isSeen.value && void look(() => isOver), everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [of]);
}

export function pageFailure(error: unknown): Failure {
  if (error instanceof CallFailed) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return { ...pageRefusal('page', `The page itself failed: ${message}`), category: 'internal' };
}

/** True while this tab is visible. */
const isSeen = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => {
  isSeen.value = document.visibilityState === 'visible';
});

/** After this the way to the server is taken to be gone, even without an error: the server sends more often. */
const SILENT_MS = 25_000;
const AGAIN_MS = 1_500;

/**
 * Hears a live answer while the tab is seen, and asks again where it breaks off. `question` says from where on.
 * Its value is why nothing is heard just now.
 */
export function useLive<Name extends LiveName>(
  name: Name,
  question: () => QuestionOf<Name>,
  hear: (data: AnswerOf<Name>) => void,
): Signal<Failure | undefined> {
  const silent = useSignal<Failure | undefined>(undefined);
  useEffect(() => {
    // A hidden tab holds no connection: a browser has only six of them for all its tabs.
    if (!isSeen.value) return undefined;
    const over = new AbortController();
    const run = async (): Promise<void> => {
      while (!over.signal.aborted && endedBecause.value === null) {
        const silence = new AbortController();
        const hearing = AbortSignal.any([over.signal, silence.signal]);
        let timer = setTimeout(() => silence.abort(), SILENT_MS);
        try {
          for await (const data of lines(name, question(), hearing)) {
            clearTimeout(timer);
            timer = setTimeout(() => silence.abort(), SILENT_MS);
            silent.value = undefined;
            hear(data);
            void sayAwake();
          }
        } catch (error) {
          if (!over.signal.aborted) silent.value = pageFailure(error);
        }
        clearTimeout(timer);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void run();
    return () => over.abort();
  }, [isSeen.value]);
  return silent;
}
