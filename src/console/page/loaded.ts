/** Data that a view reads, with each of their states: loading, there, failed, and there but stale since they could not be read again. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AnswerOf, Failure, LiveName, PlainName, QuestionOf } from '../wire.ts';
import { call, ended, Failed, lines, local, sayAwake } from './call.ts';

export interface Loaded<Data> {
  data: Data | undefined;
  /** Why the last look failed: what is shown is older then. */
  problem: Failure | undefined;
  isLoading: boolean;
}

/** Reads at once, and again where `of` changes or `again` is called. */
export function useLoaded<Data>(
  read: () => Promise<Data>,
  of: string,
): { now: Signal<Loaded<Data>>; again: () => Promise<void> } {
  const now = useSignal<Loaded<Data>>({ data: undefined, problem: undefined, isLoading: true });
  const latest = useSignal('');
  const again = async (): Promise<void> => {
    now.value = { ...now.value, isLoading: true };
    const mine = of;
    try {
      const data = await read();
      // An answer to an older question is not shown under a newer one.
      if (latest.value === mine) now.value = { data, problem: undefined, isLoading: false };
    } catch (error) {
      if (latest.value === mine) now.value = { ...now.value, problem: problemOf(error), isLoading: false };
    }
  };
  useEffect(() => {
    latest.value = of;
    now.value = { data: undefined, problem: undefined, isLoading: true };
    void again();
  }, [of]);
  return { now, again };
}

/** A question that somebody asks with a button. It has an answer, or a problem, or neither yet. */
export function useAsked<Name extends PlainName>(name: Name) {
  const answer = useSignal<AnswerOf<Name> | null>(null);
  const problem = useSignal<Failure | null>(null);
  const ask = async (question: QuestionOf<Name>): Promise<AnswerOf<Name> | null> => {
    problem.value = null;
    try {
      answer.value = await call(name, question);
    } catch (error) {
      answer.value = null;
      problem.value = problemOf(error);
    }
    return answer.value;
  };
  return { answer, problem, ask };
}

/** Looks again and again while somebody sees the page. @param of the thing that is looked at; undefined where there is none to look at */
export function useFollowing(
  of: string | undefined,
  everyMs: number,
  look: (isOver: () => boolean) => Promise<void>,
): void {
  useEffect(() => {
    if (of === undefined) return undefined;
    let isOver = false;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look(() => isOver);
    }, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [of]);
}

export function problemOf(error: unknown): Failure {
  if (error instanceof Failed) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return { ...local('page', `The page itself failed: ${message}`), category: 'internal' };
}

/** After this the way to the server is taken to be gone, although nobody said so: it tells something more often. */
const SILENT_MS = 25_000;
const AGAIN_MS = 1_500;

/**
 * Hears a live answer while the tab is seen, and asks again where it breaks off. `question` says from where on.
 * Its value is why nothing is heard just now, or null.
 */
export function useLive<Name extends LiveName>(
  name: Name,
  question: () => QuestionOf<Name>,
  hear: (data: AnswerOf<Name>) => void,
): Signal<Failure | null> {
  const silent = useSignal<Failure | null>(null);
  useEffect(() => {
    let hearing = new AbortController();
    let isOver = false;
    const run = async (): Promise<void> => {
      while (!isOver && ended.value === null) {
        hearing = new AbortController();
        let timer = setTimeout(() => hearing.abort(), SILENT_MS);
        try {
          for await (const data of lines(name, question(), hearing.signal)) {
            clearTimeout(timer);
            timer = setTimeout(() => hearing.abort(), SILENT_MS);
            silent.value = null;
            hear(data);
            void sayAwake();
          }
        } catch (error) {
          if (!isOver && document.visibilityState === 'visible') silent.value = problemOf(error);
        }
        clearTimeout(timer);
        if (!isOver) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        if (!isOver) await seen();
      }
    };
    // A tab that nobody sees holds no connection: a browser has only six of them for all its tabs.
    const hide = (): void => {
      if (document.visibilityState === 'hidden') hearing.abort();
    };
    document.addEventListener('visibilitychange', hide);
    void run();
    return () => {
      isOver = true;
      hearing.abort();
      document.removeEventListener('visibilitychange', hide);
    };
  }, []);
  return silent;
}

/** Resolves once somebody sees this tab. */
const seen = (): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
