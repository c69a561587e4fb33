/** Plays a scenario from its text, in a sandbox of its own, and proves its books in the end. */
import { runScenario, type ScenarioOutcome } from './run.ts';
import { openTheatre } from './theatre.ts';

/** @throws Error where every step holds and the books do not balance */
export async function playScenario(text: string): Promise<ScenarioOutcome> {
  const { stage, sandbox, close } = await openTheatre();
  try {
    const outcome = await runScenario(stage, text);
    if (outcome.failed === null) sandbox.audit();
    return outcome;
  } finally {
    await close();
  }
}
