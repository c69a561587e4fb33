/**
 * Runs the programs of `--on` (decision 0092): one after the other, each with one line of JSON on its input. Whatever becomes of them is said and
 * changes nothing of the command.
 */
import { setTimeout as after } from 'node:timers/promises';
import { escapeHostile } from '../../../core/escape.ts';
import type { Process } from '../../../frame/process.ts';
import { runToEnd } from '../../../frame/run-to-end.ts';
import { ndjsonLine } from '../../../frame/terminal/formats.ts';
import { type Happened, happened } from '../../event-hooks.ts';
import { problemOf } from '../../problem-of.ts';
import { happenedShape } from '../../shapes/machine.ts';
import { maskData } from '../../words/mask.ts';
import type { Context } from '../context.ts';
import type { OnPrograms } from '../flags/on.ts';

/** Prints on stderr, as it comes, what a program of the partner's prints. A log says only its size: it cannot be masked. */
export const programOutput =
  ({ streams, log }: Process) =>
  (text: string): void => {
    if (log) log.event('program_output', { bytes: Buffer.byteLength(text) });
    else streams.err(streams.stderrIsTerminal ? escapeHostile(text) : text);
  };

/** No variable of ours, and none of anybody else's secrets: these alone are passed on. */
const PASSED = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/;
/** More events than that at once are no news any more. */
const MOST_WAITING = 100;

type Facts = Parameters<typeof happened>[1];

/**
 * Tells the programs of the events that the function answers. Never fails, and does not wait. The context waits for the programs when it is
 * closed, behind the result of the command, at most as long as one may take.
 */
export type TellPrograms = (events: () => readonly Facts[] | Promise<readonly Facts[]>) => void;

export function toldPrograms(context: Context, { programs, timeoutMs }: OnPrograms): TellPrograms {
  if (programs.length === 0) return () => {};
  const { process } = context;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)));
  const waiting: { file: string; about: Happened }[] = [];
  const stop = new AbortController();
  let adding = Promise.resolve();
  let working: Promise<void> | undefined;
  let lost = 0;
  const run = async ({ file, about }: (typeof waiting)[number]): Promise<void> => {
    const { ok, answer } = await runToEnd({
      ...{ command: [file], cwd: process.cwd, env, timeoutMs, stop: stop.signal },
      input: ndjsonLine(happenedShape, maskData(about, 'all')),
      onOutput: programOutput(process),
    });
    if (!ok) context.say(`remit: ${file} was to be told of ${about.event}: ${answer}`);
  };
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
    working = undefined;
  };
  const add = async (facts: Facts): Promise<void> => {
    const told = programs.filter(({ event }) => event === facts.event);
    const about = await happened(context, facts);
    for (const { file } of told)
      if (waiting.length < MOST_WAITING) waiting.push({ file, about });
      else lost++;
    if (waiting.length > 0) working ??= work();
  };
  context.closing(async () => {
    await adding;
    const ended = new AbortController();
    const isLate = after(timeoutMs, true, { signal: ended.signal }).catch(() => false);
    if (working !== undefined && (await Promise.race([working, isLate]))) {
      lost += waiting.splice(0).length;
      stop.abort();
      await working;
    }
    ended.abort();
    if (lost > 0) context.say(`remit: of ${lost} more events no program was told`);
  });
  return (events) => {
    adding = adding.then(async () => {
      try {
        for (const facts of await events()) await add(facts);
      } catch (error) {
        context.say(`remit: no program was told: ${problemOf(error).message}`);
      }
    });
  };
}
