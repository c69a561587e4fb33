/** Programs of the bench as processes of their own, asked one question at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** `argument` reaches the program as the argument of `serveParent`. */
export function startChild<Question extends object, Answer>(
  programs: string,
  name: string,
  argument: object = {},
): Child<Question, Answer> {
  const profile =
    process.env.BENCH_PROFILE === name ? ['--cpu-prof', '--cpu-prof-name', `${name}.cpuprofile`] : [];
  const child = fork(join(programs, `${name}.mjs`), [JSON.stringify(argument)], { execArgv: profile });
  return {
    ask: (question) => answerTo(child, name, question),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

function answerTo<Answer>(child: ChildProcess, name: string, question: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      const failure = (answer as { failure?: string }).failure;
      if (failure === undefined) resolve(answer as Answer);
      else reject(new Error(`${name}: ${failure}`));
    });
    child.send(question);
  });
}

/** The program's side: answers until the parent lets go. */
export function serveParent<Argument, Question>(
  open: (argument: Argument) => Promise<(question: Question) => Promise<object>>,
): void {
  const opened = open(JSON.parse(process.argv[2] ?? '{}') as Argument);
  process.on('message', (question: Question) => {
    void opened
      .then((answer) => answer(question))
      .catch((error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }))
      .then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
}
