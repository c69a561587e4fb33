/** What comes after the last question of a form. */
import { keys, type Terminal } from './terminal.ts';

/** Waits for the look at all answers, and sends them. */
export const sends = (terminal: Terminal): Promise<void> => choosesAt(terminal, 'Yes, send it');

/** Types this at a list until it is what Enter chooses, and chooses it. */
export async function choosesAt(terminal: Terminal, label: string, typed = label): Promise<void> {
  await terminal.sees('⏎ select');
  await terminal.listens();
  terminal.types(typed);
  await terminal.sees(`❯ ${label}`);
  terminal.types(keys.enter);
}
