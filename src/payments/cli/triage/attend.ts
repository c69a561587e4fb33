/**
 * One recipient at the desk: seen explained, edited, cancelled or left. Each thing done is done by the same piece as the command of
 * that name, behind the same guard, and its command is printed. One that fails is told and does not end the round; the exit code
 * is the worst of all.
 */

import { escapeLine } from '../../../core/escape.ts';
import { interrupted } from '../../../core/problem.ts';
import { exitOf, worst } from '../../../frame/exit-codes.ts';
import { commandLine } from '../../../frame/output/command-line.ts';
import { reportProblem } from '../../../frame/output/report.ts';
import { ON_SCREEN } from '../../../frame/terminal/format.ts';
import { render } from '../../../frame/terminal/formats.ts';
import { askChoice, type PromptChoice } from '../../../frame/terminal/prompt.ts';
import { renderingFor } from '../../../frame/terminal/rendering.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { wrapLine } from '../../../frame/terminal/wrap.ts';
import { cancelRecipients, planCancel } from '../../cancel.ts';
import { caseNow } from '../../cases/facts.ts';
import type { Story } from '../../cases/story.ts';
import { authorizeWrite } from '../../gate.ts';
import type { FoundRecipient } from '../../lookup/recipient.ts';
import { problemOf } from '../../problem-of.ts';
import { maskData } from '../../words/mask.ts';
import { recipientLine } from '../../words/payment-lines.ts';
import { askEdit } from '../ask/edit-recipient.ts';
import type { Context } from '../context.ts';
import { endingView, exitOfCancel, shownEnding } from '../views/ending.ts';
import { storyView } from '../views/story.ts';
import { drawnView } from '../views/timeline.ts';
import type { Done } from '../views/triage.ts';
import type { Round } from './round.ts';

const CANCEL_WAIT_MS = 60_000;

type Where = 'list' | 'end';

export interface Attended {
  /** Returns the recipient as it is at the service now: asked for each time. */
  find(): Promise<FoundRecipient>;
  /** How it was found. */
  seen(story: Story, found: FoundRecipient): void;
}

/** Shows one recipient and acts on it, until the user leaves it. */
export async function attend(context: Context, attended: Attended, round: Round): Promise<Where> {
  for (;;) {
    const left = await attendOnce(context, attended, round);
    if (left !== undefined) return left;
  }
}

/** Undefined where something was done: then it is looked at again. */
async function attendOnce(context: Context, attended: Attended, round: Round): Promise<Where | undefined> {
  let found: FoundRecipient;
  try {
    found = await attended.find();
  } catch (error) {
    await tell(context, error, round);
    return 'list';
  }
  const story = await caseNow(context, found);
  attended.seen(story, found);
  await print(context, storyView, story);
  const choices = choicesFor(story, context.streams.columns);
  for (;;) {
    // On a terminal of 24 lines the screen above has left: whom this is about stays beside the question.
    context.say(escapeLine(recipientLine(story, context.mask)), context.paint.bold);
    const action = await askChoice(context, 'What now?', choices, { standing: choices[0]?.value });
    if (action === 'list' || action === 'end') return action;
    await act(context, found, action, round);
    if (action !== 'timeline') return undefined;
    // The history changed nothing, and is read now: the screen of before would push it out of view.
  }
}

/** The command that does the same stands below the list, for the choice that is marked. */
function choicesFor({ id, standing }: Story, columns: number): PromptChoice[] {
  const choice = (value: string, label: string, command: string): PromptChoice => ({
    value,
    label,
    bare: true,
    below: wrapLine(command, columns - 1),
  });
  const possible = {
    edit: choice('edit', 'Correct the recipient', `remit recipient edit ${id}`),
    cancel: choice('cancel', 'Cancel the payout', `remit recipient cancel ${id} --wait`),
    request_cancel: choice(
      'request_cancel',
      'Ask the provider to cancel',
      `remit recipient cancel ${id} --request --wait`,
    ),
  };
  return [
    ...standing.can.map((one) => possible[one]),
    choice('timeline', 'Show the history', `remit recipient show ${id} --timeline`),
    { value: 'list', bare: true, label: 'Back to the list' },
    { value: 'end', bare: true, label: 'End' },
  ];
}

async function act(context: Context, found: FoundRecipient, action: string, round: Round): Promise<void> {
  try {
    if (action === 'timeline') return await showLife(context, found);
    round.done.push(
      action === 'edit' ? await edit(context, found) : await cancel(context, found, action, round),
    );
    context.say(`$ ${round.done.at(-1)?.command}`, context.paint.dim);
  } catch (error) {
    await tell(context, error, round);
  }
}

/** Ctrl-C and Ctrl-D end the round; a No, and whatever fails, does not. */
async function tell(context: Context, error: unknown, round: Round): Promise<void> {
  const failure = problemOf(error);
  if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) throw error;
  if (context.process.interrupt.aborted) throw error;
  if (failure.facts.category === 'interrupted') {
    context.say('nothing was changed; nothing was sent');
    return;
  }
  round.exit = worst([round.exit, exitOf(failure)]);
  await reportProblem(failure, context.process, { json: false, debug: context.globals.debug !== 'off' });
}

async function edit(context: Context, found: FoundRecipient): Promise<Done> {
  const id = found.recipient.id ?? '';
  const { changes, notes, meant } = await askEdit(context, found, {
    details: {},
    skipValidation: false,
    nameAsGiven: false,
    accountAsWritten: false,
    newPayment: false,
  });
  for (const note of notes) context.say(note);
  const agreed = Object.keys(meant).flatMap((name) => (meant[name] ? [`--${name}`] : []));
  const details = Object.entries(changes).flatMap(([name, value]) => ['--detail', `${name}=${value}`]);
  return {
    recipient_id: id,
    action: 'edit',
    outcome: details.length > 0 ? 'changed' : 'nothing to change',
    command: commandLine(['recipient', 'edit', id, ...details, ...agreed]),
  };
}

async function cancel(context: Context, found: FoundRecipient, action: string, round: Round): Promise<Done> {
  const how = { request: action === 'request_cancel', waitMs: CANCEL_WAIT_MS };
  const id = found.recipient.id ?? '';
  const plan = await planCancel(context, [found], how);
  const permit = await authorizeWrite(context, plan.step, context.confirmer);
  const [ending] = await cancelRecipients(context, permit, plan);
  if (ending === undefined) throw interrupted();
  round.exit = worst([round.exit, exitOfCancel(ending)]);
  await print(context, endingView, shownEnding(ending));
  return {
    recipient_id: id,
    action: 'cancel',
    outcome: ending.ending,
    command: `remit recipient cancel ${id}${how.request ? ' --request' : ''} --wait`,
  };
}

async function showLife(context: Context, found: FoundRecipient): Promise<void> {
  const { timelineOf } = await import('../../cases/timeline.ts');
  const { moments } = await timelineOf(context, found);
  await print(context, drawnView, { moments });
}

/** Prints to stderr, as questions do: what was done is the result. */
async function print<Row>(context: Context, view: View<Row>, row: Row): Promise<void> {
  const rendering = {
    ...renderingFor(context.process, context.globals),
    paint: context.paint,
    format: ON_SCREEN,
  };
  const { text } = await render(view, maskData(row, context.mask), {
    ...rendering,
    fields: undefined,
    query: undefined,
  });
  context.streams.err(`\n${text}\n`);
}
