/** Programs of the bench as processes of their own, asked one question at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Core, endedMs, isOurs, pin, processorMicros } from './processor.ts';

export interface Child<Question, Answer> {
  pid: number;
  ask(question: Question): Promise<Answer>;
  /** Resolves to the processor time that ending took, in microseconds. */
  stop(): Promise<number>;
}

/** `argument` reaches the program as the argument of `serveParent`, and `flags` are for Node. */
export function startChild<Question extends object, Answer>(
  programs: string,
  name: string,
  argument: object = {},
  core?: Core,
  flags: readonly string[] = [],
): Child<Question, Answer> {
  const profile =
    process.env.BENCH_PROFILE === name ? ['--cpu-prof', '--cpu-prof-name', `${name}.cpuprofile`] : [];
  const child = fork(join(programs, `${name}.mjs`), [JSON.stringify(argument)], {
    execArgv: [...profile, ...flags],
  });
  isOurs(child.pid);
  if (core) pin(child.pid, core);
  return {
    pid: child.pid as number,
    ask: (question) => answerTo(child, name, question),
    stop: () => stopping(child, () => child.disconnect()),
  };
}

/** What a child has taken in all is known when it has ended; only one may end at a time. */
export async function stopping(child: ChildProcess, stop: () => void): Promise<number> {
  const before = endedMs() * 1000 + processorMicros(child.pid as number);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  stop();
  await ended;
  return Math.max(0, endedMs() * 1000 - before);
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

type Served<Question> = ((question: Question) => Promise<object>) & { close?: () => Promise<void> };

/** The program's side: answers until the parent lets go, and closes what it opened. */
export function serveParent<Argument, Question>(
  open: (argument: Argument) => Promise<Served<Question>>,
): void {
  const opened = open(JSON.parse(process.argv[2] ?? '{}') as Argument);
  process.on('message', (question: Question) => {
    void opened
      .then((answer) => answer(question))
      .catch((error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }))
      .then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => {
    void opened.then((served) => served.close?.()).finally(() => process.exit(0));
  });
}

/** Resolves to host and port. */
export async function listenLocally(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
