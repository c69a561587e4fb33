/**
 * The partner's own code, called on the way: what it throws, or rejects with, changes no outcome, and is
 * reported once.
 */
export type ErrorReporter = (error: unknown) => void;

/** Reports to `onError`, or by `say` where it is absent. What these throw themselves is dropped. */
export function reporter(
  onError: ((error: unknown) => unknown) | undefined,
  say: (line: string, error: unknown) => void,
): ErrorReporter {
  const report =
    onError ?? ((error: unknown) => say('remit: your own code failed, and no outcome changed:', error));
  return (error) => guarded(report, () => {})(error);
}

/** The hook, which never throws: it may be a promise that is rejected, too. */
export const guarded =
  <Given extends unknown[]>(hook: (...given: Given) => unknown, report: ErrorReporter) =>
  (...given: Given): void => {
    try {
      const made = hook(...given);
      if (made instanceof Promise) made.catch(report);
    } catch (error) {
      report(error);
    }
  };
